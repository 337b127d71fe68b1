package pattern_test

import (
	"math/rand"
	"testing"

	"laundromat/internal/pattern"
)

func TestWhatMatchesMayMatch(t *testing.T) {
	patterns := []*pattern.Pattern{
		pattern.New(`abc`), pattern.New(`(?i)ab:c`), pattern.New(`[ab]c`), pattern.New(`[^a]b`), pattern.New(`a|b:|;`),
		pattern.New(`(?:a|b)+c`),
		pattern.New(`(?:a|b)*c`), pattern.New(`a{2,3}b`), pattern.New(`a{0,3}b`), pattern.New(`a?b`), pattern.New(`\A\s*a`),
		pattern.New(`(?m)^a$`),
		pattern.New(`é|è`), pattern.New(`(?i)é`), pattern.New(`(?i)k`), pattern.New(`[a-z]:`),
		pattern.New(`(a|b)(c|:)(;|a)(b|c)(a|:)(b|;)(c|a)(b|:)`),
		pattern.New(``), pattern.New(`(?s:.*)a`), pattern.New(`\ba\b`), pattern.New(`(?:)|a`), pattern.New(`[^\x00-\x{10FFFF}]`),
		pattern.New(`(?:a(?:b|:c)|;{2}d)e?`), pattern.New(`\{\{(?i:infobox)\b|\[\[(?:a|b):`), pattern.New("\u212a"), pattern.New(`[é]a`),
		pattern.New(`(?i)abc`), pattern.New(`(?i)a(?:kb|sc|cd):`), pattern.New(`(?i:ab)cd|(?i)da`),
		pattern.New(`(?i)bka`), pattern.New(`(?i)[b]c`),
	}
	pieces := []string{"a", "b", "c", "d", ":", ";", "A", "B", "C", "é", "É", "è", "k", "K", "\u212a", "\n", " ", "{{", "infobox", "[[",
		"aa", "abc", "ab:c", "ab", "cD", "\u017f"}
	random := rand.New(rand.NewSource(1))
	matched, passed := 0, 0
	for range 20000 {
		text := ""
		for range random.Intn(7) {
			text += pieces[random.Intn(len(pieces))]
		}
		asked := pattern.TextOf([]byte(text))
		for i, p := range patterns {
			switch is, may := p.Match([]byte(text)), p.MayMatch(&asked); {
			case is && !may:
				t.Fatalf("%q matches pattern %d (%s), and has not what that needs", text, i, p.Regexp())
			case is:
				matched++
			case !may:
				passed++
			}
		}
	}
	if matched == 0 || passed < matched/4 {
		t.Errorf("%d matches; %d were passed over", matched, passed)
	}
}
