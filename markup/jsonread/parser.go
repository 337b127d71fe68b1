package jsonread

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// parser makes values of JSON that is sound. At the first fault it gives up: what is
// broken is read again by a mender.
type parser struct {
	*source
	maxDepth int
	edits    bool // repairs carry their edits
	depth    int  // open brackets
	deep     bool // there were too many of them, at deepAt
	hopeless bool // no: too many faults, of which the last is at deepAt
	deepAt   fault.Pos
	unclosed bool   // the array that was read last has no bracket
	ranOut   bool   // the text ended in it
	cutTold  bool   // the end of the document within a value was told
	faulty   bool   // the top-level value is not sound, as was seen
	certain  bool   // it is sound, as was seen before it is taken apart: layout says nothing against it
	proving  bool   // no more of the text is kept than a scalar
	head     string // the first name in it; "" if that is not known
	// allInArray says that the top-level value is an array, with no others on the lines before it.
	allInArray bool
	until      int64 // the offset where another one stands behind it; 0 if that is not known
	// weight is how much memory the values take that are held, or will take when they are expanded, in
	// bytes. More than maxWeight is too much. holding says that the items of an array are held together.
	weight, maxWeight int64
	heavy, holding    bool
	skipping          bool // values are only passed over
	twoIDs            bool // the last name that stood twice in an object was @id, with another value
	passed            Value

	// hard reads an object at the mark, an item of a top-level array, that is long or not sound. It
	// returns the brackets around it that are still open.
	hard func(at mark, outer []shape, long bool) []shape
	hold int64 // how long such an object may be before it is taken for a long one

	habit  habit  // of the document
	sample sample // of the text, the latest one that a mender took

	unseenTo int64 // where the marks end that can't be seen and were told last

	// between is called before each item of an array, and behind the last.
	between func()
	// touchLast marks the item that was handed on last as repaired, with all that is in it; false
	// if that can't be done.
	touchLast func() bool

	found   []fault.Notice // what was found and is not yet told
	guide   Guide
	rules   ruleSwitch
	words   *Words            // of the guide
	names   map[string]string // of members, so that each stands in memory once
	aliases map[string]string // names that a context gives to keywords
	// intricate says that a context was seen under which more than its name must be known of a
	// member to read what stands in it.
	intricate bool
	scratch   []byte
	memory    values          // of what is read now
	lasting   int             // open contexts, which outlive what is read now
	repeats   repeats         // contexts that were read
	texts     strings.Builder // of values, one behind the other
	items     []*Value        // of the open arrays
	members   []Member        // of the open objects
}

// space passes over white space, and over what says as little; that is told.
func (p *parser) space() {
	p.source.space()
	if p.at == len(p.window) || !mayFill[p.window[p.at]] {
		return // as nearly always
	}
	for ; p.passFiller(); p.source.space() {
		if p.weight += weightOfScalar; p.tooHeavy() {
			return
		}
	}
}

// passFiller takes what is next and says nothing.
func (p *parser) passFiller() bool {
	f := p.source.fillerAt(0, false, p.depth > 0)
	if f.size == 0 || !p.rules.on(fillers) {
		return false
	}
	p.passOver(f)
	return true
}

// passOver takes what says nothing, and tells of it unless it only goes on.
func (p *parser) passOver(f filler) {
	if from := p.offset(); !p.skipping {
		if p.unseenTo != from || from == 0 || f.code != fault.SyntaxUnseen {
			p.tell(fault.Notice{Code: f.code, Severity: fault.Repair, Pos: p.pos(), Bytes: int64(f.size)}, p.at, "%s", f.told())
			p.edit(from, from+int64(f.size), " ") // since a number may end there
		}
		if p.unseenTo = 0; f.code == fault.SyntaxUnseen {
			p.unseenTo = from + int64(f.size)
		}
	}
	p.at += f.size
}

// value reads a JSON value, which begins at the mark or behind it; nil if it is not
// sound.
func (p *parser) value() *Value {
	p.space()
	b, ok := p.peek()
	if !ok {
		return nil
	}
	if p.proving {
		p.mark()
	}
	v := p.fresh()
	if p.tooHeavy() {
		return nil
	}
	switch {
	case b == '{':
		p.weight += weightOfObject
		ok = p.object(v)
	case b == '[':
		p.weight += weightOfArray
		ok = p.array(v)
	case b == '"':
		v.Kind = Text
		v.Text, ok = p.string()
	case b == '-' || '0' <= b && b <= '9':
		v.Kind = Number
		v.Text, ok = p.number()
	default:
		ok = p.word(v)
	}
	if !ok {
		return nil
	}
	v.End = p.offset()
	return v
}

// What a value takes in memory with what it expands to, in bytes, as measured of many. That of an
// object and an array is what it takes more than a scalar.
const (
	weightOfScalar = 300
	weightOfArray  = 0
	weightOfObject = 110
	weightOfMember = 60
	weightOfIndex  = 400 // of a member of an object with many
)

// tooHeavy says that the values take more memory than they may.
func (p *parser) tooHeavy() bool {
	if p.weight > p.maxWeight && !p.skipping {
		p.heavy, p.deep, p.deepAt = true, true, p.known
	}
	return p.heavy
}

// fresh is a new value, which begins here.
func (p *parser) fresh() *Value {
	if p.skipping {
		p.passed = Value{compound: &noCompound}
		return &p.passed
	}
	p.weight += weightOfScalar
	var v *Value
	if p.lasting > 0 {
		v = new(Value)
	} else {
		v = p.memory.values.Next()
	}
	v.Pos, v.compound = p.pos(), &noCompound
	return v
}

// open takes a bracket.
func (p *parser) open() bool {
	if p.depth++; p.depth > p.maxDepth {
		p.deep, p.deepAt = true, p.pos()
		return false
	}
	p.at++
	return true
}

// ends takes the comma behind an item or member, or the closing bracket.
func (p *parser) ends(bracket byte) (ended, ok bool) {
	p.space()
	b, _ := p.peek()
	if b != ',' && b != bracket {
		return false, false
	}
	p.at++
	return b == bracket, true
}

func (p *parser) array(v *Value) bool {
	if !p.open() {
		return false
	}
	p.space()
	if b, _ := p.peek(); b == ']' {
		p.at++
		p.depth--
		v.Kind = Array
		return true
	}
	from := len(p.items)
	for {
		item := p.value()
		if item == nil {
			break
		}
		if !p.skipping {
			p.items = append(p.items, item)
		}
		ended, ok := p.ends(']')
		if !ok {
			break
		}
		if ended {
			p.depth--
			if !p.skipping {
				v.Kind, v.compound = Array, p.compound(p.items[from:], nil)
				p.items = p.items[:from]
			}
			return true
		}
	}
	p.items = p.items[:from]
	return false
}

func (p *parser) object(v *Value) bool {
	if !p.open() {
		return false
	}
	v.Kind = Object
	p.space()
	if b, _ := p.peek(); b == '}' {
		p.at++
		p.depth--
		return true
	}
	from := len(p.members)
	var seen map[string]int
	for {
		m := Member{}
		if p.space(); !p.name(&m) {
			break
		}
		if m.Name == p.words.Context && !p.skipping {
			m.Value = p.context()
		} else {
			m.Value = p.value()
		}
		if m.Value == nil {
			break
		}
		if !p.skipping {
			p.note(&m)
			p.weight += weightOfMember
			before := len(p.members)
			if p.members, seen = p.put(p.members, from, seen, m); len(p.members) == before && p.twoIDs && p.lasting == 0 &&
				p.rules.on(doubtTwoIDs) {
				break // two nodes may have become one where brackets are lost, which lines may tell
			}
		}
		ended, ok := p.ends('}')
		if !ok {
			break
		}
		if ended {
			p.depth--
			if !p.skipping {
				p.learn(p.members[from:], p.depth)
				v.compound = p.compound(nil, p.members[from:])
				p.members = p.members[:from]
			}
			return true
		}
	}
	p.members = p.members[:from]
	return false
}

// context reads the value of @context. What terms are defined with outlives the item.
func (p *parser) context() *Value {
	p.space()
	if p.lasting == 0 {
		if v := p.again(); v != nil {
			return v
		}
	}
	told, from := len(p.found), p.offset()
	p.lasting++
	v := p.value()
	p.lasting--
	if v != nil && p.lasting == 0 && len(p.found) == told {
		p.repeated(v, from)
	}
	return v
}

// compound is what an array or object has, in memory of its own.
func (p *parser) compound(items []*Value, members []Member) *compound {
	if p.lasting > 0 {
		return &compound{Items: slices.Clone(items), Members: slices.Clone(members)}
	}
	c := p.memory.compounds.Next()
	if c.Items = nil; len(items) > 0 {
		c.Items = p.memory.items.CopyOf(items)
	}
	if len(members) > 0 {
		c.Members = p.memory.members.CopyOf(members)
	}
	return c
}

// name reads the name of a member, and the colon behind it.
func (p *parser) name(m *Member) bool {
	if b, _ := p.peek(); b != '"' {
		return false
	}
	if p.proving {
		p.mark()
	}
	if !p.skipping {
		m.Pos = p.pos()
	}
	raw, escaped, ok := p.quoted()
	if !ok {
		return false
	}
	if !p.skipping {
		if escaped {
			raw, _, _ = p.unescape(raw)
		}
		m.Name = p.intern(raw)
	}
	p.space()
	if b, _ := p.peek(); b != ':' {
		return false
	}
	p.at++
	return true
}

// intern saves memory: the same names stand in object after object.
func (p *parser) intern(raw []byte) string {
	if known, ok := p.names[string(raw)]; ok {
		return known
	}
	name := string(raw)
	if len(p.names) < 1<<14 && len(name) < 256 {
		p.names[name] = name
	}
	return name
}

// note remembers the names that a context gives to keywords.
func (p *parser) note(m *Member) {
	if m.Name != p.words.Context || m.Value.Origin != nil && m.Value.Origin != m.Value {
		return
	}
	intricate := p.guide.Define(m.Value, func(name, word string) {
		if len(p.aliases) >= maxAliases {
			return
		}
		if p.aliases == nil {
			p.aliases = map[string]string{}
		}
		p.aliases[name] = word
	})
	p.intricate = p.intricate || intricate
}

// maxAliases is how many names that a context gives to keywords are remembered.
const maxAliases = 1000

// put adds a member to those of an object, which begin at from. Of two with one name,
// the later counts, in the place of the earlier.
func (p *parser) put(all []Member, from int, seen map[string]int, m Member) ([]Member, map[string]int) {
	old := -1
	if len(all)-from < 12 { // a scan is quicker than a map
		for i := from; i < len(all); i++ {
			if all[i].Name == m.Name {
				old = i
			}
		}
	} else {
		if seen == nil {
			seen = make(map[string]int, 2*(len(all)-from))
			for i := from; i < len(all); i++ {
				seen[all[i].Name] = i - from
			}
		}
		p.weight += weightOfIndex
		if i, found := seen[m.Name]; found {
			old = from + i
		} else {
			seen[m.Name] = len(all) - from
		}
	}
	if old < 0 {
		return append(all, m), seen
	}
	p.duplicate(&all[old], &m)
	all[old] = m
	return all, seen
}

// duplicate tells that a name stands twice in an object: the later value counts.
func (p *parser) duplicate(old, m *Member) {
	if old.Value.Kind == Lost {
		return // which was told
	}
	n := fault.Notice{Code: fault.JSONDuplicateKey, Severity: fault.Warning, Pos: m.Pos,
		Message: fmt.Sprintf("the name %q occurs twice in one object, with the same value", m.Name),
		Excerpt: fault.Excerpt([]byte(m.Name))}
	differs := !Same(old.Value, m.Value)
	if p.twoIDs = differs && p.isID(m.Name); differs {
		n.Severity, n.Lost, n.Bytes = fault.Drop, 1, old.Value.End-old.Value.Pos.Offset
		n.Pos = old.Pos
		n.Message = fmt.Sprintf("the name %q occurs again in the same object, in line %d; only the later value counts", m.Name, m.Pos.Line)
		n.Excerpt = old.Value.Sample()
	}
	p.found = append(p.found, n)
}
