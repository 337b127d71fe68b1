package rdfxml_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"laundromat/rdf/rdfxml"
)

// fragments are what TestAnyDocumentHoldsTheLaws joins at random.
var fragments = []string{
	`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">`, `</rdf:RDF>`, `<?xml version="1.0"?>`,
	`<!DOCTYPE a [<!ENTITY a "&b;&b;"><!ENTITY b "<e:p>x</e:p>&c;"><!ENTITY c "y">`, `<!ENTITY d SYSTEM "d">`,
	`<!ATTLIST e:p e:q CDATA "d&c;" f (a|b) #FIXED 'a'>`, `]>`,
	`<rdf:Description>`, `<rdf:Description rdf:about="a">`, `<rdf:Description rdf:about="http://e/s">`, `<e:T rdf:ID="i">`,
	`<e:T rdf:nodeID="n"/>`, `</rdf:Description>`, `</e:T>`,
	`<e:p>`, `</e:p>`, `<e:q rdf:ID="i">`, `</e:q>`, `<e:p rdf:resource="o"/>`, `<e:p e:a="1" e:b='2'/>`, `<e:p rdf:parseType="Literal">`,
	`<e:p rdf:parseType="Collection">`, `<e:q rdf:parseType="Resource">`,
	`<rdf:li>`, `</rdf:li>`, `<e:p xml:lang="en">`, `<e:p rdf:datatype="d">`, `<x:p>`, `</x:p>`, `<foaf:name>`, `<b>`, `</b>`,
	`<b xmlns="http://b/" c="&lt;">`, `<e:p xml:base="../x/">`,
	`text`, ` `, "\n", "\r\n", "\r", "\t", `&amp;`, `&`, `&#65;`, `&#xD83D;`, `&#xDE00;`, `&#0;`, `&a;`, `&b;`, `&c;`, `&d;`, `&nbsp;`,
	`&what;`, `<`, `>`, `"`, `'`, `=`, `/`, `/>`, `]]>`,
	`<![CDATA[`, `<!--`, `-->`, `--`, `<?p i?>`, `<?`, `?>`, "\x00", "\x80", "é", "\uFFFE", "\uFEFF", `<e:p`, ` e:q="`, ` rdf:about=x`,
	`<!X `, `</`, `</ `, `<1`, `[`, `]`, `%p;`,
}

// TestAnyDocumentHoldsTheLaws reads documents joined of fragments at random: split
// anywhere they give the same, every notice has its place, and every quad is one.
func TestAnyDocumentHoldsTheLaws(t *testing.T) {
	const documents = 5_000
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range documents {
		if testing.Short() && n > 2000 {
			break
		}
		var doc strings.Builder
		if rnd.IntN(3) > 0 {
			doc.WriteString(fragments[0])
		}
		for range 1 + rnd.IntN(25) {
			doc.WriteString(fragments[rnd.IntN(len(fragments))])
		}
		text := []byte(doc.String())
		opt := rdfxml.Options{}
		if n%4 == 0 {
			opt = rdfxml.Options{MaxToken: 64, MaxDepth: 4, MaxEntity: 300}
		}
		c, whole := told(t, bytes.NewReader(text), opt)
		_, split := told(t, &pieces{text, uint32(n)}, opt)
		if a, b := strings.Join(whole, "\n"), strings.Join(split, "\n"); a != b {
			t.Errorf("in one piece:\n%s\nin many:\n%s", a, b)
		}
		checkNotices(t, c, text)
		checkQuads(t, c)
		if t.Failed() {
			t.Fatalf("document %d: %q", n, text)
		}
	}
}
