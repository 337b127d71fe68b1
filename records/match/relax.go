package match

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"laundromat/internal/spelling"
)

// candidate is a selector to be tried for one that fails. Its cost is the distance between
// the two. It is 0 for the same, and some 0.5 for one that has only the place of an element
// in common.
type candidate struct {
	text string
	cost float64
}

// maxCandidates bounds the selectors that are tried for one.
const maxCandidates = 600

// candidates are selectors near to one. Their steps are joined more loosely, or a step is
// left out, or a class or an id of the page replaces another. Others lead to the elements
// that hold what is expected.
func (x *diagnosis) candidates(m *matcher, sel *selector, scopes []scope) (all []candidate) {
	names := x.names(scopes)
	for i := range sel.chains {
		steps := partsOf(&sel.chains[i])
		all = append(all, loosened(steps)...)
		all = append(all, renamed(steps, names)...)
		for _, c := range loosened(steps) {
			if len(steps) > 1 && c.cost <= 0.17 {
				for _, d := range renamed(partsOfText(c.text), names) {
					d.cost += c.cost
					all = append(all, d)
				}
			}
			if len(all) > maxCandidates {
				break
			}
		}
	}
	last := ""
	if len(sel.chains) > 0 {
		last = sel.chains[0].steps[len(sel.chains[0].steps)-1].text
	}
	if last != "" {
		// What was moved out of the current node may follow it.
		all = append(all, candidate{"~ " + last, 0.3}, candidate{"+ " + last, 0.31}, candidate{"~ * " + last, 0.32})
	}
	for _, e := range x.holders(m, scopes) {
		all = append(all, leadingTo(e, scopes, last)...)
	}
	return all[:min(len(all), 3*maxCandidates)]
}

// joint is a step with its combinator, for writing selectors.
type joint struct {
	combinator byte
	text       string
}

func partsOf(c *chain) (parts []joint) {
	for _, s := range c.steps {
		parts = append(parts, joint{s.combinator, s.text})
	}
	return parts
}

func partsOfText(text string) []joint {
	c, err := parseChain(text, false)
	if err != nil {
		return nil
	}
	return partsOf(&c)
}

func written(parts []joint) string {
	var b strings.Builder
	for i, p := range parts {
		switch {
		case p.combinator != ' ':
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteByte(p.combinator)
			b.WriteByte(' ')
		case i > 0:
			b.WriteByte(' ')
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// loosened are selectors that match more: a descendant for a child, a step less, a condition less.
func loosened(parts []joint) (all []candidate) {
	loose := slices.Clone(parts)
	for i := range parts {
		if parts[i].combinator == '>' {
			one := slices.Clone(parts)
			one[i].combinator = ' '
			loose[i].combinator = ' '
			all = append(all, candidate{written(one), 0.03})
		}
	}
	all = append(all, candidate{written(loose), 0.05})
	for i := range parts {
		if len(parts) > 1 {
			less := slices.Delete(slices.Clone(loose), i, i+1)
			cost := 0.17 // more than another name: a selector that keeps its steps stays as strict
			if i == len(parts)-1 {
				cost = 0.3
			}
			all = append(all, candidate{written(less), cost})
			if strict := slices.Delete(slices.Clone(parts), i, i+1); strict[min(i, len(strict)-1)].combinator == '>' {
				all = append(all, candidate{written(strict), cost + 0.02})
			}
		}
		for _, less := range withoutPart(parts[i].text) {
			one := slices.Clone(parts)
			one[i].text = less
			all = append(all, candidate{written(one), 0.2})
		}
	}
	if len(parts) > 2 {
		all = append(all, candidate{written(loose[len(loose)-1:]), 0.2})
	}
	return all
}

// conditions are the parts of a compound: its tag, classes, id, attributes and pseudo-classes.
func conditions(compound string) (parts []string) {
	from := 0
	_ = top(compound+" ", func(i int) int {
		if i > from && (i == len(compound) || strings.IndexByte(".#:", compound[i]) >= 0) {
			parts = append(parts, compound[from:i])
			from = i
		}
		return 1
	})
	for i := 0; i < len(parts); i++ {
		if open := strings.IndexByte(parts[i], '['); open > 0 && !strings.HasPrefix(parts[i], ":") {
			parts = slices.Insert(parts, i+1, parts[i][open:])
			parts[i] = parts[i][:open]
		}
	}
	return parts
}

func withoutPart(compound string) (all []string) {
	parts := conditions(compound)
	for i := range parts {
		if len(parts) > 1 {
			all = append(all, strings.Join(slices.Delete(slices.Clone(parts), i, i+1), ""))
		}
	}
	return all
}

// names are the classes and ids in the scopes, as .class and #id, and the names of elements.
func (x *diagnosis) names(scopes []scope) (all []string) {
	seen := map[string]bool{}
	add := func(s string) {
		if !seen[s] && len(all) < 300 {
			seen[s] = true
			all = append(all, s)
		}
	}
	for _, s := range scopes[:min(len(scopes), 10)] {
		if s.at.kind != elementItem {
			continue
		}
		n := 0
		eachNode(s.at.el, func(e *html.Node) bool {
			n++
			for _, a := range e.Attr {
				switch a.Key {
				case "class":
					for _, c := range strings.Fields(a.Val) {
						add("." + escapeName(c))
					}
				case "id":
					if !strings.Contains(a.Val, " ") && a.Val != "" {
						add("#" + escapeName(a.Val))
					}
				}
			}
			add(e.Data)
			return n < 20_000
		})
	}
	return all
}

// renamed are selectors with one class, id or tag in place of another, the nearest by spelling
// first.
func renamed(parts []joint, names []string) (all []candidate) {
	for i := range parts {
		pieces := conditions(parts[i].text)
		for j, piece := range pieces {
			if piece[0] == ':' || piece[0] == '[' {
				continue
			}
			for _, name := range names {
				if name == piece {
					continue
				}
				cost := 0.06 + 0.1*farness(piece, name)
				if piece[0] != name[0] && (piece[0] == '.' || piece[0] == '#' || name[0] == '.' || name[0] == '#') {
					if cost += 0.1; bareName(piece) == bareName(name) {
						cost -= 0.08 // only the dot is missing
					}
					if isTag(name) && len(pieces) > 1 || isTag(piece) && len(pieces) > 1 {
						continue
					}
				}
				other := slices.Clone(pieces)
				other[j] = name
				one := slices.Clone(parts)
				one[i].text = strings.Join(other, "")
				all = append(all, candidate{written(one), cost})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch {
		case a.cost < b.cost:
			return -1
		case a.cost > b.cost:
			return 1
		}
		return 0
	})
	return all[:min(len(all), maxCandidates)]
}

func isTag(name string) bool { return name[0] != '.' && name[0] != '#' }

// bareName is a name without the sign of a class or an id.
func bareName(s string) string { return strings.TrimLeft(s, ".#") }

// farness is how unlike two names are, from 0 to 1.
func farness(a, b string) float64 {
	longest := max(len(a), len(b))
	x, y := bareName(a), bareName(b)
	switch {
	case x == y:
		return 0
	case len(x) >= 3 && strings.Contains(y, x), len(y) >= 3 && strings.Contains(x, y):
		return 0.3
	}
	return float64(min(longest, spelling.Distance([]byte(a), []byte(b)))) / float64(longest)
}

// leadingTo are selectors that lead to an element: by its classes, by its tag, by what is
// around it, and by its place.
func leadingTo(e *html.Node, scopes []scope, last string) (all []candidate) {
	own := namesOf(e)
	for _, n := range own {
		all = append(all, candidate{n, 0.2})
		if n == last {
			all[len(all)-1].cost = 0.165
		}
	}
	around := parentOf(e)
	for depth := 0; around != nil && depth < 3; depth++ {
		if isScope(around, scopes) {
			break
		}
		for _, a := range namesOf(around) {
			for _, n := range own {
				cost := 0.22 + 0.03*float64(depth)
				if n == last {
					cost -= 0.1
				}
				if isTag(a) {
					cost += 0.05
				}
				all = append(all, candidate{a + " " + n, cost})
				if depth == 0 {
					all = append(all, candidate{a + " > " + n, cost + 0.01})
				}
			}
		}
		around = parentOf(around)
	}
	i := 1
	for p := before(e); p != nil; p = before(p) {
		i++
	}
	return append(all, candidate{e.Data + ":nth-child(" + strconv.Itoa(i) + ")", 0.35})
}

func isScope(n *html.Node, scopes []scope) bool {
	return slices.ContainsFunc(scopes, func(s scope) bool { return s.at.el == n })
}

// namesOf are compounds that an element fits: by id, by each class, and by its tag.
func namesOf(e *html.Node) (all []string) {
	if id, ok := attrOf(e, "id"); ok && id != "" && !strings.ContainsAny(id, cssSpace) {
		all = append(all, "#"+escapeName(id))
	}
	if class, ok := attrOf(e, "class"); ok {
		for _, c := range strings.Fields(class) {
			all = append(all, "."+escapeName(c), e.Data+"."+escapeName(c))
		}
	}
	return append(all, e.Data)
}
