package ttl_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl"
)

// TestBackslashesOfATextAreAllEscapesOrNone reads paths and patterns that were not escaped. A want of "" is a loss.
func TestBackslashesOfATextAreAllEscapesOrNone(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`C:\temp\x`, `C:\temp\x`}, {`D:\reports\2020\new`, `D:\reports\2020\new`}, {`C:\Users\new`, `C:\Users\new`},
		{`C:\Program Files\bin\a.exe`, `C:\Program Files\bin\a.exe`}, {`x\files\y.txt`, `x\files\y.txt`},
		{`\\server\share\temp`, `\\server\share\temp`},
		{`\d+\.\d`, `\d+\.\d`}, {`\d\t\d`, `\d\t\d`}, {`see \alpha and \nu`, `see \alpha and \nu`}, {`a\xb`, `a\xb`},
		{`say \"x\" \q`, `say "x" \q`}, {`C:\\temp\x`, `C:\temp\x`}, {`C:\\temp\x\new`, ""}, {`\\d \d`, `\\d \d`}, {`a \\d \d`, `a \d \d`},
		{`C:\temp\x \"y\"`, ""}, {`C:\temp\x \u00e9`, ""},
		{`C:\\temp\\x`, `C:\temp\x`}, {`one\ntwo`, "one\ntwo"},
	} {
		for _, syntax := range []ttl.Syntax{ttl.NTriples, ttl.NQuads, ttl.Turtle, ttl.TriG} {
			got, _ := read(t, strings.NewReader(`<http://e/s> <http://e/p> "`+test.text+"\" .\n<http://e/s> <http://e/p> \"end\" .\n"),
				ttl.Options{Syntax: syntax})
			value := ""
			if len(got.Quads) == 2 {
				value = string(got.Quads[0].Object.Value)
			}
			isSound := test.want != "" && !strings.Contains(strings.ReplaceAll(test.text, `\\`, ""), `\`) || test.text == `one\ntwo`
			if value != test.want || len(got.Notices) > 1 || (len(got.Notices) == 0) != isSound || len(got.Quads)+got.Lost() != 2 {
				t.Errorf("%v %s: %q, want %q; %v", syntax, test.text, value, test.want, got.Notices)
			}
			for _, n := range got.Notices {
				if n.Code != fault.SyntaxEscape {
					t.Errorf("%v", n)
				}
			}
		}
	}
}
