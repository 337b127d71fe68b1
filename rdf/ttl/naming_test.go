package ttl_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl"
)

// TestTheSignBetweenAGraphAndItsNameIsIgnored reads graphs as TriG of 2007 had them.
func TestTheSignBetweenAGraphAndItsNameIsIgnored(t *testing.T) {
	for _, test := range []struct {
		text, graph string
		notices     int
	}{
		{"ex:g = { %s }", "<http://e/g>", 1},
		{"ex:g={ %s }", "<http://e/g>", 1},
		{"ex:g = { %s . }", "<http://e/g>", 1},
		{"ex:g = { %s } .", "<http://e/g>", 2},
		{"ex:g =\n{ %s }", "<http://e/g>", 1},
		{"ex:g\n=\n{\n%s\n}", "<http://e/g>", 1},
		{"ex:g = # why\n{ %s }", "<http://e/g>", 1},
		{"<http://e/g>={%s}", "<http://e/g>", 1},
		{"<http://e/g> = { %s }", "<http://e/g>", 1},
		{"_:g = { %s }", "_:g", 1},
		{"[] = { %s }", "_:0-1", 1},
		{"ex:g == { %s }", "<http://e/g>", 1},
		{"ex:g=={ %s } .", "<http://e/g>", 2},
		{"ex:g :- { %s }", "<http://e/g>", 1},
		{"<http://e/g> :- { %s } .", "<http://e/g>", 2},
		{"_:g\n:-\n{ %s }", "_:g", 1},
		{"GRAPH ex:g = { %s }", "<http://e/g>", 1},
		{"GRAPH ex:g={ %s }", "<http://e/g>", 1},
	} {
		for i, syntax := range []ttl.Syntax{ttl.TriG, ttl.Turtle, ttl.TriG} {
			end := []string{"\n", "\n", " "}[i]
			in := "@prefix ex: <http://e/> .\n" + strings.Repeat(fmt.Sprintf(test.text, `ex:s ex:p ex:o ; ex:q 1 , "x"`)+end, 3) +
				"ex:h { ex:s ex:p ex:o }\n"
			got, _ := read(t, strings.NewReader(in), ttl.Options{Syntax: syntax, MayHandOver: true})
			if got.Lost() > 0 || len(got.Quads) != 10 || len(got.Notices) != 3*test.notices {
				t.Errorf("%s: %d lost, %d kept, %v", test.text, got.Lost(), len(got.Quads), got.Notices)
				continue
			}
			if got.Notices[0].Code != fault.SyntaxStray || got.Notices[0].Severity != fault.Repair {
				t.Errorf("%s: %v", test.text, got.Notices)
			}
			if line := got.Lines()[0]; !strings.HasSuffix(line, test.graph+" .") && test.graph[0] != '_' {
				t.Errorf("%s: %s", test.text, line)
			}
		}
	}
}
