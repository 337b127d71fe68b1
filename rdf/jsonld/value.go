package jsonld

import (
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// value is a JSON value that knows its place. encoding/json keeps neither places
// nor the order of members nor bytes that are not UTF-8, all of which are needed here.
type value struct {
	kind     kind
	repaired bool   // the text was wrong here, and mended
	partial  bool   // something in it was lost
	unclosed bool   // an array without its bracket
	cut      bool   // an array of which it is not known whether, and how, it goes on
	gaps     bool   // a context of which a term is lost is in it, or it is one
	nameless bool   // an object whose @id was lost: only what is in it can be read
	doubtful bool   // touched, with all that is in it
	text     string // of a string, decoded; of a number, as written
	pos      fault.Pos
	end      int64 // the offset behind the value
	*compound
}

// compound is what only arrays and objects have.
type compound struct {
	items   []*value
	members []member
	index   map[string]int // of members by name, once many have been asked for
	adrift  []*value       // of an object: nodes in members whose names are lost
	broken  []brokenName   // of a context: those of the members that are lost with their names
	origin  *value         // of a context that is written out: the first with the same bytes
}

// noCompound is that of all other values. It is never written to.
var noCompound compound

type member struct {
	name  string
	pos   fault.Pos
	value *value
}

type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	array
	object
	lost // could not be read, which was told; stands in arrays only
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object", "nothing"}

// String is the kind in a message.
func (k kind) String() string { return kindNames[k] }

// newText is a string.
func newText(s string, pos fault.Pos) *value {
	return &value{kind: text, text: s, pos: pos, compound: &noCompound}
}

// newObject is an object without members.
func newObject(pos fault.Pos, end int64) *value {
	return &value{kind: object, pos: pos, end: end, compound: new(compound)}
}

// touch marks a value as repaired with all that is in it, since a bracket that was mended may
// have stood anywhere in it.
func (v *value) touch() {
	if v.repaired = true; v.doubtful {
		return
	}
	v.doubtful = true
	for _, item := range v.items {
		item.touch()
	}
	for i := range v.members {
		v.members[i].value.touch()
	}
}

// touchBehind marks the items or members from the first on that has a bracket. Each of those behind
// may belong to what a bracket too many has closed.
func (v *value) touchBehind() {
	for i := len(v.items) - 1; i >= 0 && !v.items[i].doubtful; i-- {
		v.items[i].touch()
	}
	first := 0
	for n := len(v.members); first < n && !v.members[first].value.closed(); first++ {
	}
	for i := len(v.members) - 1; i >= first && !v.members[i].value.doubtful; i-- {
		v.members[i].value.touch()
	}
}

func (v *value) isNull() bool { return v == nil || v.kind == null }

// get finds a member of an object; nil if there is none.
func (v *value) get(name string) *value {
	if v == nil {
		return nil
	}
	if len(v.members) > 16 {
		if v.index == nil {
			v.index = make(map[string]int, len(v.members))
			for i := range v.members {
				v.index[v.members[i].name] = i
			}
		}
		if i, ok := v.index[name]; ok {
			return v.members[i].value
		}
		return nil
	}
	for i := range v.members {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return nil
}

// list is the items of an array, or the value itself as the only one.
func (v *value) list() []*value {
	if v.kind != array {
		return []*value{v}
	}
	if !v.partial {
		return v.items
	}
	return slices.DeleteFunc(slices.Clone(v.items), func(item *value) bool { return item.kind == lost })
}

// listIn is the same, in memory at hand where it is one value.
func (v *value) listIn(one *[1]*value) []*value {
	if v.kind == array {
		return v.list()
	}
	one[0] = v
	return one[:]
}

// sample shows the beginning of a value as JSON, for a notice.
func (v *value) sample() string {
	var b strings.Builder
	v.write(&b)
	return fault.Excerpt([]byte(b.String()))
}

func (v *value) write(b *strings.Builder) {
	if b.Len() > fault.MaxExcerpt {
		return
	}
	switch v.kind {
	case null:
		b.WriteString("null")
	case text:
		b.WriteByte('"')
		b.WriteString(v.text)
		b.WriteByte('"')
	case array:
		b.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
			if b.Len() > fault.MaxExcerpt {
				return
			}
		}
		b.WriteByte(']')
	case object:
		b.WriteByte('{')
		for i := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('"')
			b.WriteString(v.members[i].name)
			b.WriteString(`":`)
			v.members[i].value.write(b)
			if b.Len() > fault.MaxExcerpt {
				return
			}
		}
		b.WriteByte('}')
	default:
		b.WriteString(v.text)
	}
}

// same says that two values mean the same; numbers are compared as written.
func same(a, b *value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.kind != b.kind || a.text != b.text || len(a.items) != len(b.items) || len(a.members) != len(b.members) {
		return false
	}
	for i := range a.items {
		if !same(a.items[i], b.items[i]) {
			return false
		}
	}
	for i := range a.members {
		other := b.get(a.members[i].name)
		if other == nil || !same(a.members[i].value, other) {
			return false
		}
	}
	return true
}
