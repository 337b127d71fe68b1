package match

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/spec"
)

// Suggestion is a selector of a spec that fails on a page, and what to write instead.
type Suggestion struct {
	File         string
	Line, Column int    // of the selector in the spec
	Field        string // the field it is for, with those around it: "hcard.name"
	Selector     string // as it is written
	Matches      int    // how many elements it matches
	Proposals    []Proposal
}

// Proposal is a selector that may stand for one that fails.
type Proposal struct {
	Selector string
	Matches  int
	// Right is the share of the expected values that it gives, from 0 to 1; without expected
	// values, of the places where it finds something.
	Right float64
	score float64
}

// maxProposals is how many proposals a suggestion has at most.
const maxProposals = 5

// Diagnose runs a matcher over a page that it should fit. It returns the selectors that fail, each with the nearest
// that do not, best first. The parameter expected has the records that the page should give. Without them only
// selectors that match nothing are found.
func (m *Matcher) Diagnose(ctx context.Context, d Document, page []byte, expected []records.Value) ([]Suggestion, error) {
	if err := m.check(HTML); err != nil {
		return nil, err
	}
	t, err := htmlTree(ctx, page, &m.opt, unheard{})
	if err != nil {
		return nil, err
	}
	r := m.run(ctx, d, unheard{})
	r.tree = t
	x := &diagnosis{r: r}
	root := scope{at: item{kind: elementItem, el: t.document}, known: expected != nil}
	switch {
	case m.each != nil:
		if expected != nil {
			root.want = &records.Value{Kind: records.List, Items: expected}
		}
		x.explore(&matcher{node: m.root.node, do: all{m.each, m.root}}, "", []scope{root})
	default:
		if len(expected) > 0 {
			root.want = &expected[0]
		}
		x.explore(m.root, "", []scope{root})
	}
	return x.found, nil
}

// unheard is a sink for trials.
type unheard struct{}

func (unheard) Record(*records.Record) error { return nil }
func (unheard) Notice(fault.Notice)          {}

// scope is a place where a matcher is tried, with what it should give there.
type scope struct {
	at    item
	want  *records.Value // nil where nothing is expected, or where that is not known
	known bool
}

// diagnosis looks for the selectors that fail.
type diagnosis struct {
	r     *run
	found []Suggestion
}

// explore looks at a matcher in all the scopes where it is used.
func (x *diagnosis) explore(m *matcher, field string, scopes []scope) {
	scopes = slices.DeleteFunc(slices.Clone(scopes), func(s scope) bool { return s.known && s.want == nil })
	if len(scopes) == 0 || x.r.over() || scopes[0].known && x.right(m, scopes) == 1 {
		return
	}
	sel := selectorOf(m)
	if sel == nil {
		x.inside(m, field, scopes)
		return
	}
	matches, leaf := x.matches(m, scopes), isLeaf(m)
	now := x.right(m, scopes)
	proposals := x.proposals(m, sel, scopes)
	better := len(proposals) > 0 && proposals[0].Right > now
	outer := better && now < 0.5 && proposals[0].Right > now+0.3
	if outer && !leaf && matches > 0 && x.mendable(m, field, scopes, proposals[0].Right) {
		outer = false
	}
	switch {
	case matches == 0, leaf && scopes[0].known && better, outer:
		x.found = append(x.found, Suggestion{File: sel.node.File, Line: sel.node.Line, Column: sel.node.Column, Field: field,
			Selector: sel.text, Matches: matches, Proposals: proposals})
		if len(proposals) == 0 {
			return
		}
		c, err := parseCSS(proposals[0].Selector, false)
		if err != nil {
			return
		}
		m = withSelector(m, &selector{node: sel.node, text: proposals[0].Selector, chains: c})
	}
	if !leaf {
		x.inside(m, field, scopes)
	}
}

// mendable says that other selectors within a matcher do at least as well as another selector of
// its own would.
func (x *diagnosis) mendable(m *matcher, field string, scopes []scope, right float64) bool {
	within := &diagnosis{r: x.r}
	within.inside(m, field, scopes)
	for _, s := range within.found {
		if len(s.Proposals) == 0 || s.Proposals[0].Right < right {
			return false
		}
	}
	return len(within.found) > 0
}

// inside looks at the matchers in a matcher, in the scopes that it gives them.
func (x *diagnosis) inside(m *matcher, field string, scopes []scope) {
	var inner []scope
	if a, ok := m.do.(all); ok {
		for _, s := range scopes {
			n := 0
			x.eachMatch(a.sel, s.at, func(i item) {
				in := scope{at: i, known: s.known && s.want != nil && n < len(s.want.Items)}
				if in.known {
					in.want = &s.want.Items[n]
				}
				n++
				inner = append(inner, in)
			})
		}
		x.explore(a.of, field, inner)
		return
	}
	for _, s := range scopes {
		if found, ok := x.r.first(m.sel, s.at); ok {
			s.at = found
			inner = append(inner, s)
		}
	}
	switch do := m.do.(type) {
	case within:
		x.explore(do.of, field, inner)
	case conversion:
		x.explore(do.of, field, inner)
	case *expressionMatcher:
		x.explore(do.of, field, inner)
	case alternatives:
		x.explore(do.of[0], field, do.wanted(inner))
	case *record:
		for i := range do.fields {
			x.field(&do.fields[i], field, inner)
		}
	}
}

// wanted are the scopes in which the first of the matchers should find something: not those
// where a constant behind it is what is expected.
func (a alternatives) wanted(scopes []scope) (all []scope) {
	for _, s := range scopes {
		other := slices.ContainsFunc(a.of[1:], func(m *matcher) bool {
			c, ok := m.do.(constant)
			return ok && s.known && s.want != nil && c.value.Equal(*s.want)
		})
		if !other {
			all = append(all, s)
		}
	}
	return all
}

func (x *diagnosis) field(f *recordField, around string, scopes []scope) {
	if f.matcher.late {
		return
	}
	var inner []scope
	for _, s := range scopes {
		in := scope{at: s.at, known: s.known}
		if s.want != nil {
			in.want = wantOf(f, s.want)
		}
		inner = append(inner, in)
	}
	name := f.name
	if around != "" {
		name = around + "." + name
	}
	x.explore(f.matcher, name, inner)
}

// wantOf is what a field of a record should be; nil if nothing.
func wantOf(f *recordField, rec *records.Value) *records.Value {
	if !f.matcher.spreads {
		if v, ok := rec.Get(f.name); ok {
			return &v
		}
		return nil
	}
	v := records.Value{Kind: records.Object}
	for _, name := range f.names {
		if value, ok := rec.Get(name); ok {
			v.Fields = append(v.Fields, records.Field{Name: name, Value: value})
		}
	}
	if len(v.Fields) == 0 {
		return nil
	}
	return &v
}

func (x *diagnosis) eachMatch(sel *selector, at item, f func(item)) {
	if sel == nil {
		f(at)
		return
	}
	x.r.every(sel, at, func(i item) bool { f(i); return !x.r.over() })
}

// matches is how many elements the selector of a matcher finds in all scopes.
func (x *diagnosis) matches(m *matcher, scopes []scope) (n int) {
	for _, s := range scopes {
		x.eachMatch(selectorOf(m), s.at, func(item) { n++ })
	}
	return n
}

// right is how much of what is expected a matcher gives, from 0 to 1.
func (x *diagnosis) right(m *matcher, scopes []scope) float64 {
	sum := 0.0
	for _, s := range scopes {
		v, ok := m.find(x.r, s.at)
		switch {
		case !ok:
		case s.known && s.want != nil:
			sum += likeness(&v.value, s.want)
		default:
			sum++
		}
	}
	return sum / float64(len(scopes))
}

// likeness is how much of a wanted value there is in a value, from 0 to 1.
func likeness(got, want *records.Value) float64 {
	if got.Kind != want.Kind {
		return 0
	}
	sum, n := 0.0, 0
	switch want.Kind {
	case records.Object:
		for i := range want.Fields {
			if v, ok := got.Get(want.Fields[i].Name); ok {
				sum += likeness(&v, &want.Fields[i].Value)
			}
		}
		n = max(len(want.Fields), len(got.Fields))
	case records.List:
		for i := range want.Items {
			if i < len(got.Items) {
				sum += likeness(&got.Items[i], &want.Items[i])
			}
		}
		n = max(len(want.Items), len(got.Items))
	default:
		if got.Text == want.Text {
			return 1
		}
		return 0
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}

// selectorOf is the selector that a matcher begins with.
func selectorOf(m *matcher) *selector {
	if m.sel != nil {
		return m.sel
	}
	if a, ok := m.do.(all); ok {
		return a.sel
	}
	return nil
}

func withSelector(m *matcher, s *selector) *matcher {
	n := *m
	if m.sel != nil {
		n.sel = s
		return &n
	}
	a := m.do.(all)
	a.sel = s
	n.do = a
	return &n
}

// isLeaf says that there are no further selectors in a matcher.
func isLeaf(m *matcher) bool {
	switch do := m.do.(type) {
	case *record, alternatives:
		return false
	case within:
		return do.of.sel == nil && isLeaf(do.of)
	case conversion:
		return do.of.sel == nil && isLeaf(do.of)
	case *expressionMatcher:
		return do.of.sel == nil && isLeaf(do.of)
	case all:
		return do.of.sel == nil && isLeaf(do.of)
	}
	return true
}

// proposals are the selectors that do better than one that fails, best first.
func (x *diagnosis) proposals(m *matcher, sel *selector, scopes []scope) (best []Proposal) {
	now := x.right(m, scopes)
	for _, c := range x.candidates(m, sel, scopes) {
		chains, err := parseCSS(c.text, false)
		if err != nil || c.text == sel.text || c.text == sel.css {
			continue
		}
		trial := withSelector(m, &selector{node: &spec.Node{}, text: c.text, chains: chains})
		matches := x.matches(trial, scopes)
		if matches == 0 {
			continue
		}
		p := Proposal{Selector: c.text, Matches: matches, Right: x.right(trial, scopes)}
		if p.Right <= now && scopes[0].known || x.r.over() {
			continue
		}
		p.score = p.Right - c.cost
		if !scopes[0].known {
			// Nothing tells what is right: as many matches as there are places, or a few, are likely.
			p.score -= 0.1 * float64(max(0, matches-4*len(scopes))) / float64(matches)
		}
		best = append(best, p)
	}
	slices.SortStableFunc(best, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.Selector), len(b.Selector)))
	})
	seen := map[string]bool{}
	best = slices.DeleteFunc(best, func(p Proposal) bool {
		again := seen[p.Selector]
		seen[p.Selector] = true
		return again
	})
	return best[:min(len(best), maxProposals)]
}

// holders are the elements in the scopes that give the wanted value by themselves.
func (x *diagnosis) holders(m *matcher, scopes []scope) (found []*html.Node) {
	one := *m
	one.sel = nil
	a, isAll := m.do.(all)
	if isAll {
		one = *a.of
	}
	for _, s := range scopes[:min(len(scopes), 3)] {
		want := s.want
		if isAll && want != nil {
			if len(want.Items) == 0 {
				continue
			}
			want = &want.Items[0]
		}
		if !s.known || want == nil || s.at.kind != elementItem {
			continue
		}
		n := 0
		eachNode(s.at.el, func(e *html.Node) bool {
			if n++; n > 5000 || x.r.over() {
				return false
			}
			if v, ok := one.find(x.r, item{kind: elementItem, el: e}); ok && likeness(&v.value, want) > 0.6 {
				found = append(found, e)
			}
			return len(found) < 40
		})
	}
	return found
}

// eachNode calls f with the elements in a node, until it returns false.
func eachNode(n *html.Node, f func(*html.Node) bool) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (!f(c) || !eachNode(c, f)) {
			return false
		}
	}
	return true
}
