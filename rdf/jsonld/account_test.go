package jsonld_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

// Every string of a document is in a statement, or has a finding, or is where JSON-LD itself says that
// it means nothing. The documents are made by chance, sound and faulty, each with strings that occur
// once. What becomes of a string is found by looking for it, without any knowledge of what JSON-LD
// makes of it.
func TestEveryStringIsAccountedFor(t *testing.T) {
	for seed := range uint64(5000) {
		checkAccounts(t, seed)
	}
}

func FuzzEveryStringIsAccountedFor(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(checkAccounts)
}

func checkAccounts(t *testing.T, seed uint64) {
	t.Helper()
	d := documents{Rand: rand.New(rand.NewPCG(seed, 0))}
	d.value(d.node(0))
	text := d.String()
	if !json.Valid([]byte(text)) {
		t.Fatalf("no JSON: %s", text)
	}
	got := read(t, text, jsonld.Options{})
	for _, leaf := range d.leaves {
		if !leaf.accounted(d.extents, got) {
			t.Fatalf("seed %d: %q is nowhere\n%s\n%s\n%+v", seed, leaf.token, text, strings.Join(got.Lines(), "\n"), got.Notices)
		}
	}
}

// documents writes JSON and notes where what stands in it.
type documents struct {
	*rand.Rand
	bytes.Buffer
	leaves  []leaf
	extents []extent // of values, and of members from their names on
	free    int      // how many of the objects around mean nothing to RDF
	id      bool     // the value of @id is being written
}

type extent struct{ from, to int64 }

func (e extent) holds(offset int64) bool { return e.from <= offset && offset < e.to }

type leaf struct {
	token string
	at    int64
	id    bool // the value of @id
}

// accounted looks for a string in the statements, else for a finding at a value or
// a member that holds it.
func (l leaf) accounted(extents []extent, got *rdftest.Collector) bool {
	for i := range got.Quads {
		q := &got.Quads[i]
		for _, term := range []*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph} {
			if bytes.Contains(term.Value, []byte(l.token)) || bytes.Contains(term.Datatype, []byte(l.token)) ||
				bytes.Contains(term.Language, []byte(l.token)) {
				return true
			}
		}
	}
	for _, n := range got.Notices {
		for _, e := range extents {
			switch {
			case !e.holds(l.at) || !e.holds(n.Offset):
			case n.Severity == fault.Drop && n.Bytes == e.to-e.from: // told at a place within
				return true
			case n.Severity < fault.Warning || n.Severity == fault.Repair:
			case l.id: // what else is said of the node tells of its name
				return true
			case e.from == n.Offset && !strings.HasPrefix(n.Message, "a node of which"):
				return true
			}
		}
	}
	return false
}

// value writes something and notes its extent.
func (d *documents) value(write func()) {
	from := int64(d.Len())
	write()
	d.extents = append(d.extents, extent{from, int64(d.Len())})
}

// text writes a string that occurs nowhere else.
func (d *documents) text(before, after string) func() {
	return func() {
		token := fmt.Sprintf("leaf%dx", len(d.leaves))
		if d.free == 0 {
			d.leaves = append(d.leaves, leaf{token, int64(d.Len()), d.id})
		}
		fmt.Fprintf(d, "%q", before+token+after)
	}
}

func (d *documents) plain(text string) func() { return func() { d.WriteString(text) } }

func (d *documents) pick(all ...string) string { return all[d.IntN(len(all))] }

// members writes an object.
func (d *documents) members(members ...any) func() {
	return func() {
		d.WriteByte('{')
		for i := 0; i < len(members); i += 2 {
			if i > 0 {
				d.WriteByte(',')
			}
			d.value(func() {
				name := members[i].(string)
				fmt.Fprintf(d, "%q:", name)
				free := name == "@context" || name == "@index"
				if free {
					d.free++
				}
				d.id = name == "@id"
				d.value(members[i+1].(func()))
				d.id = false
				if free {
					d.free--
				}
			})
		}
		d.WriteByte('}')
	}
}

func (d *documents) array(items ...func()) func() {
	return func() {
		d.WriteByte('[')
		for i, item := range items {
			if i > 0 {
				d.WriteByte(',')
			}
			d.value(item)
		}
		d.WriteByte(']')
	}
}

func (d *documents) iri() func() {
	return d.text(d.pick("http://e/", "", "_:", "urn:x:", "e:", "p:", "../", "#"), "")
}

func (d *documents) scalar() func() {
	if d.IntN(4) == 0 {
		return d.plain(d.pick("1", "true", "null", "2.5"))
	}
	return d.text("", "")
}

// term is a definition, good or bad.
func (d *documents) term() string {
	return d.pick(`"http://v/a"`, `"http://v/b#"`, `"@type"`, `"@value"`, `"@language"`, `"@graph"`, `"@nest"`, `"@reverse"`, `"@included"`,
		`"@set"`, `"@list"`,
		`"@none"`, `null`, `5`, `"rel"`, `"@foo"`, `{"@id":"http://v/a","@type":"@id"}`, `{"@id":"http://v/a","@type":"@vocab"}`,
		`{"@id":"http://v/a","@type":"@json"}`,
		`{"@id":"http://v/a","@type":"http://t"}`, `{"@id":"http://v/a","@container":"@list"}`,
		`{"@id":"http://v/a","@container":"@language"}`, `{"@id":"http://v/a","@container":"@index"}`,
		`{"@id":"http://v/a","@container":"@id"}`, `{"@id":"http://v/a","@container":"@type"}`,
		`{"@id":"http://v/a","@container":"@graph"}`, `{"@id":"http://v/a","@container":["@graph","@id"]}`,
		`{"@id":"http://v/a","@container":["@graph","@index"]}`,
		`{"@id":"http://v/a","@container":["@set","@index"],"@index":"http://v/i"}`, `{"@id":"http://v/a","@container":"@foo"}`,
		`{"@reverse":"http://v/r"}`, `{"@reverse":"http://v/r","@type":"@id"}`, `{"@id":"http://v/a","@language":"fr"}`,
		`{"@id":"http://v/a","@direction":"rtl"}`,
		`{"@id":"http://v/a","@context":{"q":"http://v/c"}}`, `{"@id":"http://v/a","@context":{"@vocab":"http://w/"}}`,
		`{"@id":"http://v/a","@context":5}`, `{"@id":"http://v/a","@context":null}`)
}

func (d *documents) context() func() {
	return func() {
		switch d.IntN(12) {
		case 0:
			d.WriteString(d.pick(`null`, `"http://nowhere/c"`, `["http://nowhere/c",{"p":"http://p"}]`, `5`, `{"@vocab":5}`,
				`{"@base":":"}`, `{"@version":1}`, `{"@import":"http://nowhere/c"}`))
			return
		case 1, 2, 3, 4:
			d.WriteString(`{"@vocab":"http://w/"`)
		default:
			d.WriteString(`{"e":"http://e/"`)
		}
		if d.IntN(6) == 0 {
			d.WriteString(d.pick(`,"@language":"en"`, `,"@direction":"ltr"`, `,"@base":"sub/"`, `,"@base":null`, `,"@propagate":false`,
				`,"@protected":true`))
		}
		for _, name := range []string{"p", "q", "r"} {
			if d.IntN(2) == 0 {
				fmt.Fprintf(d, ",%q:%s", name, d.term())
			}
		}
		d.WriteByte('}')
	}
}

// node is an object, most often a node. depth keeps it small.
func (d *documents) node(depth int) func() {
	var members []any
	seen := map[string]bool{}
	add := func(name string, value func()) {
		if !seen[name] {
			seen[name] = true
			members = append(members, name, value)
		}
	}
	if depth == 0 || d.IntN(8) == 0 {
		add("@context", d.context())
	}
	if d.IntN(2) == 0 {
		add("@id", d.iri())
	}
	for range d.IntN(5) {
		switch d.IntN(16) {
		case 0:
			add("@type", d.array(d.iri(), d.text("", "")))
		case 1:
			add("@type", d.iri())
		case 2:
			add("@graph", d.any(depth+1))
		case 3:
			add("@reverse", d.members(d.pick("http://p", "q"), d.any(depth+1)))
		case 4:
			add("@included", d.any(depth+1))
		case 5:
			add("@nest", d.any(depth+1))
		case 6:
			add(d.pick("@index", "@foo", "@none", "@container"), d.text("", ""))
		case 7:
			add("@language", d.text("x-", ""))
		case 8:
			add(d.pick("@list", "@set"), d.any(depth+1))
		default:
			add(d.pick("http://p", "http://q", "e:p", "p", "p", "q", "r", "zz", "f:p"), d.any(depth+1))
		}
	}
	return d.members(members...)
}

// any is any value.
func (d *documents) any(depth int) func() {
	if depth > 4 {
		return d.scalar()
	}
	switch d.IntN(12) {
	case 0, 1, 2:
		return d.node(depth)
	case 3:
		var items []func()
		for range d.IntN(3) {
			items = append(items, d.any(depth+1))
		}
		return d.array(items...)
	case 4:
		return d.members("@value", d.text("", ""), "@language", d.text("x-", ""))
	case 5:
		return d.members("@value", d.text("", ""), "@type", d.iri())
	case 6:
		return d.members("@value", d.any(depth+1))
	case 7:
		return d.members(d.pick("@list", "@set"), d.any(depth+1))
	case 8:
		return d.members("@id", d.iri())
	case 9:
		return d.members(d.pick("a", "en", "p"), d.any(depth+1), d.pick("@none", "b", "http://k"), d.any(depth+1))
	default:
		return d.scalar()
	}
}
