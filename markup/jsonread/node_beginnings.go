package jsonread

// starts are the names with which nodes begin in an array of nodes and in those that stand in them. A
// document is written by one program, as a rule. Where its items begin as nothing in them does, what
// begins so behind a fault is the next one.
type starts struct {
	all          []start
	items, inner int // that were looked at, and nodes in them
	values       int // items that are values
	named        int // items that have an @id
}

// start is the first two names of some nodes.
type start struct {
	first, second string
	items, inner  int // how many items begin so, and how many nodes in them
}

// manyStarts is how many are remembered, of so many items as startItems. At least sureItems items
// must begin alike. If there are nodes in items, at least sureInner of them must have been seen.
const manyStarts, startItems, sureItems, sureInner = 32, 256, 6, 24

// learnStart looks at a sound item.
func (p *parser) learnStart(s *shape, v *Value) {
	if !s.nodes || p.skipping || v.Kind != Object || s.starts != nil && s.starts.items >= startItems {
		return
	}
	if s.starts == nil {
		s.starts = new(starts)
	}
	s.starts.items++
	s.starts.note(v, true)
	if p.hasID(v) {
		s.starts.named++
	}
	if v.Get(p.words.Value) != nil {
		s.starts.values++
	}
}

// fewNamed is how many items are enough to tell what they have in common where the one before was broken.
const fewNamed = 2

// lacksName says that an item has no @id, as all others have, which are so many at least.
func (s *shape) lacksName(p *parser, v *Value, least int) bool {
	return s.starts != nil && s.starts.items >= least && mostly(s.starts.named, s.starts.items) && !p.hasID(v)
}

// lacksNode says that an item is a value, as no other is.
func (s *shape) lacksNode(p *parser, v *Value) bool {
	return s.starts != nil && s.starts.items >= fewNamed && s.starts.values == 0 && v.Get(p.words.Value) != nil
}

// note counts a node, and those in it.
func (s *starts) note(v *Value, item bool) {
	if len(v.Members) > 1 {
		if !item {
			s.inner++
		}
		if one := s.find(v.Members[0].Name, v.Members[1].Name); item && one != nil {
			one.items++
		} else if one != nil {
			one.inner++
		}
	}
	for i := range v.Members {
		for _, inner := range v.Members[i].Value.List() {
			if inner.Kind == Object {
				s.note(inner, false)
			}
		}
	}
}

// known is the start with two names; nil if there is none.
func (s *starts) known(first, second string) *start {
	for i := range s.all {
		if s.all[i].first == first && s.all[i].second == second {
			return &s.all[i]
		}
	}
	return nil
}

// find is the start with two names, a new one if there was none; nil if there are too many.
func (s *starts) find(first, second string) *start {
	if one := s.known(first, second); one != nil || len(s.all) == manyStarts {
		return one
	}
	s.all = append(s.all, start{first: first, second: second})
	return &s.all[len(s.all)-1]
}

// startsItem says that what begins with the brace at n begins as items do, and nothing in them.
func (p *parser) startsItem(n int, s *starts) bool {
	if s == nil || s.inner > 0 && s.inner < sureInner {
		return false
	}
	first, n := p.nameBehind(n + 1)
	if n < 0 {
		return false
	}
	if n = p.behindValue(n, n+nearBytes); n < 0 {
		return false
	}
	if n = p.behind(n); !p.comma(n) {
		return false
	}
	second, n := p.nameBehind(n + 1)
	if n < 0 {
		return false
	}
	one := s.known(first, second)
	return one != nil && one.items >= sureItems && one.inner == 0
}

func (p *parser) comma(n int) bool {
	b, ok := p.ahead(n)
	return ok && b == ','
}

// nameBehind is the name that follows n, as it is written, and the place of what follows its colon;
// -1 if there is none.
func (p *parser) nameBehind(n int) (string, int) {
	n = p.behind(n)
	if !p.memberAt(n) {
		return "", -1
	}
	end := n + 1
	for b, _ := p.ahead(end); b != '"'; b, _ = p.ahead(end) {
		if end++; b == '\\' {
			end++
		}
	}
	name := string(p.window[p.at+n+1 : p.at+end])
	return name, p.behind(p.behind(end+1) + 1)
}
