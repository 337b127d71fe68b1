package diff

import (
	"bytes"
	"crypto/sha256"
)

// graphs are the statements with blank nodes of both files, as far as matching needs them. Of each it
// has a hash of what it says apart from its nodes, and the nodes.
type graphs struct {
	sides    [2]side
	prefixes map[string]uint32
	prefix   []string // what names begin with, up to the last slash
	used     int64    // bytes, about
	memory   int64
	buffer   []byte
}

// side is one of the files. Nodes and statements are numbered as they come.
type side struct {
	ids    map[nodeName]uint32
	names  []nodeName
	ground [][16]byte // of each statement: the hash of the line with the names of nodes taken out
	first  []uint32   // of each statement, and one more: where its nodes begin in nodes
	nodes  []uint32

	partners []uint32 // of each node: that of the other file and 1, or 0
	colours  []uint64
	sums     []uint64
	offsets  []uint32 // of each node, and one more: where its statements begin in stated
	stated   []uint32
	kept     []uint64 // a bit for each statement
}

// nodeName is a term in two parts: many have the first in common.
type nodeName struct {
	prefix uint32
	tail   string
}

// What a node, a statement, and a node's place in one take, in bytes: measured, with the
// growth of slices and maps.
const (
	nodeCost      = 220
	statementCost = 110
	placeCost     = 24
	mostPlaces    = 1 << 31
)

func newGraphs(memory int64) *graphs {
	g := &graphs{prefixes: map[string]uint32{}, memory: memory}
	for i := range g.sides {
		g.sides[i] = side{ids: map[nodeName]uint32{}, first: []uint32{0}}
	}
	return g
}

// add takes a statement with the nodes at the spans; false says that there is no memory
// for it.
func (g *graphs) add(of Side, line []byte, spans [][2]int) bool {
	s := &g.sides[of]
	g.used += statementCost + placeCost*int64(len(spans))
	text, from := g.buffer[:0], 0
	begin := len(s.nodes)
	for _, span := range spans {
		id := g.id(s, line[span[0]:span[1]])
		// In the place of the name is a byte that no line holds, and which of the statement's nodes it
		// is. The same twice differs from two.
		which := len(s.nodes) - begin
		for i, earlier := range s.nodes[begin:] {
			if earlier == id {
				which = i
				break
			}
		}
		text = append(append(append(text, line[from:span[0]]...), 0), byte(which), byte(which>>8))
		from = span[1]
		s.nodes = append(s.nodes, id)
	}
	text = append(text, line[from:]...)
	g.buffer = text
	sum := sha256.Sum256(text)
	s.ground = append(s.ground, [16]byte(sum[:16]))
	s.first = append(s.first, uint32(len(s.nodes)))
	return g.used <= g.memory && len(s.nodes) < mostPlaces
}

// id is the number of the node of that name.
func (g *graphs) id(s *side, term []byte) uint32 {
	cut := bytes.LastIndexByte(term, '/') + 1
	prefix, ok := g.prefixes[string(term[:cut])]
	if !ok {
		prefix = uint32(len(g.prefix))
		g.prefix = append(g.prefix, string(term[:cut]))
		g.prefixes[g.prefix[prefix]] = prefix
		g.used += int64(nodeCost + 2*cut)
	}
	// The conversion in the index allocates nothing.
	id, ok := s.ids[nodeName{prefix, string(term[cut:])}]
	if !ok {
		name := nodeName{prefix, string(term[cut:])}
		id = uint32(len(s.names))
		s.ids[name] = id
		s.names = append(s.names, name)
		g.used += nodeCost + int64(len(name.tail))
	}
	return id
}

func (g *graphs) name(of Side, id uint32) string {
	name := g.sides[of].names[id]
	return g.prefix[name.prefix] + name.tail
}

// partner is the node of the other file that a node is.
func (g *graphs) partner(of Side, id uint32) (uint32, bool) {
	partner := g.sides[of].partners[id]
	return partner - 1, partner != 0
}

// of are the nodes of a statement.
func (s *side) of(statement uint32) []uint32 {
	return s.nodes[s.first[statement]:s.first[statement+1]]
}

// statements are those in which a node is.
func (s *side) statements(node uint32) []uint32 {
	return s.stated[s.offsets[node]:s.offsets[node+1]]
}

// prepare makes what matching works on.
func (s *side) prepare() {
	n := len(s.names)
	s.partners, s.colours, s.sums = make([]uint32, n), make([]uint64, n), make([]uint64, n)
	s.offsets = make([]uint32, n+1)
	s.eachPlace(func(_, node uint32) { s.offsets[node+1]++ })
	for i := range n {
		s.offsets[i+1] += s.offsets[i]
	}
	s.stated = make([]uint32, s.offsets[n])
	at := append([]uint32(nil), s.offsets[:n]...)
	s.eachPlace(func(statement, node uint32) {
		s.stated[at[node]] = statement
		at[node]++
	})
	s.kept = make([]uint64, (len(s.ground)+63)/64)
}

// eachPlace calls fn for each statement and node in it, once for a node that is
// in it twice.
func (s *side) eachPlace(fn func(statement, node uint32)) {
	for i := range s.ground {
		nodes := s.of(uint32(i))
	places:
		for j, node := range nodes {
			for _, earlier := range nodes[:j] {
				if earlier == node {
					continue places
				}
			}
			fn(uint32(i), node)
		}
	}
}

func (s *side) isKept(statement int) bool { return s.kept[statement/64]&(1<<(statement%64)) != 0 }
func (s *side) keep(statement uint32)     { s.kept[statement/64] |= 1 << (statement % 64) }
