package lines

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
func (s Syntax) String() string { return [...]string{"N-Triples", "N-Quads", "Turtle", "TriG"}[s] }
