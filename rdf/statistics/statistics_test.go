package statistics

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/commonprefix"
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// count counts lines, in calls of so many lines.
func count(lines []string, atOnce int) *Statistics { return countBy(New(), lines, atOnce).Statistics() }

func countBy(c *Counter, lines []string, atOnce int) *Counter {
	before := ""
	for part := range slices.Chunk(lines, atOnce) {
		var text []byte
		var ends, shared []int
		for _, line := range part {
			line += "\n"
			text = append(text, line...)
			ends = append(ends, len(text))
			shared = append(shared, min(mostShared, commonprefix.Common([]byte(before), []byte(line), 0)))
			before = line
		}
		c.Lines(text, ends, shared)
		clear(text)
	}
	return c
}

// recount counts what a reader of N-Quads makes of the lines, in no order, with tables of everything.
func recount(t testing.TB, lines []string) *Statistics {
	r := &recounter{triples: map[string]bool{}, sets: map[string]map[string]int64{}, subjects: map[[2]string]bool{},
		classesOf: map[string][]string{}, triplesOf: map[string]int64{}}
	text := strings.NewReader(strings.Join(lines, "\n") + "\n")
	_, err := ttl.Read(context.Background(), text, rdf.Input{}, ttl.Options{Syntax: ttl.NQuads}, r)
	if err != nil || r.fault != "" {
		t.Fatalf("%v %s", err, r.fault)
	}
	return r.statistics()
}

type recounter struct {
	fault     string
	s         Statistics
	triples   map[string]bool
	sets      map[string]map[string]int64
	subjects  map[[2]string]bool // property and subject
	classesOf map[string][]string
	triplesOf map[string]int64
}

func (r *recounter) Notice(n fault.Notice) {
	if n.Severity == fault.Drop {
		r.fault = n.Message
	}
}

func (r *recounter) in(set, name string) {
	if r.sets[set] == nil {
		r.sets[set] = map[string]int64{}
	}
	r.sets[set][name]++
}

func term(t *rdf.Term) string { return string(rdf.AppendTerm(nil, t)) }

func (r *recounter) Quad(q *rdf.Quad) error {
	r.s.Statements++
	if q.Graph.Kind == rdf.NoTerm {
		r.s.InDefaultGraph++
	} else {
		r.in("graphs", term(&q.Graph))
	}
	s, p, o := term(&q.Subject), string(q.Predicate.Value), term(&q.Object)
	if r.triples[s+" "+p+" "+o] {
		return nil
	}
	r.triples[s+" "+p+" "+o] = true
	r.s.Triples++
	r.in("subjects", s)
	r.in("properties", p)
	r.in("objects", o)
	r.triplesOf[s]++
	r.subjects[[2]string{p, s}] = true
	switch q.Object.Kind {
	case rdf.IRI:
		r.s.IRIs++
		if p == rdf.Type {
			r.classesOf[s] = append(r.classesOf[s], string(q.Object.Value))
			r.in("classes", string(q.Object.Value))
			break
		}
		host, own := hostByURL(string(q.Object.Value)), ""
		if q.Subject.Kind == rdf.IRI {
			own = hostByURL(string(q.Subject.Value))
		}
		if host != "" && host != own {
			r.in("hosts", host)
		}
	case rdf.BlankNode:
		r.s.BlankNodes++
	case rdf.Literal:
		r.s.Literals++
		r.in("datatypes", literalType(&q.Object))
		if len(q.Object.Language) > 0 {
			r.in("languages", string(q.Object.Language))
		}
	default:
		r.s.TripleTerms++
	}
	return nil
}

func literalType(t *rdf.Term) string {
	switch {
	case len(t.Language) > 0 && t.Direction != rdf.NoDirection:
		return rdf.DirLangString
	case len(t.Language) > 0:
		return rdf.LangString
	case len(t.Datatype) == 0:
		return rdf.String
	}
	return string(t.Datatype)
}

func hostByURL(iri string) string {
	u, err := url.Parse(iri)
	if err != nil || u.Scheme == "" {
		return ""
	}
	if strings.HasPrefix(u.Path, "/.well-known/genid/") {
		return ""
	}
	name := strings.ToLower(u.Hostname())
	if strings.HasPrefix(u.Host, "[") {
		return "[" + name + "]"
	}
	return name
}

func (r *recounter) statistics() *Statistics {
	s := &r.s
	s.Subjects, s.Properties, s.Objects, s.Classes, s.Graphs = int64(len(r.sets["subjects"])), int64(len(r.sets["properties"])),
		int64(len(r.sets["objects"])), int64(len(r.sets["classes"])), int64(len(r.sets["graphs"]))
	named := func(set string) []Name {
		list := []Name{}
		for name, n := range r.sets[set] {
			list = append(list, Name{name, n})
		}
		slices.SortFunc(list, func(a, b Name) int { return order(a.Triples, b.Triples, a.Name, b.Name) })
		return list
	}
	s.Datatypes, s.Languages, s.Hosts = named("datatypes"), named("languages"), named("hosts")
	s.ByProperty, s.ByClass, s.Vocabularies = []Property{}, []Class{}, []Vocabulary{}
	subjects, triples := map[string]int64{}, map[string]int64{}
	for pair := range r.subjects {
		subjects[pair[0]]++
	}
	for subject, classes := range r.classesOf {
		for _, class := range classes {
			triples[class] += r.triplesOf[subject]
		}
	}
	spaces := map[string]Vocabulary{}
	for _, p := range named("properties") {
		s.ByProperty = append(s.ByProperty, Property{p.Name, p.Triples, subjects[p.Name]})
		v := spaces[namespace(p.Name)]
		spaces[namespace(p.Name)] = Vocabulary{namespace(p.Name), v.Properties + 1, v.Classes, v.Triples + p.Triples}
	}
	for _, c := range named("classes") {
		s.ByClass = append(s.ByClass, Class{c.Name, c.Triples, triples[c.Name]})
		v := spaces[namespace(c.Name)]
		spaces[namespace(c.Name)] = Vocabulary{namespace(c.Name), v.Properties, v.Classes + 1, v.Triples + c.Triples}
	}
	slices.SortFunc(s.ByClass, func(a, b Class) int { return order(a.Triples, b.Triples, a.IRI, b.IRI) })
	for _, v := range spaces {
		s.Vocabularies = append(s.Vocabularies, v)
	}
	slices.SortFunc(s.Vocabularies, func(a, b Vocabulary) int { return order(a.Triples, b.Triples, a.Namespace, b.Namespace) })
	return s
}

func asJSON(t testing.TB, s any) string {
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// same checks that both count the same, however the lines are cut into calls.
func same(t testing.TB, lines []string) {
	t.Helper()
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if len(lines) == 0 {
		return
	}
	want := asJSON(t, recount(t, lines))
	read, err := Read(strings.NewReader(strings.Join(lines, "\n") + "\n"))
	if err != nil || asJSON(t, read) != want {
		t.Fatalf("read: %v, %s\nwant\n%s", err, asJSON(t, read), want)
	}
	counter := New()
	counter.KeepLabels(LabelOptions{Most: 3})
	terms := asJSON(t, countBy(counter, lines, 2).Terms())
	counter.Reset()
	counter.KeepLabels(LabelOptions{Most: 3})
	again := countBy(counter, lines, 2).Statistics()
	if got := asJSON(t, again.Terms()); got != terms {
		t.Fatalf("terms %s, of statistics of a counter that is used again %s", terms, got)
	}
	again.Labels, again.LabelsLeft = nil, 0
	if got := asJSON(t, again); got != want {
		t.Fatalf("used again, it counted\n%s\nwant\n%s", got, want)
	}
	for _, atOnce := range []int{1, 3, 1 << 20} {
		if got := asJSON(t, count(lines, atOnce)); got != want {
			t.Fatalf("%d lines at once: counted\n%s\nwant\n%s\nof\n%s", atOnce, got, want, strings.Join(lines, "\n"))
		}
	}
}

func TestCountsAreThoseOfAReaderOfTheLines(t *testing.T) {
	for name, text := range map[string]string{
		"one": "<http://a/s> <http://v/p> \"x\" .",
		"a literal of quotes": `<http://a/s> <http://v/p> "\" <x> .\" _:b" .` + "\n" +
			`<http://a/s> <http://v/p> "a <b"^^<http://v/d> <http://g> .`,
		"a space before an at": `<http://a/s> <http://v/p> "a _:b"@en .` + "\n" + `<http://a/s> <http://v/p> "_:b"@en--ltr _:g .`,
		"graphs": "<http://a/s> <http://v/p> <http://b/o> .\n<http://a/s> <http://v/p> <http://b/o> <http://g/1> .\n" +
			"<http://a/s> <http://v/p> <http://b/o> <http://g/2> .\n<http://a/s> <http://v/p> <http://b/o> _:g .",
		"a beginning of another": "<http://a/s> <http://v/p> \"x\" .\n<http://a/s1> <http://v/p> \"x\" .\n<http://a/s> <http://v/p1> \"x1\" .\n" +
			"_:b <http://v/p> _:b .\n_:b1 <http://v/p> _:b1 .",
		"classes": "<http://a/s> <" + rdf.Type + "> <http://v#C> .\n<http://a/s> <" + rdf.Type + "> <http://v#D> .\n" +
			"<http://a/s> <http://v#p> \"1\"^^<" + rdf.XSD + "integer> .\n_:x <" + rdf.Type + "> <http://v#C> <http://g> .\n" +
			"_:x <" + rdf.Type + "> _:y .\n_:x <" + rdf.Type + "> \"C\" .",
		"hosts": "<http://a/s> <http://v/p> <http://A:80/o> .\n<http://a/s> <http://v/p> <http://u:p@b:80/o> .\n" +
			"<urn:a:s> <http://v/p> <http://a/o> .\n" +
			"<http://a/s> <http://v/p> <urn:x:http://c/> .\n<http://a/s> <http://v/p> <http://[::1]:8/> .\n" +
			"<http://a/s> <http://v/p> <mailto:a@b> .",
		"blank nodes as IRIs": "<http://a/.well-known/genid/x> <http://v/p> <http://a/o> .\n" +
			"<http://a/s> <http://v/p> <http://c/.well-known/genid/x> .\n<http://a/s> <http://v/p> <http://c/x/.well-known/genid/x> .",
		"triple terms": `<http://a/s> <` + rdf.Reifies + `> <<( <http://a/s> <http://v/p> "x )>> <y" )>> .` + "\n" +
			`<http://a/s> <` + rdf.Reifies + `> <<( <http://a/s> <http://v/p> <http://o> )>> <http://g> .`,
		"long": "<http://a/s> <http://v/p> \"" + strings.Repeat("x", mostShared+9) + "\" .\n<http://a/s> <http://v/p> \"" +
			strings.Repeat("x", mostShared+9) + "y\" .\n<http://a/s> <http://" +
			"v/p> \"" + strings.Repeat("x", mostShared+9) + "y\" <http://g> .\n" +
			"<http://a/s" + strings.Repeat("s", mostShared) + "> <http://v/p> \"\" .\n<http://a/s" + strings.Repeat("s", mostShared) +
			"1> <http://v/p> \"\" .",
	} {
		t.Run(name, func(t *testing.T) { same(t, strings.Split(text, "\n")) })
	}
}

// FuzzCounts makes lines of few terms, so that they have much in common.
func FuzzCounts(f *testing.F) {
	terms := [3][]string{
		{"<http://a/s>", "<http://a/s1>", "_:s", "<http://b/s>", "<urn:s:1>", "_:s1"},
		{"<" + rdf.Type + ">", "<http://v/p>", "<http://v/p1>", "<http://v#p>", "<urn:p>", "<http://w/>"},
		{"<http://a/s>", "<http://b/s>", "_:s", `"x"`, `"x"@en`, `"x"@en--rtl`, `"x <y> _:z ."`, `"x\""^^<http://v/d>`, `"x _:y"@de`,
			`<<( <http://a/s> <http://v/p> "x" )>>`, `"<a"^^<http://v/d>`, `"http://c/"`, "<HTTP://C:8/>", "<http://v#C>"},
	}
	graphs := []string{"", "<http://g>", "_:g", "<http://g1>"}
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz"))
	f.Fuzz(func(t *testing.T, choice []byte) {
		var lines []string
		for len(choice) >= 2 && len(lines) < 64 {
			n := int(binary.LittleEndian.Uint16(choice))
			choice = choice[2:]
			var line []string
			for _, of := range terms {
				line = append(line, of[n%len(of)])
				n /= len(of)
			}
			if g := graphs[n%len(graphs)]; g != "" {
				line = append(line, g)
			}
			lines = append(lines, strings.Join(line, " ")+" .")
		}
		same(t, lines)
	})
}

// FuzzRead reads texts of any kind: what is no line is an error, and nothing is a crash.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"", "one\n", "<a> <b> <c> .\n", "<a> <b> \"c\"^^<d> <g> .\n", "<a> <b> <<( <a> <b> \"c\" )>> _:g .\n",
		"<a> <b> \"c .\n",
		"<http://a:b@c> <" + rdf.Type + "> <d:// .\n", "<a> <b> \" <c> .\n", "<a> <b> <c> .", "_:a <b> _: .\n", "<a> <b> <> .\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(strings.NewReader(text))
		if err == nil && s.Statements != int64(strings.Count(text, "\n")) {
			t.Errorf("%d statements of %q", s.Statements, text)
		}
	})
}

// TestCountsOfRealFilesAreThoseOfASecondProgram, which reads the clean lines.
func TestCountsOfRealFilesAreThoseOfASecondProgram(t *testing.T) {
	files, statements := 0, int64(0)
	err := filepath.WalkDir(rdftest.Shared(t, "real"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || len(text) > 4<<20 || !bytes.ContainsAny(text, "<{") {
			return err
		}
		var lines []string
		first, _ := clean.Chain(clean.Options{}, clean.EachLine(func(line []byte) error {
			lines = append(lines, strings.ReplaceAll(string(line), "\x01", "key")) // which the sort fills in
			return nil
		}), func(fault.Notice) {})
		guessed := format.Guess(text[:min(len(text), 64<<10)], len(text) <= 64<<10, "", name)
		if guessed.Format == "" {
			return nil
		}
		opt := format.Options{Input: rdf.Input{Base: "http://example.org/" + filepath.Base(name)}, Guessed: true}
		_, err = format.Parse(context.Background(), guessed.Format, bytes.NewReader(text), opt, first)
		if err != nil || len(lines) == 0 {
			return nil // no RDF
		}
		same(t, lines)
		files, statements = files+1, statements+int64(len(lines))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d statements", files, statements)
	if files < 310 {
		t.Errorf("only %d files have statements", files)
	}
}

// TestBeyondTheLimitsNumbersAreEstimatesThatSaySo counts more values than are told apart.
func TestBeyondTheLimitsNumbersAreEstimatesThatSaySo(t *testing.T) {
	const many = 3 * MaxDistinct
	var lines []string
	for i := range many {
		lines = append(lines, fmt.Sprintf("<http://a/%07d> <http://v/p%d> \"%d\" <http://g/%d> .", i, i, i, i))
	}
	s := count(lines, 1000)
	near := func(what string, n int64) {
		if n < many*97/100 || n > many*103/100 {
			t.Errorf("%d %s, want about %d", n, what, many)
		}
	}
	near("objects", s.Objects)
	near("graphs", s.Graphs)
	near("properties", s.Properties)
	if s.Subjects != many || s.Triples != many || len(s.ByProperty) != MaxDistinct {
		t.Errorf("%d subjects, %d triples, %d properties in the list", s.Subjects, s.Triples, len(s.ByProperty))
	}
	if want := []string{"objects", "graphs", "by_property"}; !slices.Equal(s.Estimated, want) {
		t.Errorf("estimated are %q, want %q", s.Estimated, want)
	}
	if len(s.LeftOut) != 1 || s.LeftOut[0].List != "by_property" || s.LeftOut[0].Triples != many-MaxDistinct {
		t.Errorf("left out are %+v", s.LeftOut)
	}
	long := strings.Repeat("x", 1<<20)
	lines = lines[:0]
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("<http://a/%02d> <http://v/%02d%s> \"\" .", i, i, long))
	}
	s = count(lines, 1)
	if s.Properties != 40 || len(s.ByProperty) != 15 || len(s.LeftOut) != 1 || s.LeftOut[0].Names != 25 || len(s.Estimated) != 0 {
		t.Errorf("%d properties, %d in the list, %+v, %q", s.Properties, len(s.ByProperty), s.LeftOut, s.Estimated)
	}
}
