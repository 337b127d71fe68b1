package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/records"
	"laundromat/records/extract"
)

// besideCases are trees with values beside their records.
var besideCases = []struct {
	name, file, in string
	records        []string
	beside         []string // the names of what stands beside
}{
	{"members before and behind", "a.json", `{"order":7,"items":[{"a":1},{"a":2}],"buyer":{"name":"X"}}`, []string{`{"a":1}`, `{"a":2}`},
		[]string{"order", "buyer"}},
	{"members further in", "a.json", `{"meta":1,"data":{"page":2,"rows":[{"a":1}],"more":null}}`, []string{`{"a":1}`},
		[]string{"meta", "data.page", "data.more"}},
	{"no list", "a.json", `{"a":1,"b":{"c":2}}`, []string{`{"a":1,"b":{"c":2}}`}, nil},
	{"two lists are one record", "a.json", `{"a":[{"x":1}],"b":[{"y":2}]}`, []string{`{"a":[{"x":1}],"b":[{"y":2}]}`}, nil},
	{"YAML", "a.yaml", "title: T\nitems:\n- a: 1\n- a: 2\nnote: [x, y]\n", []string{`{"a":1}`, `{"a":2}`}, []string{"title", "note"}},
	{"an element of another name", "a.xml",
		`<staff><boss><name>Ann</name></boss><worker><name>Bob</name></worker><worker><name>Cid</name></worker></staff>`,
		[]string{`{"name":"Bob"}`, `{"name":"Cid"}`}, []string{"staff/boss/name"}},
	{"another list", "a.xml", `<s><f><c>p</c><c>q</c></f><t><b>n</b><b>h</b></t></s>`, []string{`{"value":"p"}`, `{"value":"q"}`},
		[]string{"s/t/b", "s/t/b"}},
	{"attributes of the root", "a.xml", `<l v="2" xmlns="http://x" date="d"><i><a>1</a></i><i><a>2</a></i></l>`,
		[]string{`{"a":"1"}`, `{"a":"2"}`}, []string{"l/@v", "l/@date"}},
	{"text of the root", "a.xml", `<l>see <i><a>1</a></i> and <i><a>2</a></i></l>`, []string{`{"a":"1"}`, `{"a":"2"}`}, []string{"l"}},
	{"empty elements and their attributes", "a.xml", `<l><m/><n k="v"/><i a="1"/><i a="2"/></l>`, []string{`{"@a":"1"}`, `{"@a":"2"}`},
		[]string{"l/m", "l/n/@k"}},
	{"text in sections", "a.xml", `<l><t><![CDATA[a]]>b&amp;c</t><i a="1"/><i a="2"/></l>`, []string{`{"@a":"1"}`, `{"@a":"2"}`},
		[]string{"l/t"}},
	{"all elements around", "a.xml", `<a x="1"><b y="2">t<c z="3"><i n="1"/><i n="2"/></c></b></a>`, []string{`{"@n":"1"}`, `{"@n":"2"}`},
		[]string{"a/@x", "a/b", "a/b/@y", "a/b/c/@z"}},
	{"one element, as one of several", "a.xml", `<ArrayOfMakes xmlns="x"><Makes><ID>28</ID><V>Ford</V></Makes></ArrayOfMakes>`,
		[]string{`{"ID":"28","V":"Ford"}`}, nil},
	{"one element, with attributes around", "a.xml", `<books n="1"><book id="5"><t>A</t></book></books>`, []string{`{"@id":"5","t":"A"}`},
		[]string{"books/@n"}},
	{"one element further in", "a.xml", `<r><items><item><a>1</a><b>2</b></item></items></r>`, []string{`{"a":"1","b":"2"}`}, nil},
	{"one text of several", "a.xml", `<tags><tag>a</tag></tags>`, []string{`{"value":"a"}`}, nil},
	{"no list of one", "a.xml", `<person><name>A</name></person>`, []string{`{"name":"A"}`}, nil},
	{"a root with attributes is a record", "a.xml", `<order id="5"><buyer><name>A</name></buyer></order>`,
		[]string{`{"@id":"5","buyer":{"name":"A"}}`}, nil},
	{"children of a name are a list in all records", "a.xml", `<b><k><t>A</t><w>X</w></k><k><t>B</t><w>X</w><w>Y</w></k></b>`,
		[]string{`{"t":"A","w":["X"]}`, `{"t":"B","w":["X","Y"]}`}, nil},
	{"the same further in", "a.xml", `<b><k><u><w>X</w></u></k><k><u><w>X</w><w>Y</w></u></k></b>`,
		[]string{`{"u":{"w":["X"]}}`, `{"u":{"w":["X","Y"]}}`}, nil},
}

func TestWhatStandsBesideRecordsIsNamed(t *testing.T) {
	for _, c := range besideCases {
		k := read(t, c.file, c.in, extract.Options{})
		slices.Sort(k.beside)
		slices.Sort(c.beside)
		if !slices.Equal(k.records, c.records) || !slices.Equal(k.beside, c.beside) || k.lost > 0 {
			t.Errorf("%s: %s\ngot  %s\nwant %s\nbeside %q\nwant   %q", c.name, c.in, strings.Join(k.records, " "),
				strings.Join(c.records, " "), k.beside, c.beside)
		}
	}
}

func TestRecordsThatASpecNames(t *testing.T) {
	for _, c := range []struct {
		name, file, in string
		records        []string
		lost           int
	}{
		{"a list", "a.json", `{"x":[{"a":1}],"y":[{"a":2}]}`, []string{`{"a":2}`}, 0},
		{"a list of one that is its item", "a.json", `{"y":{"a":2}}`, []string{`{"a":2}`}, 0},
		{"a list of texts", "a.json", `{"y":["p","q"]}`, []string{`{"value":"p"}`, `{"value":"q"}`}, 0},
		{"an empty list", "a.json", `{"y":[]}`, nil, 0},
		{"no such list", "a.json", `{"x":[{"a":1}],"ys":[{"a":2}]}`, nil, 1},
		{"no such list in YAML", "a.yaml", "x:\n- a: 1\n", nil, 1},
		{"a list of YAML", "a.yaml", "d:\n  y:\n  - a: 1\nx:\n- a: 3\n", []string{`{"a":1}`}, 0},
		{"elements", "a.xml", `<r><x><a>1</a></x><x><a>2</a></x><y><a>3</a></y></r>`, []string{`{"a":"3"}`}, 0},
		{"no such element", "a.xml", `<r><x><a>1</a></x></r>`, nil, 1},
		{"an element in one of its name", "a.xml", `<r><y><y><a>1</a></y><b>2</b></y></r>`, []string{`{"y":{"a":"1"},"b":"2"}`}, 0},
	} {
		k := read(t, c.file, c.in, extract.Options{Source: &extract.Source{Records: "y"}})
		if !slices.Equal(k.records, c.records) || k.lost != c.lost {
			t.Errorf("%s: %s %q lost %d", c.name, k.records, k.notices, k.lost)
		}
	}
}

// A document that is too long to be held is read member by member, and nothing of it is passed over.
func TestALongObjectIsReadMemberByMember(t *testing.T) {
	item := `{"a":"` + strings.Repeat("x", 1000) + `"}`
	items := strings.Repeat(item+",", 99) + item
	in := `{"meta":{"n":1,"of":[1]},"items":[` + items + `],"more":[` + item + `],"end":"e","bad":x,"z":{"q":1}}`
	k := read(t, "a.json", in, extract.Options{MaxItem: 20 << 10})
	want := []string{"meta.n", "meta.of", "more", "end", "z"}
	if len(k.records) != 100 || !slices.Equal(k.beside, want) || k.lost != 1 {
		t.Errorf("%d records, beside %q, lost %d: %q", len(k.records), k.beside, k.lost, k.notices)
	}
	k = read(t, "a.json", in, extract.Options{MaxItem: 20 << 10, Source: &extract.Source{Records: "more"}})
	if len(k.records) != 1 || k.lost != 2 {
		t.Errorf("%d records, beside %q, lost %d: %q", len(k.records), k.beside, k.lost, k.notices)
	}
}

// grown is a tree that bytes say the shape of, with a text of its own for each value.
type grown struct {
	bytes []byte
	n     int
}

func (g *grown) next(most int) int {
	if len(g.bytes) == 0 {
		return 0
	}
	b := int(g.bytes[0])
	g.bytes = g.bytes[1:]
	return b % most
}

func (g *grown) value(depth int) records.Value {
	kind := g.next(5)
	if depth > 4 || kind < 2 && depth > 0 {
		g.n++
		return records.TextOf(fmt.Sprintf("v%dv", g.n))
	}
	var v records.Value
	if v.Kind = records.Object; kind == 4 {
		v.Kind = records.List
	}
	for i := range 1 + g.next(4) {
		member := g.value(depth + 1)
		if v.Kind == records.List {
			v.Items = append(v.Items, member)
			continue
		}
		v.Fields = append(v.Fields, records.Field{Name: string(rune('a'+i)) + string(rune('a'+g.next(3))), Value: member})
	}
	return v
}

// block writes a value as YAML in lines.
func block(b *strings.Builder, v *records.Value, indent string) {
	for i := range v.Items {
		b.WriteString("\n" + indent + "-")
		inner(b, &v.Items[i], indent)
	}
	for i := range v.Fields {
		b.WriteString("\n" + indent + v.Fields[i].Name + ":")
		inner(b, &v.Fields[i].Value, indent)
	}
}

func inner(b *strings.Builder, v *records.Value, indent string) {
	if v.Kind == records.Text {
		b.WriteString(" " + v.Text)
		return
	}
	block(b, v, indent+"  ")
}

// markupOf writes a value as XML: some members are attributes, the items of a list have one name.
func markupOf(b *strings.Builder, name string, v *records.Value) {
	b.WriteString("<" + name)
	for i := range v.Fields {
		if f := &v.Fields[i]; f.Value.Kind == records.Text && f.Name[1] == 'a' {
			b.WriteString(" " + f.Name + `="` + f.Value.Text + `"`)
		}
	}
	b.WriteString(">")
	if v.Kind == records.Text {
		b.WriteString(v.Text)
	}
	for i := range v.Items {
		markupOf(b, "i", &v.Items[i])
	}
	for i := range v.Fields {
		f := &v.Fields[i]
		switch {
		case f.Value.Kind != records.Text:
			markupOf(b, f.Name, &f.Value)
		case f.Name[1] == 'b':
			markupOf(b, f.Name, &f.Value)
		case f.Name[1] == 'c':
			b.WriteString(f.Value.Text)
		}
	}
	b.WriteString("</" + name + ">")
}

// texts are the texts in a value.
func texts(v *records.Value) (all []string) {
	if v.Kind == records.Text {
		return []string{v.Text}
	}
	for i := range v.Items {
		all = append(all, texts(&v.Items[i])...)
	}
	for i := range v.Fields {
		all = append(all, texts(&v.Fields[i].Value)...)
	}
	return all
}

// under are the texts of the members that a name leads to.
func under(v *records.Value, name string) (all []string) {
	for i := range v.Fields {
		f := &v.Fields[i]
		if f.Name == name {
			all = append(all, texts(&f.Value)...)
		}
		if rest, ok := strings.CutPrefix(name, f.Name+"."); ok {
			all = append(all, under(&f.Value, rest)...)
		}
	}
	return all
}

// FuzzEveryMemberIsInARecordOrNamed: each value of a sound tree is in a record or named as beside. The name may be
// that of what it is in.
func FuzzEveryMemberIsInARecordOrNamed(f *testing.F) {
	for _, seed := range []string{"", "\x02\x03\x00\x00\x01\x04\x02\x02", "\x02\x02\x04\x01\x02\x00\x00\x02\x00", "abcdefghijklmnop",
		"\x03\x03\x04\x02\x03\x01\x01\x02\x03\x01\x00\x00\x01\x01"} {
		f.Add([]byte(seed), "")
		f.Add([]byte(seed), "aa")
	}
	f.Fuzz(func(t *testing.T, shape []byte, name string) {
		if len(shape) > 1000 {
			return
		}
		g := &grown{bytes: shape}
		v := g.value(0)
		var lines, xml strings.Builder
		block(&lines, &v, "")
		markupOf(&xml, "root", &v)
		for _, in := range [][2]string{{"a.json", string(v.AppendJSON(nil))}, {"a.yaml", lines.String()},
			{"b.yaml", string(v.AppendJSON(nil))}, {"a.xml", xml.String()}} {
			k := read(t, in[0], in[1], extract.Options{Source: &extract.Source{Records: name}})
			found := strings.Join(k.records, "\n") + strings.Join(k.excerpts, "\n")
			for _, told := range k.beside {
				found += strings.Join(under(&v, told), " ")
			}
			for _, text := range texts(&v) {
				if !strings.Contains(found, text) {
					t.Fatalf("%s is lost: %s\n%s\n%q", text, in[1], strings.Join(k.records, "\n"), k.notices)
				}
			}
		}
	})
}
