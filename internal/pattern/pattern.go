// Package pattern holds regular expressions that are compiled when they are first used.
// The program has over a hundred of them, and most of its verbs use none. Compiled at the start, as
// package-level variables of [regexp] are, they took a third of the time of a short verb.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. Its methods are those of [regexp.Regexp], and
// may be called from several goroutines.
type Pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// New returns the pattern of a text, which must be a regular expression as [regexp/syntax]
// has it; it is not looked at yet. It is to be called with a literal: a test of the
// whole module compiles those.
func New(text string) *Pattern { return &Pattern{text: text} }

// Regexp is the compiled expression.
func (p *Pattern) Regexp() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}

func (p *Pattern) Match(b []byte) bool                  { return p.Regexp().Match(b) }
func (p *Pattern) MatchString(s string) bool            { return p.Regexp().MatchString(s) }
func (p *Pattern) Find(b []byte) []byte                 { return p.Regexp().Find(b) }
func (p *Pattern) FindIndex(b []byte) []int             { return p.Regexp().FindIndex(b) }
func (p *Pattern) FindString(s string) string           { return p.Regexp().FindString(s) }
func (p *Pattern) FindSubmatch(b []byte) [][]byte       { return p.Regexp().FindSubmatch(b) }
func (p *Pattern) FindSubmatchIndex(b []byte) []int     { return p.Regexp().FindSubmatchIndex(b) }
func (p *Pattern) FindStringSubmatch(s string) []string { return p.Regexp().FindStringSubmatch(s) }
func (p *Pattern) FindAllSubmatch(b []byte, n int) [][][]byte {
	return p.Regexp().FindAllSubmatch(b, n)
}
func (p *Pattern) ReplaceAllString(s, by string) string { return p.Regexp().ReplaceAllString(s, by) }
func (p *Pattern) ReplaceAllFunc(b []byte, by func([]byte) []byte) []byte {
	return p.Regexp().ReplaceAllFunc(b, by)
}
