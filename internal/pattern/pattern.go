// Package pattern holds regular expressions that are compiled when they are first used.
// The program has over a hundred of them, and most of its verbs use none. Compiled at the start, as
// package-level variables of [regexp] are, they took a third of the time of a short verb.
package pattern

import (
	"regexp"
	"regexp/syntax"
	"sync"
)

// Pattern is a regular expression. Its methods are those of [regexp.Regexp], and
// may be called from several goroutines.
type Pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
	needs    []need // a match has what one of them says
}

// New returns the pattern of a text, which must be a regular expression as [regexp/syntax]
// has it; it is not looked at yet. It is to be called with a literal: a test of the
// whole module compiles those.
func New(text string) *Pattern { return &Pattern{text: text} }

// Regexp is the compiled expression.
func (p *Pattern) Regexp() *regexp.Regexp {
	p.once.Do(func() {
		p.compiled = regexp.MustCompile(p.text)
		if tree, err := syntax.Parse(p.text, syntax.Perl); err == nil {
			p.needs = needsOf(tree)
		} else {
			p.needs = []need{{}}
		}
	})
	return p.compiled
}

// Match says whether b holds a match.
func (p *Pattern) Match(b []byte) bool { return p.Regexp().Match(b) }

// MatchString says whether s holds a match.
func (p *Pattern) MatchString(s string) bool { return p.Regexp().MatchString(s) }

// Find is the first match in b, as a part of it; nil if there is none.
func (p *Pattern) Find(b []byte) []byte { return p.Regexp().Find(b) }

// FindIndex is where the first match in b begins and ends, in bytes; nil if there is none.
func (p *Pattern) FindIndex(b []byte) []int { return p.Regexp().FindIndex(b) }

// FindString is the first match in s; "" if there is none.
func (p *Pattern) FindString(s string) string { return p.Regexp().FindString(s) }

// FindSubmatch is the first match in b and its groups, as parts of it; nil if there is none.
func (p *Pattern) FindSubmatch(b []byte) [][]byte { return p.Regexp().FindSubmatch(b) }

// FindSubmatchIndex is where the first match in b and its groups begin and end, in pairs; nil if there is none.
func (p *Pattern) FindSubmatchIndex(b []byte) []int { return p.Regexp().FindSubmatchIndex(b) }

// FindStringSubmatch is the first match in s and its groups; nil if there is none.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.Regexp().FindStringSubmatch(s) }

// FindAllSubmatch are the first n matches in b and their groups, as parts of it; all if n < 0.
func (p *Pattern) FindAllSubmatch(b []byte, n int) [][][]byte {
	return p.Regexp().FindAllSubmatch(b, n)
}

// ReplaceAllString is s with by in place of each match; $1 in by is the first group.
func (p *Pattern) ReplaceAllString(s, by string) string { return p.Regexp().ReplaceAllString(s, by) }
