package ttl_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl"
)

// TestAnIRIWithoutItsBracketsIsReadWhereItsEndIsPlain leaves < and > out at each place of an IRI.
func TestAnIRIWithoutItsBracketsIsReadWhereItsEndIsPlain(t *testing.T) {
	const prefix, next = "@prefix ex: <http://e/> .\n", "\nex:b ex:p \"next\" ."
	for _, test := range []struct {
		in, want   string
		told, lost int
	}{
		{prefix + "http://e/s ex:p 'x' .", "<http://e/s> <http://e/p> \"x\" .", 1, 0},
		{prefix + "ex:s https://e/p 'x' .", "<http://e/s> <https://e/p> \"x\" .", 1, 0},
		{prefix + "ex:s ex:p http://e/o .", "<http://e/s> <http://e/p> <http://e/o> .", 1, 0},
		{prefix + "ex:s ex:p http://e/o#f .", "<http://e/s> <http://e/p> <http://e/o#f> .", 1, 0},
		{prefix + "ex:s ex:p http://e/o?a=b&c=d%20e .", "<http://e/s> <http://e/p> <http://e/o?a=b&c=d%20e> .", 1, 0},
		{prefix + "ex:s ex:p 'x'^^http://e/d .", "<http://e/s> <http://e/p> \"x\"^^<http://e/d> .", 1, 0},
		{prefix + "ex:s ex:p [ ex:q http://e/o] .", "_:0-1 <http://e/q> <http://e/o> .", 1, 0},
		{prefix + "ex:s ex:p http://e/o\n.", "<http://e/s> <http://e/p> <http://e/o> .", 1, 0},
		{prefix + "ex:s ex:p ftp://e/o , http://e/x ; ex:q 'x' .", "<http://e/s> <http://e/p> <ftp://e/o> .", 2, 0},
		{prefix + "ex:s ex:p http://e/o.", "", 1, 1},
		{prefix + "ex:s ex:p http://e/o; ex:q 'x' .", "<http://e/s> <http://e/q> \"x\" .", 1, 1},
		{prefix + "ex:s ex:p http://e/o, http://e/x .", "", 2, 1},
		{prefix + "@prefix x: http://e/x# .\nx:s ex:p 'x' .", "<http://e/x#s> <http://e/p> \"x\" .", 1, 0},
		{prefix + "PREFIX x: http://e/x#\nx:s ex:p 'x' .", "<http://e/x#s> <http://e/p> \"x\" .", 1, 0},
		{prefix + "@base http://e/d/ .\n<s> ex:p 'x' .", "<http://e/d/s> <http://e/p> \"x\" .", 1, 0},
		{prefix + "ex:s ex:p http://a/b http://c/d .", "", 1, 1},
	} {
		got, _ := read(t, strings.NewReader(test.in+next), ttl.Options{Syntax: ttl.Turtle})
		lines := strings.Join(got.Lines(), "\n")
		if !strings.Contains(lines, test.want) || !strings.Contains(lines, `"next"`) || got.Lost() != test.lost ||
			len(got.Notices) != test.told {
			t.Errorf("%s\n%s\n%d lost; %v", test.in, lines, got.Lost(), got.Notices)
		}
		if n := got.Notices; len(n) == 1 && n[0].Code != fault.SyntaxBareIRI && !strings.Contains(test.in, "http://c/d") {
			t.Errorf("%s: %v", test.in, n)
		}
	}
	for _, line := range []string{"http://e/s <http://e/p> <http://e/o> .", "<http://e/s> http://e/p <http://e/o> .",
		"<http://e/s> <http://e/p> http://e/o .", "http://e/s http://e/p http://e/o ."} {
		got, _ := read(t, strings.NewReader(line+"\n"), ttl.Options{Syntax: ttl.NTriples})
		if lines := got.Lines(); len(lines) != 1 || lines[0] != "<http://e/s> <http://e/p> <http://e/o> ." || got.Lost() != 0 ||
			got.Notices[0].Code != fault.SyntaxBareIRI {
			t.Errorf("%s: %v, %v", line, lines, got.Notices)
		}
	}
}
