package format_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// A shape is a document of one statement, <http://e/s> <http://e/p> and a reference as its
// object. It stands for § as the format writes text; ¶ is the place of notices about it.
type shape struct {
	of     format.Format
	text   string
	escape func(string) string
}

var shapes = []shape{
	{format.NTriples, "<http://e/s> <http://e/p> ¶<§> .\n", angled},
	{format.NQuads, "<http://e/s> <http://e/p> ¶<§> <http://e/g> .\n", angled},
	{format.Turtle, "<http://e/s> <http://e/p> ¶<§> .\n", angled},
	{format.TriG, "<http://e/g> { <http://e/s> <http://e/p> ¶<§> }\n", angled},
	{format.RDFXML, `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/s"><e:p ¶rdf:resource="§"/></rdf:Description></rdf:RDF>`,
		markup},
	{format.TriX, `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri>¶<uri>§</uri></triple></graph></TriX>`,
		markup},
	{format.JSONLD, `{"@id":"http://e/s","http://e/p":¶{"@id":§}}`, quoted},
	{format.RDFJSON, `{"http://e/s":{"http://e/p":[¶{"type":"uri","value":§}]}}`, quoted},
	{format.RDFa, `<p about="http://e/s">¶<a rel="http://e/p" href="§">a</a></p>`, markup},
	{format.HTML, `<div itemscope itemid="http://e/s" itemtype="http://e/T">¶<a itemprop="http://e/p" href="§">a</a></div>`, markup},
}

func angled(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < ' ' || r == 0x85 {
			fmt.Fprintf(&b, `\u%04X`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func markup(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < ' ' {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteString(html.EscapeString(string(r)))
		}
	}
	return b.String()
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// document is the text with a reference in it, and the column of its notices.
func (s *shape) document(ref string) (text string, column int64) {
	before, _, _ := strings.Cut(s.text, "¶")
	return strings.NewReplacer("¶", "", "§", s.escape(ref)).Replace(s.text), int64(len(before)) + 1
}

// outcome is the object that is kept, "" if it is lost, and the code that reports it.
type outcome struct {
	object string
	code   fault.Code
}

const inFolder = "<http://e/d/"

// references are what publishers wrote where an IRI is due, with what comes of it, by format
// where that differs.
var references = []struct {
	ref  string
	want outcome
	but  map[format.Format]outcome
}{
	{"_:x", outcome{"_:x", fault.BlankNodeIRI}, map[format.Format]outcome{format.JSONLD: {"_:x", ""},
		format.RDFJSON: {"_:x", fault.RDFJSONType}}},
	{"_:x9-y.z", outcome{"_:x9-y.z", fault.BlankNodeIRI}, map[format.Format]outcome{format.JSONLD: {"_:x9-y.z", ""},
		format.RDFJSON: {"_:x9-y.z", fault.RDFJSONType}}},
	{"_:é", outcome{"_:é", fault.BlankNodeIRI}, map[format.Format]outcome{format.JSONLD: {"_:é", ""},
		format.RDFJSON: {"_:é", fault.RDFJSONType}}},
	{"_:x#y", outcome{inFolder + "_:x#y>", fault.IRINoReference}, map[format.Format]outcome{format.JSONLD: other, format.RDFJSON: other}},
	{"1a:b", outcome{inFolder + "1a:b>", fault.IRINoReference}, nil},
	{"ex_1:y", outcome{inFolder + "ex_1:y>", fault.IRINoReference}, nil},
	{"é:y", outcome{inFolder + "é:y>", fault.IRINoReference}, nil},
	{":y", outcome{inFolder + ":y>", fault.IRINoReference}, nil},
	{"foo bar:x", outcome{inFolder + "foo%20bar:x>", fault.IRINoReference}, nil},
	{"url(http://e/y)", outcome{inFolder + "url(http://e/y)>", fault.IRINoReference},
		map[format.Format]outcome{format.JSONLD: {"", fault.IRINoReference}}},
	{`URI("http://e/y")`, outcome{inFolder + "URI(%22http://e/y%22)>", fault.IRINoReference},
		map[format.Format]outcome{format.JSONLD: {"", fault.IRINoReference}}},
	{"www.example.org", outcome{inFolder + "www.example.org>", fault.IRIUnlikely}, nil},
	{"example.org/y", outcome{inFolder + "example.org/y>", fault.IRIUnlikely}, nil},
	{"http//e/y", outcome{inFolder + "http//e/y>", fault.IRIUnlikely}, nil},
	{"ann@example.org", outcome{inFolder + "ann@example.org>", fault.IRIUnlikely}, nil},
	{"null", outcome{inFolder + "null>", fault.IRIUnlikely}, nil},
	{"N/A", outcome{inFolder + "N/A>", fault.IRIUnlikely}, nil},
	{"undefined", outcome{inFolder + "undefined>", fault.IRIUnlikely}, nil},
	{"\thttp://e/o", outcome{"<http://e/o>", fault.IRITrimmed}, silent},
	{"http://e/o\n", outcome{"<http://e/o>", fault.IRITrimmed}, silent},
	{" o ", outcome{inFolder + "o>", fault.IRITrimmed}, silent},
	{"\n#o", outcome{"<http://e/d/x#o>", fault.IRITrimmed}, silent},
	{"\u0085http://e/o", outcome{"<http://e/o>", fault.IRITrimmed}, nil},
	{"\u00A0http://e/o\u3000", outcome{"<http://e/o>", fault.IRITrimmed}, nil},
	{"\uFEFFhttp://e/o", outcome{"<http://e/o>", fault.IRITrimmed}, nil},
	{"a/b:c", outcome{inFolder + "a/b:c>", ""}, nil},
	{"./a:b", outcome{inFolder + "a:b>", ""}, nil},
	{"#a:b", outcome{"<http://e/d/x#a:b>", ""}, nil},
	{"none", outcome{inFolder + "none>", ""}, nil},
	{"notes.org", outcome{inFolder + "notes.org>", ""}, nil},
}

// other says that a format knows more labels than most; the case is left to it.
var other = outcome{"?", ""}

// silent has the formats in which an anyURI or a link may have white space around it.
var silent = map[format.Format]outcome{format.TriX: {"", ""}, format.RDFa: {"", ""}, format.HTML: {"", ""}}

// lineFormats have no relative references, so that one is repaired, and what is none is lost.
func (o outcome) inLines() outcome {
	if o.code == fault.IRINoReference {
		o.object = ""
	}
	return o
}

var ours = []fault.Code{fault.IRINoReference, fault.IRIUnlikely, fault.IRITrimmed, fault.BlankNodeIRI, fault.RDFJSONType, fault.IRINoBase}

func washReference(t *testing.T, s *shape, ref string, how clean.Options) (object string, found []fault.Notice, w lawful) {
	t.Helper()
	text, _ := s.document(ref)
	how.KeepBlankNodes, how.HasAnonymous = true, s.of != format.NTriples && s.of != format.NQuads
	w, err := washLawfully(how, s.of, format.Options{Input: rdf.Input{Base: "http://e/d/x"}}, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	account(w, func(f string, args ...any) { t.Errorf("%s %q: "+f, slices.Concat([]any{s.of, ref}, args)...) })
	for _, line := range w.lines {
		if rest, ok := strings.CutPrefix(line, "<http://e/s> <http://e/p> "); ok {
			object, _, _ = strings.Cut(rest, " ")
		}
	}
	for _, n := range w.notices {
		if slices.Contains(ours, n.Code) {
			found = append(found, n)
		}
	}
	return object, found, w
}

func TestAReferenceMeansTheSameInEveryFormat(t *testing.T) {
	for i := range shapes {
		for _, c := range references {
			s, want := &shapes[i], c.want
			if s.of == format.NTriples || s.of == format.NQuads {
				want = want.inLines()
			}
			if but, ok := c.but[s.of]; ok && but == other {
				continue
			} else if ok && but.object == "" && but.code == "" {
				want.code = ""
			} else if ok {
				want = but
			}
			object, found, _ := washReference(t, s, c.ref, clean.Options{})
			text, column := s.document(c.ref)
			if object != want.object {
				t.Errorf("%s %q: %s, want %s", s.of, text, object, want.object)
			}
			switch {
			case want.code == "" && len(found) > 0, want.code != "" && (len(found) != 1 || found[0].Code != want.code):
				t.Errorf("%s %q: found %v, want %q", s.of, text, found, want.code)
			case want.code == "" || found[0].Line == 1 && found[0].Column >= column && found[0].Column <= column+
				int64(len(`rdf:resource="`)):
			default:
				t.Errorf("%s %q: told at %d:%d, want 1:%d", s.of, text, found[0].Line, found[0].Column, column)
			}
			// With --strict, a repair loses the statement, and what is reported is reported.
			strictly, told, w := washReference(t, s, c.ref, clean.Options{Strict: true})
			if repaired := slices.ContainsFunc(w.notices,
				func(n fault.Notice) bool { return n.Severity == fault.Drop }); (strictly == "") != repaired || len(told) < len(found) {
				t.Errorf("%s %q, strictly: %q, %v", s.of, text, strictly, w.notices)
			}
		}
	}
}

// misplacedLabels are documents in which _:x is where an IRI is due, and where the format has it.
var misplacedLabels = map[format.Format]string{
	format.NTriples: "<http://e/s> <http://e/p> <_:x> .\n_:x <http://e/q> \"a\" .\n",
	format.NQuads:   "<http://e/s> <http://e/p> <_:x> <_:x> .\n_:x <http://e/q> \"a\" _:x .\n",
	format.Turtle:   "<http://e/s> <http://e/p> <_:x> .\n_:x <http://e/q> \"a\" .\n",
	format.TriG:     "<_:x> { <http://e/s> <http://e/p> <_:x> }\n_:x { _:x <http://e/q> \"a\" }\n",
	format.RDFXML: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/s"><e:p rdf:resource="_:x"/></rdf:Description>
		<rdf:Description rdf:nodeID="x"><e:q>a</e:q></rdf:Description></rdf:RDF>`,
	format.TriX: `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><uri>_:x</uri></triple>
		<triple><id>x</id><uri>http://e/q</uri><plainLiteral>a</plainLiteral></triple></graph></TriX>`,
	format.JSONLD:  `[{"@id":"http://e/s","http://e/p":{"@id":" _:x"}},{"@id":"_:x","http://e/q":"a"}]`,
	format.RDFJSON: `{"http://e/s":{"http://e/p":[{"type":"uri","value":"_:x"}]},"_:x":{"http://e/q":[{"type":"literal","value":"a"}]}}`,
	format.RDFa:    `<p about="http://e/s"><a rel="http://e/p" href="_:x">a</a></p><p about="_:x" property="http://e/q">a</p>`,
}

func TestALabelInPlaceOfAnIRIIsItsNode(t *testing.T) {
	for of, text := range misplacedLabels {
		for _, keep := range []bool{true, false} {
			how := clean.Options{KeepBlankNodes: keep, HasAnonymous: of != format.NTriples && of != format.NQuads}
			w, err := washLawfully(how, of, format.Options{Input: rdf.Input{Base: "http://e/d/x"}}, strings.NewReader(text))
			if err != nil || len(w.lines) != 2 || w.tally.Repaired == 0 {
				t.Errorf("%s: %v, %q", of, err, w.lines)
				continue
			}
			_, node, _ := strings.Cut(w.lines[0], "<http://e/p> ")
			node, _, _ = strings.Cut(node, " ")
			if !strings.HasPrefix(w.lines[1], node+" ") || strings.HasPrefix(node, "_:") != keep {
				t.Errorf("%s: %q are two nodes", of, w.lines)
			}
		}
	}
}

func TestNoBlankNodeStandsWhereOnlyAnIRIMay(t *testing.T) {
	for of, texts := range map[format.Format][]string{
		format.NTriples: {"<http://e/s> <_:p> \"a\" .\n", "<http://e/s> <http://e/p> \"a\"^^<_:d> .\n"},
		format.Turtle: {"<http://e/s> <_:p> \"a\" .\n", "<http://e/s> <http://e/p> \"a\"^^<_:d> .\n", "@prefix e: <_:n> .\n",
			"@base <_:b> .\n", "<< <http://e/s> <_:p> \"a\" >> <http://e/p> <http://e/o> .\n"},
		format.RDFXML: {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/s"><e:p rdf:datatype="_:d">a</e:p></rdf:Description></rdf:RDF>`},
		format.TriX: {`<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://e/s</uri><uri>_:p</uri><uri>http://e/o</uri></triple></graph></TriX>`,
			`<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><typedLiteral datatype="_:d">a</typedLiteral></triple></graph></TriX>`},
		format.JSONLD:  {`{"@id":"http://e/s","_:p":"a"}`},
		format.RDFJSON: {`{"http://e/s":{"http://e/p":[{"type":"literal","value":"a","datatype":"_:d"}]}}`},
	} {
		for _, text := range texts {
			w, err := washLawfully(clean.Options{}, of, format.Options{Input: rdf.Input{Base: "http://e/d/x"}}, strings.NewReader(text))
			told := slices.ContainsFunc(w.notices, func(n fault.Notice) bool {
				return n.Code == fault.BlankNodePlace &&
					n.Severity == fault.Drop
			})
			repaired := slices.ContainsFunc(w.notices, func(n fault.Notice) bool { return n.Severity == fault.Repair })
			if err != nil || len(w.lines) > 0 && of != format.Turtle || !told || repaired {
				t.Errorf("%s %q: %v, %q, %v", of, text, err, w.lines, w.notices)
			}
		}
	}
}

func TestNamesThatRunIntoAHostAreTold(t *testing.T) {
	for of, text := range map[format.Format]string{
		format.Turtle:  "@prefix e: <http://example.org> .\n<http://e/s> e:a e:b ; e:/c e:#d .\n",
		format.TriG:    "PREFIX e: <http://example.org>\n{ <http://e/s> e:a e:b }\n",
		format.RDFXML:  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org"><rdf:Description rdf:about="http://e/s"><e:a>a</e:a><e:b>b</e:b></rdf:Description></rdf:RDF>`,
		format.TriX:    `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/" xmlns:e="http://example.org"><graph><triple><uri>http://e/s</uri><qname>e:a</qname><qname>e:b</qname></triple></graph></TriX>`,
		format.JSONLD:  `{"@context":{"@vocab":"http://example.org"},"@id":"http://e/s","a":"a","b":"b"}`,
		format.RDFa:    `<p about="http://e/s" vocab="http://example.org"><b property="a">a</b><b property="b">b</b></p>`,
		format.RDFJSON: "",
	} {
		if text == "" {
			continue // it has no prefixes
		}
		w, err := washLawfully(clean.Options{}, of, format.Options{Input: rdf.Input{Base: "http://e/d/x"}}, strings.NewReader(text))
		told := 0
		for _, n := range w.notices {
			if n.Code == fault.IRINamespaceEnd {
				told++
			}
		}
		if err != nil || told != 1 || w.tally.Kept == 0 || w.tally.Repaired > 0 {
			t.Errorf("%s: %v, told %d times, %q, %v", of, err, told, w.lines, w.notices)
		}
	}
}

// TestReferencesMadeByRule makes references of each kind, whose outcome the rule gives.
func TestReferencesMadeByRule(t *testing.T) {
	random := rand.New(rand.NewPCG(0x1D2, 0))
	word := func(letters string) string {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			r := []rune(letters)
			b.WriteRune(r[random.IntN(len(r))])
		}
		return b.String()
	}
	seen := map[string]int{}
	for range 400 {
		s := &shapes[random.IntN(len(shapes))]
		inLines := s.of == format.NTriples || s.of == format.NQuads
		switch random.IntN(3) {
		case 0: // a label
			seen["label"]++
			label := word("abcXYZ019_äλ") + word("ab_-1")
			object, found, _ := washReference(t, s, "_:"+label, clean.Options{})
			if object != "_:"+label || (len(found) == 1) == (s.of == format.JSONLD) {
				t.Errorf("%s _:%s: %s, %v", s.of, label, object, found)
			}
		case 1: // what is before the colon is no scheme (RFC 3986 §3.1)
			seen["no reference"]++
			ref := word("019-+_é") + word("abc") + ":" + word("abc/12")
			object, found, _ := washReference(t, s, ref, clean.Options{})
			if strings.HasPrefix(ref, "_:") {
				continue
			}
			lost := inLines || s.of == format.JSONLD && strings.Contains(ref, "://")
			if (object == "") != lost || len(found) != 1 || found[0].Code != fault.IRINoReference {
				t.Errorf("%s %q: %s, %v", s.of, ref, object, found)
			}
		default: // white space around what is sound
			seen["white space"]++
			ref := []string{"http://e/", "urn:x:", "a/", "#", "../", "?"}[random.IntN(6)] + word("abc019")
			around := word("\t\n\r ") + ref + []string{"", word("\t\n\r \u0085")}[random.IntN(2)]
			plain, none, _ := washReference(t, s, ref, clean.Options{})
			object, found, _ := washReference(t, s, around, clean.Options{})
			if object != plain || plain == "" || len(none) > 0 || len(found) > 1 || len(found) == 1 && found[0].Code != fault.IRITrimmed {
				t.Errorf("%s %q: %s, %v; without it %s, %v", s.of, around, object, found, plain, none)
			}
		}
	}
	for kind, n := range seen {
		if n < 100 {
			t.Errorf("only %d of %s", n, kind)
		}
	}
}

// TestCasesOfReferences washes cases from outside.
func TestCasesOfReferences(t *testing.T) {
	folder := rdftest.Shared(t, "cases", "rdf") + "/"
	for name, c := range map[string]struct {
		of   format.Format
		base string
		how  clean.Options
	}{
		"11-iris.nq":          {format.NQuads, "http://example.org/dir/doc", clean.Options{}},
		"18-blank-as-iri.rdf": {format.RDFXML, "http://example.org/dir/doc", clean.Options{}},
		"h05-label-in-angle-brackets-strict.ttl": {format.Turtle, "http://example.org/d/x",
			clean.Options{KeepLiterals: true, Strict: true}},
		"h08-white-space-reference.rdf": {format.RDFXML, "http://example.org/d/x", clean.Options{KeepLiterals: true}},
	} {
		text, err := os.ReadFile(folder + name)
		if err != nil {
			t.Fatal(err)
		}
		expected, err := os.ReadFile(folder + name[:strings.LastIndexByte(name, '.')] + ".expect.nq")
		if err != nil {
			t.Fatal(err)
		}
		c.how.KeepBlankNodes = true
		w, err := washLawfully(c.how, c.of, format.Options{Input: rdf.Input{Base: c.base}}, strings.NewReader(string(text)))
		want := map[string]bool{}
		for line := range strings.Lines(string(expected)) {
			want[strings.TrimSpace(line)] = true
		}
		got := map[string]bool{}
		for _, line := range w.lines {
			got[line] = true
		}
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: %v\n%v\nwant\n%v", name, err, got, want)
		}
	}
}
