package turtle

import (
	"context"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// count counts notices.
type count int

func (*count) Quad(*rdf.Quad) error  { return nil }
func (c *count) Notice(fault.Notice) { *c++ }

// TestSearchesAreBounded reads texts of nothing but faults: to find what was meant takes no more than in proportion to
// their length.
func TestSearchesAreBounded(t *testing.T) {
	for _, unit := range []string{
		"[ <a:p> ", "( ", "\"", "\" ", "\"\"\"\n", "<a:s> <a:p> \"x ;\n", "<< ", "{", "} ", "<a:g> { ", "] ", "<a:s> <a:p> [ <a:q> ", "; ",
		", ", "<", "<a:b ", "a ", "<a:s> ", "= ",
		"( <a:b> = ", "<a:s> <a:p> ( 1 2 ] . ", "GRAPH <a:g> ", "<a:s> <a:p> <a:o> } ", "<a:s> <a:p> \"\"\"x ;\n",
		"<a:s> <a:p> <a:o> <a:o> ,\n", "<a:s> <a:p> <a:o> {| ",
		"<a:s> <a:p> <a:o> = <a:p> <a:o> ; <a:p> ", "<a:s> <a:p> 'x; y, z. ", "<a:s> <a:p> ( 'a' b 'c; d' ", "word ; word , word . ",
	} {
		text := strings.Repeat(unit, (1<<16)/len(unit))
		for _, trig := range []bool{false, true} {
			var c count
			r := New(terms.New(lex.New(lex.NewWindow(strings.NewReader(text), context.Background().Err, 0), 16<<20), &c))
			r.TriG = trig
			if err := r.Run(); err != nil || c == 0 {
				t.Errorf("%q: %v, %d notices", unit, err, c)
			}
			const once = maxAhead * 1 << 14 // more than one search can take
			if most := allowance + perByte*int64(len(text)) + once; r.plan.steps > most {
				t.Errorf("%q: %d steps for %d bytes", unit, r.plan.steps, len(text))
			}
			r.Free()
		}
	}
}
