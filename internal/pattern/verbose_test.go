package pattern_test

import (
	"regexp"
	"testing"

	"laundromat/internal/pattern"
)

func TestTheFlagXLeavesOutSpaceAndComments(t *testing.T) {
	for _, c := range [][2]string{
		{`a b # c`, `a b # c`}, {`(?i)a b`, `(?i)a b`},
		{`(?x) a b # c`, `ab`}, {"(?x)\n (\\d+) # the day\n \\s+ (\\w+) # (the month\n", `(\d+)\s+(\w+)`},
		{`(?ix)A b`, `(?i)Ab`}, {`(?xi) a`, `(?i)a`}, {`(?x)[ #] \ \#`, `[ #]\ \#`},
		{`(?x)[] ] [^] a] [[:alpha:] ]`, `[] ][^] a][[:alpha:] ]`},
		{`(?x: a b) c d`, `(?:ab) c d`}, {`a ((?x) b c) d`, `a (bc) d`}, {`(?x) a (?-x) b`, `a b`}, {`(?x) a (?-x: b ) c`, `a(?: b )c`},
		{`(?x) \Q a # \E b`, `\Q a # \Eb`}, {`(?x) (?P<n> a ) (?: b )`, `(?P<n>a)(?:b)`}, {`(?x) \d {2}`, `\d{2}`},
		{`(?i-x) a b`, `(?i) a b`},
		{`(?x)`, ``}, {`(`, `(`}, {`(?x`, `(?x`}, {`(?x) [a`, `[a`}, {`(?x) a\`, `a\`}, {`)(?x) a`, `)a`},
	} {
		if got := pattern.Plain(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

// FuzzPlainIsAnExpressionAgain: what is an expression stays one, and the same where no flag x is in it.
func FuzzPlainIsAnExpressionAgain(f *testing.F) {
	for _, s := range []string{`(?x) a # b`, `(?ix:[ ]a) b`, `\Qa`, `(a|b)*`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := regexp.Compile(s); err != nil {
			pattern.Plain(s)
			return
		}
		if got := pattern.Plain(s); got != s { // no expression of Go has the flag
			t.Errorf("%q: %q", s, got)
		}
	})
}
