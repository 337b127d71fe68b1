package jsonread

import (
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// Value is a JSON value that knows its place. The package encoding/json keeps no
// places, no order of members, and no bytes that are not UTF-8. All are needed here.
type Value struct {
	Kind     Kind
	Repaired bool   // the text was wrong here, and mended
	Partial  bool   // something in it was lost
	unclosed bool   // an array without its bracket
	Cut      bool   // an array of which it is not known whether, and how, it goes on
	Gaps     bool   // a context of which a term is lost is in it, or it is one
	Nameless bool   // an object whose @id was lost: only what is in it can be read
	doubtful bool   // touched, with all that is in it
	passed   bool   // an array that was passed over, and whose items are not held
	Text     string // of a string, decoded; of a number, as written
	Pos      fault.Pos
	End      int64 // the offset behind the value
	*compound
}

// compound is what only arrays and objects have.
type compound struct {
	Items   []*Value
	Members []Member
	index   map[string]int // of members by name, once many have been asked for
	Adrift  []*Value       // of an object: nodes in members whose names are lost
	Broken  []BrokenName   // of a context: those of the members that are lost with their names
	Origin  *Value         // of a context that is written out: the first with the same bytes
}

// noCompound is that of all other values. It is never written to.
var noCompound compound

// Member is a name in an object, with its value.
type Member struct {
	Name  string
	Pos   fault.Pos
	Value *Value
}

// Kind is what a value is.
type Kind uint8

const (
	Null Kind = iota
	Boolean
	Number
	Text
	Array
	Object
	Lost // could not be read, which was told; stands in arrays only
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object", "nothing"}

// String is the kind in a message.
func (k Kind) String() string { return kindNames[k] }

// NewText is a string.
func NewText(s string, pos fault.Pos) *Value {
	return &Value{Kind: Text, Text: s, Pos: pos, compound: &noCompound}
}

// NewScalar is a value that is no array or object; text is that of a string, decoded, else as JSON writes it.
func NewScalar(kind Kind, text string, pos fault.Pos) *Value {
	return &Value{Kind: kind, Text: text, Pos: pos, compound: &noCompound}
}

// NewArray is an array of items.
func NewArray(items []*Value, pos fault.Pos) *Value {
	return &Value{Kind: Array, Pos: pos, compound: &compound{Items: items}}
}

// NewObject is an object without members.
func NewObject(pos fault.Pos, end int64) *Value {
	return &Value{Kind: Object, Pos: pos, End: end, compound: new(compound)}
}

// touch marks a value as repaired with all that is in it, since a bracket that was mended may
// have stood anywhere in it.
func (v *Value) touch() {
	if v.Repaired = true; v.doubtful {
		return
	}
	v.doubtful = true
	for _, item := range v.Items {
		item.touch()
	}
	for i := range v.Members {
		v.Members[i].Value.touch()
	}
}

// touchBehind marks the items or members from the first on that has a bracket. Each of those behind
// may belong to what a bracket too many has closed.
func (v *Value) touchBehind() {
	for i := len(v.Items) - 1; i >= 0 && !v.Items[i].doubtful; i-- {
		v.Items[i].touch()
	}
	first := 0
	for n := len(v.Members); first < n && !v.Members[first].Value.closed(); first++ {
	}
	for i := len(v.Members) - 1; i >= first && !v.Members[i].Value.doubtful; i-- {
		v.Members[i].Value.touch()
	}
}

// Prepare makes all that is otherwise made when it is first asked for, so that several goroutines can
// read the value at once.
func (v *Value) Prepare() {
	v.Get("")
	for _, item := range v.Items {
		item.Prepare()
	}
	for i := range v.Members {
		v.Members[i].Value.Prepare()
	}
}

func (v *Value) IsNull() bool { return v == nil || v.Kind == Null }

// Get finds a member of an object; nil if there is none.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	if len(v.Members) > 16 {
		if v.index == nil {
			v.index = make(map[string]int, len(v.Members))
			for i := range v.Members {
				v.index[v.Members[i].Name] = i
			}
		}
		if i, ok := v.index[name]; ok {
			return v.Members[i].Value
		}
		return nil
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return v.Members[i].Value
		}
	}
	return nil
}

// List is the items of an array, or the value itself as the only one.
func (v *Value) List() []*Value {
	if v.Kind != Array {
		return []*Value{v}
	}
	if !v.Partial {
		return v.Items
	}
	return slices.DeleteFunc(slices.Clone(v.Items), func(item *Value) bool { return item.Kind == Lost })
}

// ListIn is the same, in memory at hand where it is one value.
func (v *Value) ListIn(one *[1]*Value) []*Value {
	if v.Kind == Array {
		return v.List()
	}
	one[0] = v
	return one[:]
}

// Sample shows the beginning of a value as JSON, for a notice.
func (v *Value) Sample() string {
	var b strings.Builder
	v.write(&b)
	return fault.Excerpt([]byte(b.String()))
}

func (v *Value) write(b *strings.Builder) {
	if b.Len() > fault.MaxExcerpt {
		return
	}
	switch v.Kind {
	case Null:
		b.WriteString("null")
	case Text:
		b.WriteByte('"')
		b.WriteString(v.Text)
		b.WriteByte('"')
	case Array:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
			if b.Len() > fault.MaxExcerpt {
				return
			}
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i := range v.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('"')
			b.WriteString(v.Members[i].Name)
			b.WriteString(`":`)
			v.Members[i].Value.write(b)
			if b.Len() > fault.MaxExcerpt {
				return
			}
		}
		b.WriteByte('}')
	default:
		b.WriteString(v.Text)
	}
}

// Same says that two values mean the same; numbers are compared as written.
func Same(a, b *Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.passed || b.passed || a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !Same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for i := range a.Members {
		other := b.Get(a.Members[i].Name)
		if other == nil || !Same(a.Members[i].Value, other) {
			return false
		}
	}
	return true
}
