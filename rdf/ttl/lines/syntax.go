package lines

import (
	"fmt"
)

// Syntax names a format.
type Syntax uint8

// The formats of the family.
const (
	NTriples Syntax = iota
	NQuads
	Turtle
	TriG
)

// String is the name of the format as records have it.
func (s Syntax) String() string {
	switch s {
	case NTriples:
		return "N-Triples"
	case NQuads:
		return "N-Quads"
	case Turtle:
		return "Turtle"
	case TriG:
		return "TriG"
	}
	return fmt.Sprintf("Syntax(%d)", uint8(s))
}
