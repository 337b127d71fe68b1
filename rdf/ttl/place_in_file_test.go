package ttl_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf/ttl"
)

// Broken pieces of Turtle, and what is kept of each.
var brokenPieces = []struct {
	text string
	kept []string
}{
	{"ex:b ex:p \"broken\nex:c ex:p ex:d e ;\nex:e ex:p 1 .\n", []string{"e p 1"}},
	{"ex:b ex:p \"broken\nex:c ex:p ex:d ;\n  ex:q 2 .\n", []string{"c p d", "c q 2"}},
	{"ex:b ex:p \"broken\nex:c ex:p ex:d .\n", []string{"c p d"}},
	{"ex:b ex:p \"broken\nex:c ex:p ex:d , ex:e .\nex:f ex:p 1 .\n", []string{"c p d", "c p e", "f p 1"}},
	{"ex:b ex:p \"broken\nex:c a ex:d ;\n  ex:q 2 .\n", []string{"c type d", "c q 2"}},
	{"ex:b ex:p ex:x\nex:c ex:p ex:d ;\n  ex:q 2 .\n", []string{"b p x", "c p d", "c q 2"}},
	{"ex:b ex:p ex:x e .\nex:c ex:p ex:d ;\n  ex:q 2 .\n", []string{"c p d", "c q 2"}},
	{"ex:b ex:p 'broken\nex:c ex:p [ ex:q 2 ] .\nex:f ex:p 1 .\n", []string{"c p _", "_ q 2", "f p 1"}},
	{"ex:b ex:p 1 ;\nex:e ex:p 1 .\nex:f ex:p 2 .\n", []string{"b p 1", "e p 1", "f p 2"}},
	{"ex:b ex:p <http://x.example/x\nex:c ex:p ex:d ;\n  ex:q 2 .\n", []string{"c p d", "c q 2"}},
	{"ex:b ex:p bad:x .\nex:c ex:p ex:d e .\nex:f ex:p 1 .\n", []string{"f p 1"}},
	{"ex:b ex:p \"broken\nex:c ex:p \"broken\nex:f ex:p 1 .\n", []string{"f p 1"}},
	{"ex:b ex:p \"broken ;\n  ex:q 2 .\nex:c ex:p ex:d .\n", []string{"b q 2", "c p d"}},
	{"ex:b ex:p \"broken # remark\nex:c ex:p ex:d ;\n  ex:q 2 .\n", []string{"c p d", "c q 2"}},
	{"ex:b ex:p \"broken\n_:c ex:p ex:d ;\n  ex:q 2 .\n", []string{"_ p d", "_ q 2"}},
	{"ex:b ex:p \"broken\n[] ex:p ex:d ;\n  ex:q 2 .\n", []string{"_ p d", "_ q 2"}},
	{"ex:b ex:p \"broken\n<http://x.example/c> ex:p ex:d ;\n  <http://x.example/q> 2 .\n", []string{"c p d", "c q 2"}},
	{"ex:b ex:p \"broken\n\nex:c ex:p ex:d ;\n\tex:q 2 ;\n\tex:r ex:s .\n", []string{"c p d", "c q 2", "c r s"}},
	{"ex:b ex:p ex:d e ;\nex:e ex:p 1 .\nex:f ex:p 2 ;\n  ex:q 3 .\n", []string{"e p 1", "f p 2", "f q 3"}},
	{"ex:b ex:p ex:d e ;\nex:e ex:p 1 ;\n  ex:q 3 .\n", []string{"e p 1", "e q 3"}},
	{"<b> <p> <c>\n<c> <p> <d> .\n<e> <p> <f> .\n", []string{"b p c", "c p d", "e p f"}},
}

// bare writes statements as brokenPieces has them.
var bare = strings.NewReplacer("<http://x.example/", "", "<http://base.example/dir/", "", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#",
	"",
	"\"^^<http://www.w3.org/2001/XMLSchema#integer>", "", "\"", "", ">", "", " .", "")

// A fault costs the same wherever it stands in the file: first, or behind sound statements, and whatever follows.
func TestAFaultCostsTheSameWhereverItStands(t *testing.T) {
	for _, piece := range brokenPieces {
		for before := range 8 {
			for after := range 3 {
				var text strings.Builder
				text.WriteString("@prefix ex: <http://x.example/> .\n")
				want := map[string]bool{}
				for _, line := range piece.kept {
					want[line] = true
				}
				sound := func(name string, n int) {
					for i := range n {
						fmt.Fprintf(&text, "ex:%s%d ex:p %d .\n", name, i, i)
						want[fmt.Sprintf("%s%d p %d", name, i, i)] = true
					}
				}
				sound("first", before)
				text.WriteString(piece.text)
				sound("last", after)
				c, _ := read(t, strings.NewReader(text.String()), ttl.Options{Syntax: ttl.Turtle})
				got := map[string]bool{}
				for _, line := range c.Lines() {
					words := strings.Fields(bare.Replace(line))
					for i, word := range words {
						if strings.HasPrefix(word, "_:") {
							words[i] = "_"
						}
					}
					got[strings.Join(words, " ")] = true
				}
				for line := range want {
					if !got[line] {
						t.Errorf("%d before, %d behind: lost %s\n%s\n%v", before, after, line, text.String(), strings.Join(c.Told(), "\n"))
					}
				}
				for line := range got {
					if !want[line] {
						t.Errorf("%d before, %d behind: nobody wrote %s\n%s", before, after, line, text.String())
					}
				}
			}
		}
	}
}
