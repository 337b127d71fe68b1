package format_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/internal/fault"
	pages "laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// A single byte of a document in XML is left out, doubled or changed, or it is cut off. What is
// missing then, without another statement in its place, is reported. Each finding has the line and
// column of its offset.
func TestABrokenByteOfXMLCostsNothingInSilence(t *testing.T) {
	for _, doc := range []struct {
		format format.Format
		text   string
	}{
		{format.RDFXML, `<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [<!ENTITY ex "http://ex/"><!ENTITY c "caf&#233;">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/" xml:base="http://b/d">
  <!-- a comment -->
  <rdf:Description rdf:about="&ex;s" e:a="v &amp; w">
    <e:p xml:lang="en">text é &c;</e:p>
    <e:n rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">12</e:n>
    <e:x rdf:parseType="Literal"><b xmlns="http://h/">m<i k="l"/></b> tail</e:x>
    <e:l rdf:parseType="Collection"><rdf:Description rdf:about="m1"/><e:T rdf:nodeID="n1"/></e:l>
    <e:r rdf:parseType="Resource"><e:in>inner</e:in></e:r>
    <e:t rdf:parseType="Triple" rdf:version="1.2"><rdf:Description rdf:about="#ts"><e:tp>to</e:tp></rdf:Description></e:t>
  </rdf:Description>
  <e:C rdf:about="c1"><e:has><e:D><e:deep><![CDATA[a < b]]></e:deep></e:D></e:has></e:C>
</rdf:RDF>
`},
		{format.TriX, `<?xml version="1.0"?>
<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/">
 <graph><uri>http://e/g</uri>
  <triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral xml:lang="en">t é</plainLiteral></triple>
  <triple><id>b1</id><uri>http://e/p</uri><typedLiteral datatype="http://www.w3.org/2001/XMLSchema#integer">5</typedLiteral></triple>
 </graph>
 <graph><triple><uri>http://e/s</uri><uri>http://e/q</uri><uri>http://e/o</uri></triple></graph>
</TriX>
`},
	} {
		read := func(text string) *rdftest.Collector {
			var got rdftest.Collector
			if _, err := format.Parse(context.Background(), doc.format, strings.NewReader(text),
				format.Options{Input: rdf.Input{Base: "http://b/d"}}, &got); err != nil {
				t.Fatalf("%v of %q", err, text)
			}
			return &got
		}
		clean := read(doc.text)
		if len(clean.Notices) > 0 || len(clean.Quads) < 3 {
			t.Fatalf("%s: %d statements, %v", doc.format, len(clean.Quads), clean.Notices)
		}
		known := map[string]bool{}
		for i := range clean.Quads {
			known[string(rdf.AppendQuad(nil, &clean.Quads[i]))] = true
		}
		check := func(at int, how, text string) {
			got := read(text)
			others := false
			for i := range got.Quads {
				others = others || !known[string(rdf.AppendQuad(nil, &got.Quads[i]))]
			}
			if len(got.Quads) < len(clean.Quads) && !others && len(got.Notices) == 0 {
				t.Errorf("%s, byte %d %s: %d statements of %d, and nothing is told: %q", doc.format, at, how, len(got.Quads),
					len(clean.Quads), text[max(0, at-30):min(len(text), at+30)])
			}
			for _, n := range got.Notices {
				if n.Line == 0 {
					continue
				}
				if want := pages.Advance(fault.Pos{Line: 1, Column: 1}, []byte(text[:n.Offset])); want != n.Pos && utf8.ValidString(text) {
					t.Errorf("%s, byte %d %s: %+v is at %+v", doc.format, at, how, n, want)
				}
			}
		}
		for i := range len(doc.text) {
			check(i, "left out", doc.text[:i]+doc.text[i+1:])
			check(i, "doubled", doc.text[:i]+doc.text[i:i+1]+doc.text[i:])
			for _, other := range []string{"<", ">", `"`, "&", " ", "x", "\x00"} {
				check(i, fmt.Sprintf("made %q", other), doc.text[:i]+other+doc.text[i+1:])
			}
			check(i, "where it ends", doc.text[:i])
		}
	}
}
