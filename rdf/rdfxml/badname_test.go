package rdfxml_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// badNames are rows about names with signs that XML allows in no name, or not at its beginning.
var badNames = []row{
	{"a sign within, and at the beginning", sp + `<e:height²>1</e:height²><e:–x>2</e:–x><e:p>v</e:p>` + ps,
		[]string{`!<e:s> <e:height²> "1" .`, `!<e:s> <e:–x> "2" .`, `<e:s> <e:p> "v" .`},
		[]string{"2:41 repair syntax/xml-bad-name 0", "2:65 repair syntax/xml-bad-name 0"}},
	{"an attribute", `<rdf:Description rdf:about="http://e/s" e:cm³="1" e:×="2" e:p="v"/>`,
		[]string{`!<e:s> <e:cm³> "1" .`, `!<e:s> <e:×> "2" .`, `<e:s> <e:p> "v" .`},
		[]string{"2:41 repair syntax/xml-bad-name 0", "2:51 repair syntax/xml-bad-name 0"}},
	{"a type", `<e:Café’s rdf:about="http://e/s"/><e:Ca·fé rdf:about="http://e/t"/><e:·Fé rdf:about="http://e/u"/>`,
		[]string{"!<e:s> <rdf:type> <e:Café’s> .", "<e:t> <rdf:type> <e:Ca·fé> .", "!<e:u> <rdf:type> <e:·Fé> ."},
		[]string{"2:1 repair syntax/xml-bad-name 0", "2:68 repair syntax/xml-bad-name 0"}},
	{"a property with an IRI, a node and a list",
		sp + `<e:a° rdf:resource="http://e/o"/><e:b°><rdf:Description rdf:about="http://e/o"/></e:b°><e:c° rdf:parseType="Collection"/>` +
			ps,
		[]string{"!<e:s> <e:a°> <e:o> .", "!<e:s> <e:b°> <e:o> .", "!<e:s> <e:c°> <rdf:nil> ."},
		[]string{"2:41 repair syntax/xml-bad-name 0", "2:74 repair syntax/xml-bad-name 0", "2:128 repair syntax/xml-bad-name 0"}},
	{"a prefix", sp + `<x°:p xmlns:x°="http://e/">v</x°:p><e:p>v</e:p>` + ps,
		[]string{`!<e:s> <e:p> "v" .`, `<e:s> <e:p> "v" .`},
		[]string{"2:47 repair syntax/xml-bad-name 0", "2:41 repair syntax/xml-bad-name 0"}},
	{"a colon and no prefix", sp + `<:p xmlns="http://e/">v</:p><p xmlns="http://e/">v</p>` + ps,
		[]string{`!<e:s> <e:p> "v" .`, `<e:s> <e:p> "v" .`},
		[]string{"2:41 repair syntax/xml-bad-name 0"}},
	{"an end tag", sp + `<e:p>v</e:p°><e:q>w</e:q>` + ps,
		[]string{`!<e:s> <e:p> "v" .`, `<e:s> <e:q> "w" .`},
		[]string{"2:47 repair syntax/xml-mismatched-end-tag 0"}},
	{"names of RDF", `<rdf:Description rdf:about†="http://e/s"><e:p rdf:datatype°="http://e/d">v</e:p><e:q>w</e:q></rdf:Description>`,
		[]string{`!<e:s> <e:p> "v"^^<e:d> .`, `!<e:s> <e:q> "w" .`},
		[]string{"2:18 repair syntax/xml-bad-name 0", "2:18 repair syntax/rdfxml-misspelt-name 0", "2:47 repair syntax/xml-bad-name 0",
			"2:47 repair syntax/rdfxml-misspelt-name 0"}},
	{"within an XML literal",
		sp + `<e:p rdf:parseType="Literal"><e:b° c°="1"/></e:p><e:q rdf:parseType="Literal"><e:b c="1"/><?d°?></e:q><e:r>v</e:r>` + ps,
		[]string{`!<e:s> <e:p> "<e:b° xmlns:e=\"http://e/\" c°=\"1\"></e:b°>"^^<rdf:XMLLiteral> .`,
			`!<e:s> <e:q> "<e:b xmlns:e=\"http://e/\" c=\"1\"></e:b><?d°?>"^^<rdf:XMLLiteral> .`, `<e:s> <e:r> "v" .`},
		[]string{"2:70 repair syntax/xml-bad-name 0", "2:76 repair syntax/xml-bad-name 0", "2:131 repair syntax/xml-bad-name 0"}},
	{"an entity", ` <!DOCTYPE rdf:RDF [<!ENTITY o° "http://e/o"><!ENTITY ö "http://e/ö">]>` + "\n" + strings.TrimSpace(head) + sp +
		`<e:p rdf:resource="&o°;"/><e:q>&o°;</e:q><e:r rdf:resource="&ö;"/>` + ps + foot,
		[]string{"!<e:s> <e:p> <e:o> .", `!<e:s> <e:q> "http://e/o" .`, "<e:s> <e:r> <e:ö> ."},
		[]string{"1:20 repair syntax/xml-bad-name 0", "2:145 repair syntax/xml-bad-name 0", "2:157 repair syntax/xml-bad-name 0"}},
	{"a default attribute", ` <!DOCTYPE rdf:RDF [<!ATTLIST rdf:Description e:p° CDATA "v">]>` + "\n" + strings.TrimSpace(head) + sp + ps +
		foot,
		[]string{`!<e:s> <e:p°> "v" .`},
		[]string{"2:86 repair syntax/xml-bad-name 0"}},
	{"letters of other scripts, marks behind one, signs beyond the first plane",
		sp + `<e:Straße>1</e:Straße><e:名前>2</e:名前><e:é>3</e:é><e:😀>4</e:😀><e:a‿b>5</e:a‿b><e:a` + "\u0600" + `>6</e:a` + "\u0600" + `>` +
			ps,
		[]string{`<e:s> <e:Straße> "1" .`, `<e:s> <e:名前> "2" .`, `<e:s> <e:é> "3" .`, `<e:s> <e:😀> "4" .`, `<e:s> <e:a‿b> "5" .`,
			`<e:s> <e:a` + "\u0600" + `> "6" .`}, nil},
	{"signs of ASCII", sp + `<e:a@b>1</e:a@b><e:a%20b>2</e:a%20b><e:p>v</e:p>` + ps,
		[]string{`<e:s> <e:p> "v" .`},
		[]string{"2:45 repair syntax/xml-bad-attribute 0", "2:42 drop syntax/xml-bad-name 1", "2:41 drop syntax/rdfxml-lost-part 0",
			"2:49 repair syntax/xml-bad-attribute 0", "2:61 repair syntax/xml-bad-attribute 0", "2:58 drop syntax/xml-bad-name 1",
			"2:57 drop syntax/rdfxml-lost-part 0", "2:67 repair syntax/xml-bad-attribute 0"}},
	{"what is an identifier is a name",
		`<rdf:Description rdf:ID="a×"/><rdf:Description rdf:nodeID="b÷"><e:p>v</e:p></rdf:Description><rdf:Description rdf:ID="·c" e:p="v"/>`,
		[]string{`!_:b÷ <e:p> "v" .`, `!<http://base/d#·c> <e:p> "v" .`},
		[]string{"2:18 repair syntax/rdfxml-bad-id 0", "2:48 repair syntax/rdfxml-bad-id 0", "2:111 repair syntax/rdfxml-bad-id 0"}},
}

// nameStart and nameRest are the characters of names without a colon (XML 1.0, fifth edition, productions 4 and 4a).
var nameStart = &unicode.RangeTable{
	R16: []unicode.Range16{{'A', 'Z', 1}, {'_', '_', 1}, {'a', 'z', 1}, {0xC0, 0xD6, 1}, {0xD8, 0xF6, 1}, {0xF8, 0x2FF, 1},
		{0x370, 0x37D, 1},
		{0x37F, 0x1FFF, 1}, {0x200C, 0x200D, 1}, {0x2070, 0x218F, 1}, {0x2C00, 0x2FEF, 1}, {0x3001, 0xD7FF, 1}, {0xF900, 0xFDCF, 1},
		{0xFDF0, 0xFFFD, 1}},
	R32: []unicode.Range32{{0x10000, 0xEFFFF, 1}},
}

var nameRest = &unicode.RangeTable{
	R16: []unicode.Range16{{'-', '.', 1}, {'0', '9', 1}, {0xB7, 0xB7, 1}, {0x300, 0x36F, 1}, {0x203F, 0x2040, 1}},
}

// isLawful says that name is one, by these tables.
func isLawful(name string) bool {
	for i, r := range name {
		if !unicode.Is(nameStart, r) && (i == 0 || !unicode.Is(nameRest, r)) {
			return false
		}
	}
	return true
}

// TestNoNameThatXMLForbidsPassesInSilence reads names made of letters and of characters at and next to
// the ends of what XML allows, in each place of a name. A notice is given at the place of each that is
// none, and at no other.
func TestNoNameThatXMLForbidsPassesInSilence(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 23))
	signs := []rune("1-.°×÷–—’“”…·²€\u0301\u200b\u00a0\u2028😀")
	for _, table := range []*unicode.RangeTable{nameStart, nameRest} {
		for _, in := range table.R16 {
			signs = append(signs, rune(in.Lo)-1, rune(in.Lo), rune(in.Hi), rune(in.Hi)+1)
		}
		for _, in := range table.R32 {
			signs = append(signs, rune(in.Lo)-1, rune(in.Lo), rune(in.Hi), rune(in.Hi)+1)
		}
	}
	signs = slices.DeleteFunc(signs, func(r rune) bool {
		return r < 0x80 && !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '.' || r == 0xFFFD || r>>11 == 0xD800>>11
	})
	bad := 0
	for range 600 {
		name := ""
		for range 1 + rnd.IntN(4) {
			if rnd.IntN(2) == 0 {
				name += string(signs[rnd.IntN(len(signs))])
			} else {
				name += string(rune('a' + rnd.IntN(26)))
			}
		}
		for i, form := range []string{sp + "<e:%s>v</e:%[1]s>\n<e:k>w</e:k>" + ps, sp + `<e:%s rdf:resource="http://e/o"/>` +
			"\n<e:k>w</e:k>" + ps, `<rdf:Description rdf:about="http://e/s" e:%s="v"/>` + "\n" + sp + "<e:k>w</e:k>" + ps,
			`<e:%s rdf:about="http://e/s"/>` + "\n" + sp + "<e:k>w</e:k>" + ps} {
			at := fault.Pos{Line: 2, Column: int64([]int{41, 41, 41, 1}[i])}
			c := read(t, head+fmt.Sprintf(form, name)+foot, rdf.Input{}, rdfxml.Options{})
			told := false
			for _, n := range c.Notices {
				told = told || n.Code == fault.XMLBadName && n.Line == at.Line && n.Column == at.Column
			}
			if told == isLawful(name) {
				t.Errorf("%d: %+q is a name: %v; told: %v\n%v", i, name, isLawful(name), told, c.Notices)
			}
			kept, repaired := false, false
			for j, line := range c.Lines() {
				if strings.Contains(line, "<http://e/"+name+">") {
					kept, repaired = true, c.Quads[j].Repaired
				}
			}
			if isLawful(name) != (kept && !repaired) {
				t.Errorf("%d: %+q is a name: %v; kept: %v, repaired: %v", i, name, isLawful(name), kept, repaired)
			}
			if !strings.Contains(strings.Join(c.Lines(), "\n"), `<http://e/s> <http://e/k> "w" .`) {
				t.Errorf("%d: %+q costs another statement: %v", i, name, c.Notices)
			}
		}
		if !isLawful(name) {
			bad++
		}
	}
	if bad < 200 {
		t.Errorf("%d names are none", bad)
	}
}
