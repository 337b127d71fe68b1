package ttl_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl"
)

// TestAMissingDotBeforeALineOfTheSameKindCostsNone reads lines of three IRIs, which may have names as tags of HTML.
func TestAMissingDotBeforeALineOfTheSameKindCostsNone(t *testing.T) {
	for _, lines := range [][]string{
		{"<a> <b> <c>", "<d> <e> <f> ."},
		{"<a> <b> <c>", "<a> <b> <d> ."},
		{"<a> <b> <c> .", "<b> <a> <c>", "<a> <b> <d> ."},
		{"<c> <b> <a>", "<d> <b> <a> ."},
		{"<p> <a> <o>", "<q> <a> <o> ."},
		{"<s> <a> <b>", "<t> <a> <b> ."},
		{"<s> <p> <o>", "<t> <p> <o> ."},
		{"<http://x/a> <b> <c>", "<d> <e> <f> ."},
		{"<a> <p> <name>", "<b> <p> <name> ."},
		{"<a> <b> <c>", "<a> <b> <d>.", "<e> <b> <a> ."},
	} {
		got, _ := read(t, strings.NewReader(strings.Join(lines, "\n")+"\n"), ttl.Options{Syntax: ttl.Turtle})
		if len(got.Quads) != len(lines) || got.Lost() != 0 || len(got.Notices) != 1 || got.Notices[0].Code != fault.SyntaxMissingDot {
			t.Errorf("%q: %d kept, %v", lines, len(got.Quads), got.Notices)
		}
	}
	for _, markup := range []string{"<b> <a> <tr>", "<b> <i> text", "<b> </b> <p>", "<tr> <td> <input>\n<hr> <br>",
		"<html> <head> <title>\n<http://x/s> <http://x/p> <http://x/o> ."} {
		got, _ := read(t, strings.NewReader("<s> <p> <o> .\n"+markup+"\n<s> <p> 'next' .\n"), ttl.Options{Syntax: ttl.Turtle})
		if len(got.Quads) != 2+strings.Count(markup, " .") || got.Lost() == 0 {
			t.Errorf("%q: %v, %v", markup, got.Lines(), got.Notices)
		}
	}
}
