package jsonread

import "bytes"

// Guide is what the reader knows of a format that is written in JSON. It is asked where brackets,
// names or values are broken, and where a context is read.
type Guide interface {
	// Words are the names that the reader must know, the same each time.
	Words() *Words
	// IsWord says that a string is a keyword of the format, one of Words or another.
	IsWord(s string) bool
	// Define is told the value of each context. It calls alias for each name that it gives to a
	// keyword. It says whether the context is intricate: under it more than its name must be known of
	// a member to read what stands in it.
	Define(context *Value, alias func(name, word string)) (intricate bool)
	// Lost says which keywords are lost in a context with a name that is broken. With whole,
	// nothing of the context can be known without it.
	Lost(name BrokenName) (words []BrokenName, whole bool)
}

// Words are the names of members that say what kind of thing an object is, as a format writes them.
// All are different, and none is empty.
type Words struct {
	// Sign is what all keywords begin with, and hardly another name.
	Sign byte

	ID        string // what the object, a node, is about
	Type      string // of a node or a literal
	Context   string // what names mean in the object
	Value     string // the object is a literal
	Language  string // of a literal, as the next
	Direction string
	Index     string
	List, Set string // the object holds but these values
	Graph     string // nodes, each of which can be read without the others
	// What is lost with these takes nothing from the other members, as with Index and Graph.
	Reverse, Included, Nest string

	// Usual are names that widely used contexts give to keywords.
	Usual struct{ ID, Type, Value, Language string }
}

// inObjects are those that may be in an object beside others.
func (w *Words) inObjects() [10]string {
	return [...]string{w.ID, w.Type, w.Context, w.Value, w.Language, w.List, w.Set, w.Reverse, w.Included, w.Nest}
}

// signs says that a name begins like a keyword.
func (w *Words) signs(name []byte) bool { return bytes.HasPrefix(name, []byte{w.Sign}) }
