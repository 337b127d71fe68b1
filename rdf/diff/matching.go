package diff

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
)

// Nodes are matched step by step, the surest first:
//
//  1. Each gets a colour by what is said of it. Then it gets one by that and the colours of
//     the nodes that it shares statements with. This goes on until no more can be
//     distinguished. It is colour refinement, as in RDFC-1.0 and in tests of isomorphism. A
//     colour that one node on each side has matches these. From a match it goes on to the
//     nodes next to it. Of several with the same colour the first are taken, those of the
//     same name before others.
//  2. What changed has changed the colours around it. So nodes are compared by their own
//     statements alone, in which nodes that are matched stand for what they are.
//  3. A node whose own statements changed is found by a statement that, except for such
//     nodes, is once on each side. An example is the address of the same person.
//  4. What is left is matched by its name.
//
// Steps 2 and 3 are repeated as long as they find something, up to a bound. A match
// under which no statement is the same is none.
const (
	deepRounds = 32 // of step 1: what lies so far from what distinguishes nodes is not seen
	mostPasses = 32 // of steps 2 and 3
)

// match finds the partners of nodes, and which statements are the same then.
func (g *graphs) match(ctx context.Context) error {
	for i := range g.sides {
		g.sides[i].prepare()
	}
	if err := g.refine(ctx, deepRounds); err != nil {
		return err
	}
	g.pairColours()
	for range mostPasses {
		if err := g.refine(ctx, 1); err != nil {
			return err
		}
		if g.pairColours() == 0 && g.pairStatements() == 0 {
			break
		}
	}
	g.pairNames()
	g.keepSame()
	return ctx.Err()
}

// mix spreads the bits of x (the finaliser of MurmurHash3's successor splitmix64). A
// collision of colours costs a match, and makes no wrong one that is not seen.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// fixed is the colour of a node that is matched, the same on both sides; else 0.
func (g *graphs) fixed(of Side, node uint32) uint64 {
	partner, ok := g.partner(of, node)
	if !ok {
		return 0
	}
	if of == Before {
		partner = node
	}
	return mix(uint64(partner)<<1 | 1)
}

// refine colours the nodes that are not matched, by what is said of them up to so many
// statements away.
func (g *graphs) refine(ctx context.Context, rounds int) error {
	var told [2]int
	for i := range g.sides {
		for node := range g.sides[i].colours {
			if g.sides[i].colours[node] = g.fixed(Side(i), uint32(node)); g.sides[i].partners[node] == 0 {
				g.sides[i].colours[node] = 1
			}
		}
	}
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		more := false
		for i := range g.sides {
			g.sides[i].recolour()
			if rounds > 1 {
				n := g.sides[i].countColours()
				more = more || n > told[i]
				told[i] = n
			}
		}
		if !more {
			break
		}
	}
	return nil
}

// recolour is one round of refinement.
func (s *side) recolour() {
	clear(s.sums)
	for i := range s.ground {
		nodes := s.of(uint32(i))
		if s.isClosed(nodes) {
			continue
		}
		said := s.signature(uint32(i), s.colours)
		for j, node := range nodes {
			s.sums[node] += mix(said + uint64(j))
		}
	}
	for node, sum := range s.sums {
		if s.partners[node] == 0 {
			s.colours[node] = mix(s.colours[node] ^ mix(sum))
		}
	}
}

// signature is what a statement says if its nodes are no more than their colours.
func (s *side) signature(statement uint32, colours []uint64) uint64 {
	said := binary.LittleEndian.Uint64(s.ground[statement][:8])
	for _, node := range s.of(statement) {
		said = mix(said) ^ colours[node]
	}
	return mix(said)
}

// isClosed says that all nodes are matched.
func (s *side) isClosed(nodes []uint32) bool {
	for _, node := range nodes {
		if s.partners[node] == 0 {
			return false
		}
	}
	return true
}

// countColours counts the colours of nodes that are not matched.
func (s *side) countColours() int {
	colours := make([]uint64, 0, len(s.colours))
	for node, colour := range s.colours {
		if s.partners[node] == 0 {
			colours = append(colours, colour)
		}
	}
	slices.Sort(colours)
	return len(slices.Compact(colours))
}

// marked is a node or statement with its colour or signature.
type marked struct {
	mark uint64
	id   uint32
}

func sortMarked(all []marked) {
	slices.SortFunc(all, func(a, b marked) int {
		return cmp.Or(cmp.Compare(a.mark, b.mark), cmp.Compare(a.id, b.id))
	})
}

// eachRun calls fn for each mark that is in both, with those that have it.
func eachRun(before, after []marked, fn func(before, after []marked)) {
	for len(before) > 0 && len(after) > 0 {
		a, b := runOf(before), runOf(after)
		switch c := cmp.Compare(before[0].mark, after[0].mark); {
		case c < 0:
			before = before[a:]
		case c > 0:
			after = after[b:]
		default:
			fn(before[:a], after[:b])
			before, after = before[a:], after[b:]
		}
	}
}

// runOf is how many have the mark of the first.
func runOf(all []marked) int {
	n := 1
	for n < len(all) && all[n].mark == all[0].mark {
		n++
	}
	return n
}

// pairColours matches nodes of the same colour and says how many.
func (g *graphs) pairColours() (matched int) {
	var open [2][]marked
	for i := range g.sides {
		s := &g.sides[i]
		for node, colour := range s.colours {
			if s.partners[node] == 0 {
				open[i] = append(open[i], marked{colour, uint32(node)})
			}
		}
		sortMarked(open[i])
	}
	var surest []uint32
	eachRun(open[Before], open[After], func(before, after []marked) {
		if len(before) == 1 && len(after) == 1 {
			g.pair(before[0].id, after[0].id)
			surest = append(surest, before[0].id)
		}
	})
	matched = len(surest) + g.spread(surest)
	eachRun(open[Before], open[After], func(before, after []marked) {
		if len(before) == 1 && len(after) == 1 {
			return
		}
		matched += g.pairAlike(before, after)
	})
	return matched
}

// pairAlike matches nodes that nothing distinguishes: those of the same name first, then
// in order, and after each what is next to it.
func (g *graphs) pairAlike(before, after []marked) (matched int) {
	pair := func(a, b uint32) {
		g.pair(a, b)
		matched += 1 + g.spread([]uint32{a})
	}
	s, to := &g.sides[Before], &g.sides[After]
	for _, a := range before {
		b, ok := to.ids[s.names[a.id]]
		if ok && s.partners[a.id] == 0 && to.partners[b] == 0 && to.colours[b] == a.mark {
			pair(a.id, b)
		}
	}
	for _, a := range before {
		for len(after) > 0 && to.partners[after[0].id] != 0 {
			after = after[1:]
		}
		if len(after) == 0 {
			break
		}
		if s.partners[a.id] == 0 {
			pair(a.id, after[0].id)
		}
	}
	return matched
}

func (g *graphs) pair(before, after uint32) {
	g.sides[Before].partners[before] = after + 1
	g.sides[After].partners[after] = before + 1
}

// spread matches the neighbours of nodes that are matched, in statements that say the same of nodes of
// the same colour. It goes on with the neighbours of those.
func (g *graphs) spread(queue []uint32) (matched int) {
	var open [2][]marked
	for len(queue) > 0 {
		before := queue[0]
		queue = queue[1:]
		after, _ := g.partner(Before, before)
		for i, node := range [...]uint32{before, after} {
			open[i] = g.openAt(open[i][:0], Side(i), node)
			sortMarked(open[i])
		}
		eachRun(open[Before], open[After], func(before, after []marked) {
			for i := range min(len(before), len(after)) {
				from := len(queue)
				queue = g.pairIn(queue, before[i].id, after[i].id, true)
				matched += len(queue) - from
			}
		})
	}
	return matched
}

// openAt appends the statements of a node in which others are not matched yet.
func (g *graphs) openAt(open []marked, of Side, node uint32) []marked {
	s := &g.sides[of]
	for _, statement := range s.statements(node) {
		nodes := s.of(statement)
		if s.isClosed(nodes) {
			continue
		}
		said := binary.LittleEndian.Uint64(s.ground[statement][:8])
		for _, n := range nodes {
			if fixed := g.fixed(of, n); fixed != 0 {
				said = mix(said) ^ fixed
			} else {
				said = mix(said) ^ s.colours[n]
			}
		}
		open = append(open, marked{said, statement})
	}
	return open
}

// pairIn matches the nodes of two statements by their places, if nothing speaks against any. It
// appends those of the one before that were not matched yet.
func (g *graphs) pairIn(queue []uint32, before, after uint32, coloured bool) []uint32 {
	a, b := &g.sides[Before], &g.sides[After]
	if a.ground[before] != b.ground[after] {
		return queue
	}
	from, to := a.of(before), b.of(after)
	for i, node := range from {
		switch partner := a.partners[node]; {
		case partner != 0 && partner != to[i]+1, partner == 0 && b.partners[to[i]] != 0:
			return queue
		case partner == 0 && coloured && a.colours[node] != b.colours[to[i]]:
			return queue
		}
	}
	for i, node := range from {
		if a.partners[node] == 0 {
			g.pair(node, to[i])
			queue = append(queue, node)
		}
	}
	return queue
}

// pairStatements matches the nodes of statements that say once on each side what they
// say, and says how many.
func (g *graphs) pairStatements() (matched int) {
	var open [2][]marked
	for i := range g.sides {
		s := &g.sides[i]
		for statement := range s.ground {
			if nodes := s.of(uint32(statement)); !s.isClosed(nodes) {
				said := binary.LittleEndian.Uint64(s.ground[statement][:8])
				for _, n := range nodes {
					said = mix(said) ^ g.fixed(Side(i), n)
				}
				open[i] = append(open[i], marked{said, uint32(statement)})
			}
		}
		sortMarked(open[i])
	}
	eachRun(open[Before], open[After], func(before, after []marked) {
		if len(before) == 1 && len(after) == 1 {
			matched += len(g.pairIn(nil, before[0].id, after[0].id, false))
		}
	})
	return matched
}

// pairNames matches nodes of the same name.
func (g *graphs) pairNames() {
	a, b := &g.sides[Before], &g.sides[After]
	for node, name := range a.names {
		if id, ok := b.ids[name]; ok && a.partners[node] == 0 && b.partners[id] == 0 {
			g.pair(uint32(node), id)
		}
	}
}

// keepSame finds the statements that are the same, and ends the matches that none shows.
func (g *graphs) keepSame() {
	var order [2][]uint32
	for i := range g.sides {
		s := &g.sides[i]
		for statement := range s.ground {
			if s.isClosed(s.of(uint32(statement))) {
				order[i] = append(order[i], uint32(statement))
			}
		}
		slices.SortFunc(order[i], func(x, y uint32) int { return g.compare(Side(i), x, Side(i), y) })
	}
	shown := make([]bool, len(g.sides[Before].names))
	before, after := order[Before], order[After]
	for len(before) > 0 && len(after) > 0 {
		switch c := g.compare(Before, before[0], After, after[0]); {
		case c < 0:
			before = before[1:]
		case c > 0:
			after = after[1:]
		default:
			g.sides[Before].keep(before[0])
			g.sides[After].keep(after[0])
			for _, node := range g.sides[Before].of(before[0]) {
				shown[node] = true
			}
			before, after = before[1:], after[1:]
		}
	}
	for node, shown := range shown {
		if partner, ok := g.partner(Before, uint32(node)); ok && !shown {
			g.sides[Before].partners[node], g.sides[After].partners[partner] = 0, 0
		}
	}
}

// compare orders statements whose nodes are all matched, those that are the same being equal. It goes
// by what they say apart from their nodes, then by these, under their numbers before.
func (g *graphs) compare(of Side, x uint32, with Side, y uint32) int {
	a, b := &g.sides[of], &g.sides[with]
	if c := bytes.Compare(a.ground[x][:], b.ground[y][:]); c != 0 {
		return c
	}
	from, to := a.of(x), b.of(y)
	for i := range from {
		if c := cmp.Compare(g.numberBefore(of, from[i]), g.numberBefore(with, to[i])); c != 0 {
			return c
		}
	}
	return 0
}

func (g *graphs) numberBefore(of Side, node uint32) uint32 {
	if of == After {
		node, _ = g.partner(of, node)
	}
	return node
}
