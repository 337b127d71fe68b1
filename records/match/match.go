// Package match makes records of pages, XML and JSON by the part select of a spec. That is a
// tree of matchers, whose shape is the shape of the records.
//
//	m, err := match.Compile(spec.Select, match.Options{Source: match.HTML})
//	counts, err := m.HTML(ctx, match.Document{Name: "page.html", URL: "https://example.org/"}, text, sink)
//
// A mapping makes a record, and a text is a selector. A list of one is the texts of all
// matches, a list of two a record for each match. The matchers that are written as a mapping
// with one key are in the table of compile.go. Every field knows its place in the text, and
// its element.
//
// Package match fetches nothing; [Plan] tells which pages come next.
package match

import (
	"fmt"
	"slices"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/spec"
)

// Options of a matcher; zero values mean what is said here.
type Options struct {
	// Source is what the matcher works on. If it is known, a selector of the wrong kind is
	// refused when the spec is compiled.
	Source Source
	// Expr compiles an expression. The function that it returns is called with the record
	// that the expression is in, and with the present node as a value. The record has all
	// fields but those by later expressions. Without it a spec with expr is refused.
	Expr func(*spec.Node) (func(*records.Record, records.Value) (records.Value, error), error)

	MaxDepth   int   // how deeply matchers are nested: 50
	MaxRecords int64 // of a page: 1,000,000
	MaxSteps   int64 // the elements that selectors may look at, of a page: 500 million
	MaxBytes   int64 // of the values of a page: 1 GiB
	MaxMemory  int64 // of a page with its tree; 0 is no limit
}

func (o *Options) applyDefaults() {
	for _, d := range []struct {
		option *int64
		value  int64
	}{{&o.MaxRecords, 1_000_000}, {&o.MaxSteps, 500_000_000}, {&o.MaxBytes, 1 << 30}} {
		if *d.option <= 0 {
			*d.option = d.value
		}
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = 50
	}
}

// Finding is a notice about a spec: File is the file of the spec, and the place is in it.
type Finding struct {
	File string
	fault.Notice
}

// Matcher makes records by a compiled part select. It can be used by several goroutines.
type Matcher struct {
	opt       Options
	root      *matcher
	each      *selector // where select is a list: a record for each match
	findings  []Finding
	selectors []*selector
	elements  bool // something is made of elements alone
}

// Within is the same matcher with another limit of memory.
func (m *Matcher) Within(maxMemory int64) *Matcher {
	within := *m
	within.opt.MaxMemory = maxMemory
	return &within
}

// Findings are notes and warnings about the spec itself, as on old paths.
func (m *Matcher) Findings() []Finding { return m.findings }

// Fits says that the selectors select from a source; the error names one that does not.
func (m *Matcher) Fits(source Source) error { return m.check(source) }

// OnElements says that something in select is for elements alone: a selector that is no name or path of members,
// or an attribute.
func (m *Matcher) OnElements() bool {
	return m.elements || slices.ContainsFunc(m.selectors, func(s *selector) bool { return s.query == nil })
}

// IsList says that select is a list: it makes a record of each match.
func (m *Matcher) IsList() bool { return m.each != nil }

// listener takes notices.
type listener interface{ Notice(fault.Notice) }

// The codes of findings, short.
const (
	oldPath         = fault.RecordOldPath
	selectorFailed  = fault.RecordSelectorFailed
	groupsUnused    = fault.RecordGroupsUnused
	likeMatcher     = fault.RecordLikeMatcher
	notConverted    = fault.RecordNotConverted
	withoutZone     = fault.RecordDateZone
	linkWithoutBase = fault.RecordLinkBase
	exprFailed      = fault.RecordExprFailed
	nothingFound    = fault.RecordNothingFound
	workLimit       = fault.RecordLimitWork
)

func quoted(s string) string { return fmt.Sprintf("%q", s) }
