package ttl_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl"
)

// TestNothingOfALiteralBeyondTheLimitIsReadAsStatements puts Turtle into literals that are longer than may be held.
func TestNothingOfALiteralBeyondTheLimitIsReadAsStatements(t *testing.T) {
	const most = 4 << 10
	inner := func(quote string) string {
		var b strings.Builder
		for i := range 300 {
			fmt.Fprintf(&b, "<http://evil/z%d> <http://evil/p> %s%d%s .\n", i, quote, i, quote)
		}
		return b.String()
	}
	words := strings.Repeat("Words with a full stop. And more of them; so, it goes on. ", 200)
	for _, test := range []struct {
		name, object string // the object, with what is behind it up to the next statement
		behind       int    // statements of the same subject that are kept
	}{
		{"statements", `"""` + inner(`"`) + `""" .`, 0},
		{"statements in single quotes", `'''` + inner(`'`) + `''' .`, 0},
		{"words", `"""` + words + `""" .`, 0},
		{"words on a line", `"` + words + `" .`, 0},
		{"apostrophes", `'` + words + `' .`, 0},
		{"an escaped end", `"""` + words + `\"""` + inner(`"`) + `""" .`, 0},
		{"quotation marks before the end", `"""` + inner(`"`) + `"""" .`, 0},
		{"three quotation marks before words", `"""` + words + `"""word ` + inner(`"`) + `""" .`, 0},
		{"another predicate", `"""` + inner(`"`) + `""" ; <http://e/q> 1 .`, 1},
		{"another object on the line", `"` + words + `" , 1 .`, 1},
		{"a language", `"""` + inner(`"`) + `"""@en , 1 .`, 1},
		{"a datatype", `"""` + inner(`"`) + `"""^^<http://e/wkt> ; <http://e/q> 1 .`, 1},
		{"a line end before the dot", `"""` + inner(`"`) + "\"\"\"\n.", 0},
		{"brackets", `"""` + strings.ReplaceAll(inner(`"`), ".", "] } ) .") + `""" .`, 0},
		{"within brackets", `[ <http://e/q> """` + inner(`"`) + `""" ] .`, 1},
	} {
		for _, syntax := range []ttl.Syntax{ttl.Turtle, ttl.TriG} {
			t.Run(syntax.String()+"/"+test.name, func(t *testing.T) {
				in := "<http://e/s> <http://e/p> " + test.object + "\n<http://e/s> <http://e/p> \"next\" .\n"
				got, _ := read(t, strings.NewReader(in), ttl.Options{Syntax: syntax, MaxToken: most})
				lines := strings.Join(got.Lines(), "\n")
				if strings.Contains(lines, "evil") || !strings.Contains(lines, `"next"`) || len(got.Quads) != test.behind+1 {
					t.Errorf("%d statements, with %q", len(got.Quads), lines[:min(len(lines), 400)])
				}
				if got.Lost() != 1 || len(got.Notices) != 1 || got.Notices[0].Code != fault.LimitToken ||
					!strings.Contains(got.Notices[0].Message, "--max-literal") {
					t.Errorf("%d lost; %v", got.Lost(), got.Notices[:min(len(got.Notices), 5)])
				}
			})
		}
	}
}
