// Package spec reads the description of how records are made, in YAML or JSON. It makes a
// tree whose every node knows its line and column, and finds the parts of a spec by their
// names.
//
// The parts are compiled by the packages that they are for: select by match, map by
// transform, schema by schema, source by extract. Each refuses what it does not know with
// [Node.Errorf] or [Node.Unknown], so that a wrong spec is refused before anything is read.
package spec

import (
	"fmt"
	"strings"

	"laundromat/internal/spelling"
)

// Kind is the kind of a Node.
type Kind uint8

// The kinds of nodes, after the kinds of JSON.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Map
)

var kindNames = [...]string{"null", "a boolean", "a number", "a text", "a list", "a mapping"}

// String is the name of the kind for messages, with its article.
func (k Kind) String() string { return kindNames[k] }

// Node is a value of a spec, with its place.
type Node struct {
	Kind Kind
	// Text is the characters of a Text; of a Bool or Number what was written.
	Text string
	// Bare says that a Bool, Number or Null was written as a bare word in YAML. Its author
	// may have meant a text: 1.0, yes, no, null.
	Bare    bool
	Items   []*Node  // of a List
	Entries []*Entry // of a Map, in the order of the file; no two have the same key

	File         string // as the user named it
	Line, Column int    // from 1

	source string // of a Text: the file's lines from its own on; see Within
}

// Entry is a key of a Map and its value.
type Entry struct {
	Key          string
	Line, Column int // of the key, from 1
	Value        *Node
}

// Error is a fault of a spec, with its place.
type Error struct {
	File         string
	Line, Column int // from 1; 0 where the file as a whole is meant
	Message      string
}

// Error is the message, after the file and the place.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Errorf makes an error at the place of the node.
func (n *Node) Errorf(format string, args ...any) error {
	return &Error{n.File, n.Line, n.Column, fmt.Sprintf(format, args...)}
}

// EntryErrorf makes an error at the place of the key of one of the node's entries.
func (n *Node) EntryErrorf(e *Entry, format string, args ...any) error {
	return &Error{n.File, e.Line, e.Column, fmt.Sprintf(format, args...)}
}

// Unknown makes an error about the key of one of the node's entries, which is none of the
// valid ones; it names the nearest. The parameter what is the kind of name: "matcher", "verb".
func (n *Node) Unknown(e *Entry, what string, valid ...string) error {
	return n.EntryErrorf(e, "unknown %s %q%s", what, e.Key, Meant(e.Key, valid...))
}

// Meant is the end of a message: the valid name that is nearest to a wrong one, or else
// the list of valid names.
func Meant(name string, valid ...string) string {
	if near := spelling.Nearest(name, valid...); near != "" {
		return fmt.Sprintf(": did you mean %q?", near)
	}
	return ": it is one of " + strings.Join(valid, ", ")
}

// Get finds the value of a key; nil if there is none, or n is nil or no Map.
func (n *Node) Get(key string) *Node {
	if e := n.Entry(key); e != nil {
		return e.Value
	}
	return nil
}

// Entry finds an entry by its key; nil if there is none, or n is nil or no Map.
func (n *Node) Entry(key string) *Entry {
	if n == nil {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key == key {
			return e
		}
	}
	return nil
}

// IsText says that n is the text s.
func (n *Node) IsText(s string) bool { return n != nil && n.Kind == Text && n.Text == s }

// Only refuses keys of a Map that are not among the valid ones, and what is no Map. The
// parameter what is the kind of name: "key of source".
func (n *Node) Only(what string, valid ...string) error {
	if n.Kind != Map {
		return n.Errorf("%s is wanted here, not %s", Map, n.Kind)
	}
next:
	for _, e := range n.Entries {
		for _, v := range valid {
			if e.Key == v {
				continue next
			}
		}
		return n.Unknown(e, what, valid...)
	}
	return nil
}

// Want refuses a node of another kind.
func (n *Node) Want(kind Kind) error {
	if n.Kind != kind {
		return n.Errorf("%s is wanted here, not %s", kind, n.Kind)
	}
	return nil
}
