package rdfxml_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/rdfxml"
)

// sound documents, with what they say. Nothing is reported of them.
var soundRows = []row{
	{"entities with mark-up, and in each other",
		` <!DOCTYPE rdf:RDF [<!ENTITY e "http://e/"><!ENTITY f "<e:p>&g;</e:p>"><!ENTITY g "a&#38;amp;b">]>` + head +
			`<e:T rdf:about="&e;t">&f;<e:q e:r="x&g;"/></e:T>` + foot,
		[]string{"<e:t> <rdf:type> <e:T> .", `<e:t> <e:p> "a&b" .`, "<e:t> <e:q> _:0-1 .", `_:0-1 <e:r> "xa&b" .`}, nil},
	{"the first declaration of an entity counts",
		` <!DOCTYPE rdf:RDF [<!ENTITY a "1"><!ENTITY a "2"><!ELEMENT x ANY><!NOTATION n SYSTEM "n"><!-- ]> --><?p ]> ?>]>` + head + sp +
			"<e:p>&a;</e:p>" + ps + foot,
		[]string{`<e:s> <e:p> "1" .`}, nil},
	{"parameter entities",
		` <!DOCTYPE rdf:RDF [<!ENTITY % x '<!ENTITY a "1"><!ATTLIST e:q e:fixed CDATA "2"> &#37;y;'><!ENTITY % y "<!ENTITY b '3'>"><!ENTITY a "0"> %x;%y;<!ENTITY b "4">]>` +
			head + sp + "<e:p>&a;</e:p><e:p>&b;</e:p><e:q/>" + ps + foot,
		[]string{`<e:s> <e:p> "0" .`, `<e:s> <e:p> "3" .`, "<e:s> <e:q> _:0-1 .", `_:0-1 <e:fixed> "2" .`}, nil},
	{"default attributes",
		` <!DOCTYPE rdf:RDF [<!ATTLIST e:p xml:lang CDATA "de" e:none CDATA #IMPLIED><!ATTLIST e:q e:fixed (a|b) #FIXED 'a'>]>` + head +
			sp + `<e:p>v</e:p><e:p xml:lang="en">v</e:p><e:q/>` + ps + foot,
		[]string{`<e:s> <e:p> "v"@de .`, `<e:s> <e:p> "v"@en .`, "<e:s> <e:q> _:0-1 .", `_:0-1 <e:fixed> "a" .`}, nil},
	{"line ends and white space", sp + "<e:p>a\r\nb\rc\td</e:p><e:q e:r='a\r\nb\tc&#10;d'/>" + ps,
		[]string{`<e:s> <e:p> "a\nb\nc\td" .`, "<e:s> <e:q> _:0-1 .", `_:0-1 <e:r> "a b c\nd" .`}, nil},
	{"CDATA, comments and instructions in text", sp + "<e:p> a<![CDATA[<b>&amp;]]]]><!-- c --><?p i?>d </e:p>" + ps,
		[]string{`<e:s> <e:p> " a<b>&amp;]]d " .`}, nil},
	{"bytes that are not UTF-8 pass", sp + "<e:p>a\x80\xffb</e:p>" + ps, []string{"<e:s> <e:p> \"a\x80\xffb\" ."}, nil},
	{"languages", `<rdf:Description rdf:about="http://e/s" xml:lang="en" e:a="v"><e:p>v</e:p><e:p xml:lang="">v</e:p><e:p xml:lang="fr" rdf:datatype="http://e/d">v</e:p><e:q xml:lang="fr" e:r="v"/></rdf:Description>`,
		[]string{`<e:s> <e:a> "v"@en .`, `<e:s> <e:p> "v"@en .`, `<e:s> <e:p> "v" .`, `<e:s> <e:p> "v"^^<e:d> .`, "<e:s> <e:q> _:0-1 .",
			`_:0-1 <e:r> "v"@fr .`}, nil},
	{"bases", `<rdf:Description xml:base="x/y#z" rdf:about="a"><e:p xml:base="../" rdf:resource="b"/><e:p rdf:resource=""/><e:p rdf:resource="http://h/a/../b"/></rdf:Description>`,
		[]string{"<http://base/x/a> <e:p> <http://base/b> .", "<http://base/x/a> <e:p> <http://base/x/y> .",
			"<http://base/x/a> <e:p> <http://h/b> ."}, nil},
	{"reification", sp + `<e:p rdf:ID="i">v</e:p><e:q rdf:ID="j" rdf:resource="http://e/o"/>` + ps,
		[]string{`<e:s> <e:p> "v" .`, "<http://base/d#i> <rdf:type> <rdf:Statement> .", "<http://base/d#i> <rdf:subject> <e:s> .",
			"<http://base/d#i> <rdf:predicate> <e:p> .", `<http://base/d#i> <rdf:object> "v" .`,
			"<e:s> <e:q> <e:o> .", "<http://base/d#j> <rdf:type> <rdf:Statement> .", "<http://base/d#j> <rdf:subject> <e:s> .",
			"<http://base/d#j> <rdf:predicate> <e:q> .", "<http://base/d#j> <rdf:object> <e:o> ."}, nil},
	{"lists in lists",
		sp + `<e:p rdf:parseType="Collection"><rdf:Description><e:q rdf:parseType="Collection"/></rdf:Description><e:T rdf:nodeID="n"/></e:p>` +
			ps,
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <rdf:first> _:0-2 .", "_:0-2 <e:q> <rdf:nil> .", "_:0-1 <rdf:rest> _:0-3 .",
			"_:0-3 <rdf:first> _:n .", "_:n <rdf:type> <e:T> .", "_:0-3 <rdf:rest> <rdf:nil> ."}, nil},
	{"containers within each other count for themselves",
		`<rdf:Seq rdf:about="http://e/s"><rdf:li>a</rdf:li><rdf:li rdf:parseType="Resource"><rdf:li>b</rdf:li></rdf:li><rdf:_1>c</rdf:_1><rdf:li>d</rdf:li></rdf:Seq>`,
		[]string{"<e:s> <rdf:type> <rdf:Seq> .", `<e:s> <rdf:_1> "a" .`, "<e:s> <rdf:_2> _:0-1 .", `_:0-1 <rdf:_1> "b" .`,
			`<e:s> <rdf:_1> "c" .`, `<e:s> <rdf:_3> "d" .`}, nil},
	{"no rdf:RDF", ` <e:T xmlns:e="http://e/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="http://e/t" rdf:type="http://e/U"/>`,
		[]string{"<e:t> <rdf:type> <e:T> .", "<e:t> <rdf:type> <e:U> ."}, nil},
	{"xsd:string is the datatype of plain literals",
		sp + `<e:p rdf:datatype="http://www.w3.org/2001/XMLSchema#string">v</e:p><e:p rdf:datatype="http://www.w3.org/2001/XMLSchema#string" xml:lang="en"/>` +
			ps,
		[]string{`<e:s> <e:p> "v" .`, `<e:s> <e:p> "" .`}, nil},
	{"canonical XML",
		sp + `<e:p rdf:parseType="Literal" xmlns:b="http://b/" xmlns="http://d/"><b:x z="1" b:y='"&lt;&#10;' a="2" xmlns:u="http://u/"/>&gt;<!-- c --><?p  i ?><x xml:lang="en"><y xmlns=""/></x><![CDATA[&]]>&#13;</e:p>` +
			ps,
		[]string{`<e:s> <e:p> "<b:x xmlns:b=\"http://b/\" a=\"2\" z=\"1\" b:y=\"&quot;&lt;&#xA;\"></b:x>&gt;<!-- c --><?p i ?><x xmlns=\"http://d/\" xml:lang=\"en\"><y xmlns=\"\"></y></x>&amp;&#xD;"^^<rdf:XMLLiteral> .`},
		nil},
	{"namespaces declared again inside XML",
		sp + `<e:p rdf:parseType="Literal"><a:x xmlns:a="http://a/"><a:y/><a:z xmlns:a="http://z/"/></a:x><a:x xmlns:a="http://a/"/></e:p>` +
			ps,
		[]string{`<e:s> <e:p> "<a:x xmlns:a=\"http://a/\"><a:y></a:y><a:z xmlns:a=\"http://z/\"></a:z></a:x><a:x xmlns:a=\"http://a/\"></a:x>"^^<rdf:XMLLiteral> .`},
		nil},
}

// sound are the documents of soundRows, for fuzzing.
var sound = func() (docs []string) {
	for i := range soundRows {
		docs = append(docs, soundRows[i].doc())
	}
	return append(docs, fmt.Sprintf(records+record+"</rdf:RDF>", 1, 2))
}()

func TestSoundDocumentsAreReadAsTheyAreMeant(t *testing.T) {
	for _, row := range soundRows {
		t.Run(row.name, func(t *testing.T) {
			c := read(t, row.doc(), rdf.Input{Base: "http://base/d"}, rdfxml.Options{})
			var quads []string
			for i, line := range c.Lines() {
				quads = append(quads, short.Replace(line))
				if c.Quads[i].Repaired {
					t.Errorf("repaired: %s", line)
				}
			}
			if !slices.Equal(quads, row.quads) {
				t.Errorf("quads:\n%s\nwant:\n%s", strings.Join(quads, "\n"), strings.Join(row.quads, "\n"))
			}
			if len(c.Notices) > 0 {
				t.Errorf("notices: %+v", c.Notices)
			}
		})
	}
}

// TestEveryStatementHasItsPlaces compares where terms begin.
func TestEveryStatementHasItsPlaces(t *testing.T) {
	doc := head + "<e:T rdf:about='http://e/t'\r\n  e:p='é' e:q='v'>\r<e:r>x</e:r></e:T>" + foot
	c := read(t, doc, rdf.Input{}, rdfxml.Options{})
	want := []string{"2:17 2:2 2:2", "2:17 3:3 3:8", "2:17 3:11 3:16", "2:17 4:2 4:6"}
	for i := range c.Quads {
		q := &c.Quads[i]
		have := fmt.Sprintf("%d:%d %d:%d %d:%d", q.Subject.Pos.Line, q.Subject.Pos.Column, q.Predicate.Pos.Line, q.Predicate.Pos.Column,
			q.Object.Pos.Line, q.Object.Pos.Column)
		if i >= len(want) || have != want[i] {
			t.Errorf("%s: %s", c.Lines()[i], have)
		}
	}
}

// TestEveryCodeIsEmitted keeps the table of codes free of those that nothing gives.
func TestEveryCodeIsEmitted(t *testing.T) {
	seen := map[fault.Code]bool{}
	many := "<!DOCTYPE a [" + strings.Repeat("<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;'>", 20) + "]>" + head + sp + "<e:p>&b;</e:p>"
	notices := read(t, many, rdf.Input{}, rdfxml.Options{MaxEntity: 100}).Notices
	for i := range faults {
		notices = append(notices, read(t, faults[i].doc(), rdf.Input{Base: "http://base/d"}, rdfxml.Options{}).Notices...)
	}
	for _, n := range notices {
		seen[n.Code] = true
	}
	for _, info := range fault.Codes() {
		of := strings.HasPrefix(string(info.Code), "syntax/xml-") || strings.HasPrefix(string(info.Code), "syntax/rdfxml-") ||
			info.Code == fault.LimitEntities
		if of && !seen[info.Code] {
			t.Errorf("no document gives %s", info.Code)
		}
	}
}

func ExampleRead() {
	text := strings.NewReader(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://example.org/">
  <ex:Book rdf:about="moby"><ex:title>Moby & Dick</ex:title></ex:Book>
</rdf:RDF>`)
	var c rdftest.Collector
	if err := rdfxml.Read(context.Background(), text, rdf.Input{Base: "http://example.org/books/"}, rdfxml.Options{}, &c); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	for _, line := range c.Lines() {
		fmt.Println(line)
	}
	for _, n := range c.Notices {
		fmt.Printf("%d:%d %s %s\n", n.Line, n.Column, n.Severity, n.Code)
	}
	// Output:
	// <http://example.org/books/moby> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/Book> .
	// <http://example.org/books/moby> <http://example.org/title> "Moby & Dick" .
	// 2:44 repair syntax/xml-bare-ampersand
}
