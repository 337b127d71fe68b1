package rdfxml_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// byteLayouts are documents of five nodes of one shape, N the number of a node.
var byteLayouts = []struct{ name, begin, node, end string }{
	{"pretty", head, "  <rdf:Description rdf:about=\"http://e/sN\">\n    <e:one>text N</e:one>\n    <e:two xml:lang=\"en\">words N</e:two>\n    <e:three rdf:resource=\"http://e/oN\"/>\n  </rdf:Description>\n",
		foot},
	{"lines", head, `<rdf:Description rdf:about="http://e/sN"><e:one>text N</e:one><e:two rdf:datatype="http://e/d">N</e:two><e:three rdf:resource="http://e/oN"/></rdf:Description>` +
		"\n", foot},
	{"one line", strings.TrimSpace(head),
		`<rdf:Description rdf:about="http://e/sN"><e:one>text N</e:one><e:three rdf:resource="http://e/oN"/><e:two>words N</e:two></rdf:Description>`,
		"</rdf:RDF>"},
	{"typed nodes", head,
		"  <e:Type rdf:about='http://e/sN'>\n    <e:one>text &amp; N</e:one>\n    <e:three rdf:resource='http://e/oN'/>\n  </e:Type>\n",
		foot},
	{"nested nodes", head,
		"  <e:Type rdf:about=\"http://e/sN\">\n    <e:part>\n      <e:Part rdf:about=\"http://e/pN\">\n        <e:one>text N</e:one>\n      </e:Part>\n    </e:part>\n    <e:two>words N</e:two>\n  </e:Type>\n",
		foot},
	{"resources", head,
		"  <e:Type rdf:about=\"http://e/sN\">\n    <e:part rdf:parseType=\"Resource\">\n      <e:one>text N</e:one>\n    </e:part>\n    <e:two>words N</e:two>\n  </e:Type>\n",
		foot},
	{"lists", head, "  <e:Type rdf:about=\"http://e/sN\">\n    <e:list rdf:parseType=\"Collection\">\n      <e:Part rdf:about=\"http://e/aN\"/>\n      <e:Part rdf:about=\"http://e/bN\"/>\n    </e:list>\n    <e:two>words N</e:two>\n  </e:Type>\n",
		foot},
	{"literals", head,
		"  <e:Type rdf:about=\"http://e/sN\">\n    <e:xml rdf:parseType=\"Literal\">a <b>bold</b> N</e:xml>\n    <e:two>words N</e:two>\n  </e:Type>\n",
		foot},
	{"attributes", head, "  <e:Type rdf:about=\"http://e/sN\" e:one=\"text N\" e:two=\"words N\"/>\n", foot},
	{"entities", " <!DOCTYPE rdf:RDF [<!ENTITY e \"http://e/\">]>\n" + head,
		"  <rdf:Description rdf:about=\"&e;sN\">\n    <e:three rdf:resource=\"&e;oN\"/>\n    <e:one>text &#78;N</e:one>\n  </rdf:Description>\n",
		foot},
	{"bases", head, "  <rdf:Description xml:base=\"http://e/N/\" rdf:about=\"s\">\n    <e:three rdf:resource=\"o\"/>\n    <e:one>N</e:one>\n  </rdf:Description>\n",
		foot},
	{"namespaces", head,
		"  <f:Type xmlns:f=\"http://f/\" rdf:about=\"http://e/sN\">\n    <f:one>text N</f:one>\n    <one xmlns=\"http://g/\">words N</one>\n  </f:Type>\n",
		foot},
}

var blankNode = regexp.MustCompile(`_:\S+`)

// wellFormed says that text is, with all its prefixes declared and no attribute twice: then it says what it says.
func wellFormed(text string) bool {
	d := xml.NewDecoder(strings.NewReader(text))
	d.Entity = map[string]string{"e": "http://e/"}
	declared := []map[string]bool{{"xml": true, "xmlns": true, "": true}}
	roots := 0
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return len(declared) == 1 && roots == 1
		}
		if err != nil {
			return false
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(declared) == 1 {
				roots++
			}
			seen, scope := map[xml.Name]bool{}, map[string]bool{}
			for k := range declared[len(declared)-1] {
				scope[k] = true
			}
			for _, a := range t.Attr {
				if seen[a.Name] || a.Name.Local == "" {
					return false
				}
				seen[a.Name] = true
				if a.Name.Space == "xmlns" {
					scope[a.Name.Local] = true
				}
			}
			for _, a := range t.Attr {
				if !scope[a.Name.Space] {
					return false
				}
			}
			if !scope[t.Name.Space] || strings.Contains(t.Name.Local, ":") {
				return false
			}
			declared = append(declared, scope)
		case xml.EndElement:
			if len(declared) == 1 {
				return false
			}
			declared = declared[:len(declared)-1]
		}
	}
}

// TestAByteTooManyOrTooFewCostsNoOtherNode takes out, doubles and puts in each sign of mark-up in each
// place of the third of five nodes. All statements of the others are read. What is read that nobody
// wrote is reported as repaired, unless the text is sound XML that says so. A finding is on a line of
// the node. SHOW_BYTES shows what fails in a layout, or in all.
func TestAByteTooManyOrTooFewCostsNoOtherNode(t *testing.T) {
	const signs = `<>/"'=:&;!-? `
	show := os.Getenv("SHOW_BYTES")
	for _, l := range byteLayouts {
		node := func(n int) string { return strings.ReplaceAll(l.node, "N", fmt.Sprint(n)) }
		begin := strings.TrimPrefix(l.begin, " ")
		var before, after strings.Builder
		before.WriteString(begin + node(1) + node(2))
		after.WriteString(node(4) + node(5) + l.end)
		broken := node(3)
		in := rdf.Input{Base: "http://base/d"}
		doc := func(middle string) string { return before.String() + middle + after.String() }
		clean, others := map[string]bool{}, map[string]bool{}
		plain := func(line string) string { return blankNode.ReplaceAllString(line, "_:n") }
		for _, line := range read(t, doc(broken), in, rdfxml.Options{}).Lines() {
			clean[plain(line)] = true
		}
		for _, line := range read(t, doc(""), in, rdfxml.Options{}).Lines() {
			others[plain(line)] = true
		}
		first := int64(strings.Count(before.String(), "\n")) + 1
		cases, lost, invented, untold := 0, 0, 0, 0
		try := func(how, middle string) {
			cases++
			text := doc(middle)
			c := read(t, text, in, rdfxml.Options{})
			got := map[string]bool{}
			bad := ""
			legal := wellFormed(text)
			for i, line := range c.Lines() {
				got[plain(line)] = true
				if !clean[plain(line)] && !c.Quads[i].Repaired && !legal {
					invented++
					bad += "\n  invented " + line
				}
			}
			for line := range others {
				if !got[line] {
					lost++
					bad += "\n  lost " + line
				}
			}
			told := legal
			last := first + int64(strings.Count(middle, "\n")) + 1
			for _, n := range c.Notices {
				told = told || n.Severity >= fault.Warning && n.Line >= first && n.Line <= last
			}
			if !told {
				untold++
				bad += "\n  not told"
			}
			if bad != "" && (show == l.name || show == "all") {
				for _, n := range c.Notices {
					bad += fmt.Sprintf("\n    %d:%d %s %s %s", n.Line, n.Column, n.Severity, n.Code, n.Message)
				}
				t.Logf("%s: %s%s", l.name, how, bad)
			}
		}
		for i := range len(broken) {
			if testing.Short() && i%3 > 0 {
				continue
			}
			c := broken[i]
			letter := 'a' <= c|0x20 && c|0x20 <= 'z'
			if strings.IndexByte(signs, c) >= 0 || letter {
				try(fmt.Sprintf("without %q at %d: %s", c, i, broken[max(0, i-12):min(len(broken), i+20)]), broken[:i]+broken[i+1:])
				try(fmt.Sprintf("%q twice at %d: %s", c, i, broken[max(0, i-12):min(len(broken), i+20)]), broken[:i]+string(c)+broken[i:])
			}
			for _, sign := range signs {
				try(fmt.Sprintf("with %q at %d: %s", sign, i, broken[max(0, i-12):i]+"|"+broken[i:min(len(broken), i+20)]), broken[:i]+
					string(sign)+broken[i:])
			}
		}
		t.Logf("%-14s %d documents, %d lost, %d invented, %d not told", l.name, cases, lost, invented, untold)
		if lost+invented+untold > 0 {
			t.Errorf("%s: %d statements lost, %d invented, %d faults not told", l.name, lost, invented, untold)
		}
	}
}
