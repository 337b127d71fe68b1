package write_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/write"
)

var written = []write.Syntax{write.Turtle, write.TriG, write.JSONLD}

// asWritten are lines in a syntax, as they are written in order.
func asWritten(t testing.TB, syntax write.Syntax, lines []string, prefixes *write.Prefixes) string {
	t.Helper()
	var out bytes.Buffer
	w := write.New(syntax, &out, prefixes)
	if syntax.WantsGraphFirst() {
		lines = graphFirst(lines)
	}
	for _, line := range lines {
		if err := w.Line([]byte(line)); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func graphFirst(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	text := write.AppendGraphFirst(nil, []byte(strings.Join(lines, "\n")+"\n"))
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// sorted are lines in order, each once.
func sorted(lines []string) []string {
	slices.Sort(lines)
	return slices.Compact(lines)
}

// readBack are the clean lines of a text, sorted, and what was found in it. The labels of blank nodes are kept.
func readBack(t testing.TB, syntax write.Syntax, text string) (lines []string, found []fault.Notice) {
	t.Helper()
	return cleaned(t, syntax.String(), []byte(text), "")
}

func cleaned(t testing.TB, name string, text []byte, base string) (lines []string, found []fault.Notice) {
	t.Helper()
	f, err := format.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	first, tally := clean.Chain(clean.Options{KeepBlankNodes: true, KeepLiterals: true}, clean.EachLine(func(line []byte) error {
		lines = append(lines, string(line))
		return nil
	}), func(n fault.Notice) { found = append(found, n) })
	settings := format.Settings{JSONLD: format.JSONLDProcessing{Direction: jsonld.DirLangString}}
	_, err = format.Parse(context.Background(), f, bytes.NewReader(text), format.Options{Settings: settings, Input: rdf.Input{Base: base}},
		first)
	tally.Close()
	if err != nil && fault.KindOf(err) != fault.Limit {
		t.Fatal(err)
	}
	return sorted(lines), found
}

// sayable are the lines that a syntax can say.
func sayable(syntax write.Syntax, lines []string) (all []string) {
	for _, line := range lines {
		hasGraph := !strings.HasPrefix(graphFirst([]string{line})[0], " ")
		if (syntax.HasGraphs() || !hasGraph) && (syntax.HasTripleTerms() || !strings.Contains(line, "<<( ")) {
			all = append(all, line)
		}
	}
	return all
}

// sameWhenReadBack holds that what is written of lines is read as the same lines, sorted and not.
func sameWhenReadBack(t testing.TB, lines []string, prefixes *write.Prefixes) {
	t.Helper()
	want := sorted(slices.Clone(lines))
	for _, syntax := range written {
		said := sayable(syntax, want)
		ordered := slices.Clone(said)
		if syntax.WantsGraphFirst() {
			slices.SortFunc(ordered, func(a, b string) int {
				return strings.Compare(graphFirst([]string{a})[0], graphFirst([]string{b})[0])
			})
		}
		mixed := slices.Clone(said) // in no order
		for i := range mixed {
			j := (i*7919 + 13) % len(mixed)
			mixed[i], mixed[j] = mixed[j], mixed[i]
		}
		for _, order := range [][]string{ordered, mixed} {
			text := asWritten(t, syntax, order, prefixes)
			got, found := readBack(t, syntax, text)
			for _, n := range found {
				if n.Severity >= fault.Repair {
					t.Errorf("%s: %+v in\n%.3000s", syntax, n, text)
				}
			}
			if !slices.Equal(got, said) {
				i := 0
				for ; i < min(len(got), len(said)) && got[i] == said[i]; i++ {
				}
				t.Fatalf("%s: %d lines, not %d, from %d on\n%.500q\nnot\n%.500q\nas\n%.2000s", syntax, len(got), len(said), i, got[i:],
					said[i:], text)
			}
		}
	}
}

func TestWhatIsWritten(t *testing.T) {
	const lines = `<http://a/s> <http://a/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
<http://a/s> <http://a/p> "x"@en .
<http://a/s> <http://a/p> <http://a/o> .
<http://a/s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://a/T> .
<http://a/t> <http://a/p> "\"q\"\n" .
<http://b/s> <http://a/p> <http://a/o> <http://g/1> .
<http://b/s> <http://a/q> _:b <http://g/1> .
<http://b/t> <http://a/q> "1.5"^^<http://www.w3.org/2001/XMLSchema#decimal> <http://g/1> .
<http://b/s> <http://a/q> <http://a/x/y> _:g .`
	prefixes := &write.Prefixes{}
	for _, p := range [][2]string{{"a", "http://a/"}, {"xsd", "http://www.w3.org/2001/XMLSchema#"}} {
		if err := prefixes.Set(p[0], p[1]); err != nil {
			t.Fatal(err)
		}
	}
	for syntax, want := range map[write.Syntax]string{
		write.Turtle: `@prefix a: <http://a/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

a:s a:p 1,
        "x"@en,
        a:o ;
    a a:T .

a:t a:p "\"q\"\n" .

`,
		write.TriG: `@prefix a: <http://a/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

a:s a:p 1,
        "x"@en,
        a:o ;
    a a:T .

a:t a:p "\"q\"\n" .

<http://g/1> {
    <http://b/s> a:p a:o ;
        a:q _:b .
    <http://b/t> a:q 1.5 .
}

_:g {
    <http://b/s> a:q <http://a/x/y> .
}

`,
		write.JSONLD: `{"@id":"http://a/s","http://a/p":[{"@value":"1","@type":"http://www.w3.org/2001/XMLSchema#integer"},{"@value":"x","@language":"en"},{"@id":"http://a/o"}],"@type":["http://a/T"]}
{"@id":"http://a/t","http://a/p":[{"@value":"\"q\"\n"}]}
{"@id":"http://g/1","@graph":[{"@id":"http://b/s","http://a/p":[{"@id":"http://a/o"}],"http://a/q":[{"@id":"_:b"}]}]}
{"@id":"http://g/1","@graph":[{"@id":"http://b/t","http://a/q":[{"@value":"1.5","@type":"http://www.w3.org/2001/XMLSchema#decimal"}]}]}
{"@id":"_:g","@graph":[{"@id":"http://b/s","http://a/q":[{"@id":"http://a/x/y"}]}]}
`,
	} {
		all := sayable(syntax, strings.Split(lines, "\n"))
		if got := asWritten(t, syntax, all, prefixes); got != want {
			t.Errorf("%s:\n%s\nnot\n%s", syntax, got, want)
		}
		if got := asWritten(t, syntax, nil, nil); got != "" {
			t.Errorf("%s: %q of nothing", syntax, got)
		}
	}
	sameWhenReadBack(t, strings.Split(lines, "\n"), prefixes)
}

// Terms with which a syntax could go wrong are read back as they were.
func TestHardTermsAreReadBack(t *testing.T) {
	prefixes := &write.Prefixes{}
	for _, p := range [][2]string{{"", "http://a/"}, {"b", "http://a/b"}, {"c.d", "http://a/b/c#"}, {"é", "http://é/"}, {"x", "urn:x:"}} {
		if err := prefixes.Set(p[0], p[1]); err != nil {
			t.Fatal(err)
		}
	}
	var lines []string
	for _, iri := range []string{
		"http://a/", "http://a/b", "http://a/b/c#", "http://a/b/c#.", "http://a/b/c#a.b", "http://a/b/c#a.", "http://a/b/c#-",
		"http://a/-x", "http://a/x-",
		"http://a/1", "http://a/_", "http://a/:", "http://a/a:b", "http://a/%20", "http://a/%2", "http://a/x%zz", "http://a/a,b",
		"http://a/a;b", "http://a/a(b)",
		"http://a/a/../b", "http://a/./x", "http://é/é", "http://a/é·", "http://a/·", "http://a/‿x", "http://a/x?y=z#t", "urn:x:y",
		"urn:x:", "urn:x", "http:a", "a:", "http://a/b/c#𐀀x",
		"http://a/b/c#true", "tag:x,2020:/y", "http://a/~", "http://a/a'b", "http://a/a*b", "http://a/b$",
	} {
		for _, object := range []string{"<" + iri + ">", `"x"`, `"x"^^<` + iri + ">"} {
			for _, graph := range []string{"", " <" + iri + ">", " _:g"} {
				lines = append(lines, "<"+iri+"> <"+iri+"> "+object+graph+" .")
			}
		}
	}
	const xsd = "http://www.w3.org/2001/XMLSchema#"
	for _, text := range []string{
		"1", "-1", "+1", "01", "1.", ".1", "1.0", "-.5", "1e0", "1.e0", ".1E-7", "1E", "e1", "", "+", ".", "true", "false", "True", "1 ",
		"NaN", "INF", "1e+", "1.5.", "--1",
	} {
		for _, datatype := range []string{"integer", "decimal", "double", "boolean", "float", "int", "date"} {
			lines = append(lines, `<http://a/n> <http://a/p> "`+text+`"^^<`+xsd+datatype+"> .")
		}
	}
	for _, text := range []string{
		`\"`, `\\`, `\\\"`, `a\nb\rc\td\b\f`, `\u0000\u0001\u001F\u007F`, `\uFFFE`, `é \" @en`, `_:b`, ` <http://x> .`, `^^<http://x>`,
		`"""`, `'`, `\" _:b`, `x _:c`, `a <b></b>`, `<x> <y>`, `a <b`, "\U0001F600", "\u2028",
	} {
		text = strings.ReplaceAll(text, `"""`, `\"\"\"`)
		for _, kind := range []string{"", "@en", "@en-us", "@en--ltr", "@prefix", "@base", "@version", "@a--rtl", "^^<http://a/d>",
			"^^<" + rdf.RDF + "JSON>", "^^<" + rdf.RDF + "HTML>"} {
			for _, graph := range []string{"", " <http://g/>", " _:g"} {
				lines = append(lines, `<http://a/l> <http://a/p> "`+text+`"`+kind+graph+" .")
			}
		}
	}
	for _, label := range []string{"a", "a.b", "a-b", "é", "1", "_", "A·", "a_b", "g"} {
		lines = append(lines, "_:"+label+" <http://a/p> _:"+label+" .", "_:"+label+" <http://a/p> _:"+label+" _:"+label+" .")
	}
	for _, object := range []string{`"a"`, "<http://a/o>", "_:b", `<http://a/o>`, `"x"`} {
		lines = append(lines, "<http://a/s> <"+rdf.Type+"> "+object+" .", "<http://a/s> <"+rdf.Type+"> "+object+" <http://g/> .")
	}
	for _, triple := range []string{
		`<<( <http://a/s> <http://a/p> "x \" <<( )>>"@en )>>`, `<<( _:b <http://a/p> <<( <http://a/s> <http://a/p> <http://a/o> )>> )>>`,
		`<<( <http://a/s> <http://a/p> "1"^^<` + xsd + `integer> )>>`,
	} {
		lines = append(lines, "<http://a/s> <"+rdf.Reifies+"> "+triple+" .", "<http://a/s> <"+rdf.Reifies+"> "+triple+" <http://g/> .",
			"<http://a/s> <"+rdf.Reifies+"> "+triple+" _:g .")
	}
	sameWhenReadBack(t, lines, prefixes)
	sameWhenReadBack(t, lines, nil)
}

// A node about which much is said stands in several lines, so that each can be read in little memory.
func TestALongNodeIsSeveralLines(t *testing.T) {
	var lines []string
	for i := range 20_000 {
		lines = append(lines, "<http://a/s> <http://a/p> \"value "+strings.Repeat("x", i%50)+string(rune('a'+i%26))+
			strings.Repeat("y", i/26%40)+"\" .")
	}
	lines = sorted(lines)
	text := asWritten(t, write.JSONLD, lines, nil)
	for _, line := range strings.Split(text, "\n") {
		if len(line) > 100_000 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if got, _ := readBack(t, write.JSONLD, text); !slices.Equal(got, lines) {
		t.Errorf("%d lines, not %d", len(got), len(lines))
	}
}

func TestTripleTermsHaveNoJSONLD(t *testing.T) {
	w := write.New(write.JSONLD, &bytes.Buffer{}, nil)
	err := w.Line([]byte(` <http://a/s> <http://a/p> <<( <http://a/s> <http://a/p> "x" )>> .`))
	if fault.CodeOf(err) != fault.FormatTripleTerm {
		t.Error(err)
	}
}

// A disk that is full is told.
func TestAnErrorOfTheFileComesBack(t *testing.T) {
	for _, syntax := range written {
		w := write.New(syntax, full{}, nil)
		var err error
		line := `<http://a/s> <http://a/p> "` + strings.Repeat("x", 100) + `" .`
		if syntax.WantsGraphFirst() {
			line = " " + line
		}
		for i := 0; i < 100_000 && err == nil; i++ {
			err = w.Line([]byte(line))
		}
		if !errors.Is(err, fs.ErrPermission) || !errors.Is(w.Close(), fs.ErrPermission) {
			t.Errorf("%s: %v", syntax, err)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, fs.ErrPermission }

// All documents at hand that we did not make say the same when they are written and read again.
func TestRealDocumentsAreReadBack(t *testing.T) {
	documents, statements := 0, 0
	for _, folder := range []string{rdftest.Shared(t, "conformance"), rdftest.Shared(t, "real")} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			extension := strings.TrimPrefix(filepath.Ext(path), ".")
			if err != nil || entry.IsDir() || !slices.Contains([]string{"nt", "nq", "ttl", "trig", "rdf", "owl", "jsonld", "html", "xhtml"},
				extension) {
				return err
			}
			info, err := entry.Info()
			if err != nil || testing.Short() && info.Size() > 20_000 {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if extension == "owl" {
				extension = "rdf"
			}
			lines, _ := cleaned(t, extension, text, "http://base.example/"+filepath.Base(path))
			documents++
			statements += len(lines)
			prefixes := &write.Prefixes{}
			for i, iri := range []string{"http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#", "http://example/",
				"http://base.example/",
				"http://purl.obolibrary.org/obo/", "http://purl.obolibrary.org/obo/CL_", "http://example.org/", "http://a.example/",
				"http://www.w3.org/2001/XMLSchema#"} {
				prefixes.Add([]byte{'p', byte('0' + i)}, []byte(iri))
			}
			sameWhenReadBack(t, lines, prefixes)
			if t.Failed() {
				t.Fatal(path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d documents, %d statements", documents, statements)
	if documents < 2000 {
		t.Errorf("only %d documents", documents)
	}
}

// FuzzReadBack: whatever clean lines there are, they are read back.
func FuzzReadBack(f *testing.F) {
	for _, text := range []string{
		"<http://a/s> <http://a/p> \"x\"@en <http://g/> .\n<http://a/s> <http://a/p> _:b .\n", "_:0-1 <http://a/p> _:a.b _:g .\n",
		"<http://a/b> <http://a/b.> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n<a:b> <a:b> <<( <a:b> <a:b> \"\" )>> .\n",
	} {
		f.Add(text, "a", "http://a/")
	}
	f.Fuzz(func(t *testing.T, text, name, iri string) {
		if strings.Contains(text, "_:0") { // labels that readers make room for
			return
		}
		lines, _ := cleaned(t, "N-Quads", []byte(text), "")
		prefixes := &write.Prefixes{}
		prefixes.Add([]byte(name), []byte(iri))
		sameWhenReadBack(t, lines, prefixes)
	})
}
