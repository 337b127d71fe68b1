package rdfxml_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// TestADocumentCutAnywhereKeepsWhatWasComplete cuts a document after each of its bytes. What is read
// is the beginning of what is read of the whole, never less than of a shorter cut. Each cut within the
// root is reported, and loses something. The links of a list are cut off with its end.
func TestADocumentCutAnywhereKeepsWhatWasComplete(t *testing.T) {
	const begin = "<?xml version=\"1.0\"?>\n<!DOCTYPE rdf:RDF [<!ENTITY e \"http://e/\"><!ENTITY x '<e:x>1</e:x>'>]>\n"
	doc := begin + strings.Replace(head, ">", ` rdf:version="1.2">`, 1) + "  <!-- first -->\n  " + sp +
		"\n    <e:p xml:lang=\"en\">one &amp; two</e:p>\n    &x;<e:q rdf:resource='&e;o'/>\n" +
		"    <e:r rdf:parseType=\"Literal\">a <b>bold</b> <![CDATA[<text>]]></e:r>\r\n    <e:l rdf:parseType=\"Collection\"><rdf:Description rdf:about=\"&e;1\"/><e:T rdf:about=\"&e;2\"/></e:l>\n" +
		"    <e:n rdf:parseType=\"Resource\"><e:m>é</e:m></e:n>\n    <e:t rdf:parseType=\"Triple\"><rdf:Description rdf:about=\"&e;a\"><e:b>c</e:b></rdf:Description></e:t>\n" +
		"    <e:s rdf:ID=\"i\">reified</e:s>\n  " + ps + "\n  <e:T rdf:nodeID=\"n\" e:a=\"v\"/>\n</rdf:RDF>\n"
	in := rdf.Input{Base: "http://b/"}
	lines := read(t, doc, in, rdfxml.Options{}).Lines()
	end := strings.Index(doc, "</rdf:RDF>") + len("</rdf:RDF>")
	before := 0
	for n := range len(doc) {
		c := read(t, doc[:n], in, rdfxml.Options{})
		got := c.Lines()
		if len(got) > len(lines) || !slices.Equal(got, lines[:len(got)]) {
			t.Errorf("cut at %d, %q: invented\n%s", n, doc[max(0, n-30):n], strings.Join(got, "\n"))
		}
		if len(got) < before {
			t.Errorf("cut at %d, %q: %d statements, and %d before", n, doc[max(0, n-30):n], len(got), before)
		}
		before = len(got)
		// A < alone before the root may begin nothing.
		told := slices.ContainsFunc(c.Notices, func(n fault.Notice) bool {
			return n.Severity == fault.Drop && n.Lost > 0 && n.Line > 0 || n.Code == fault.XMLOutsideRoot
		})
		if n > len(begin) && n < end && !told {
			t.Errorf("cut at %d, %q: not told: %v", n, doc[max(0, n-30):n], c.Notices)
		}
		if n >= end && (len(got) != len(lines) || len(c.Notices) > 0) {
			t.Errorf("cut behind the end: %s", fmt.Sprint(c.Notices))
		}
	}
}
