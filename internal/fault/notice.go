package fault

import "fmt"

// Notice is a finding in the data. It never stops the work, and it is never
// returned as an error.
type Notice struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Pos
	Message string `json:"message"`
	// Excerpt is a short piece of the document that shows the fault; at most
	// MaxExcerpt bytes of valid UTF-8. See [Excerpt].
	Excerpt string `json:"excerpt,omitempty"`

	// Product is that which the finding is about; empty where it is about the document.
	Product string `json:"product,omitempty"`
	// Field is the name of the field of a record that the finding is about; empty for others.
	Field string `json:"field,omitempty"`
	// Element is the element of a page that the value comes from, as a CSS selector from
	// the root; empty for others.
	Element string `json:"element,omitempty"`

	// Edits are the changes of the text after which there is nothing to repair. They are there only where they were
	// asked for, and where the reader that repairs knows them.
	Edits []Edit `json:"-"`
	// Meant is what a name or value was taken for, where the Message says that. It is an IRI, a word of a format, or
	// the name of an encoding.
	Meant string `json:"-"`

	// Lost is the number of statements or records that this notice reports as dropped. It is 1 for a
	// broken statement, or for a stretch in which statements can't be counted. It is 0 if an earlier
	// notice has reported the loss. Only with Drop.
	Lost int `json:"lost,omitempty"`
	// Bytes is the length of the faulty stretch, where more than a statement was skipped.
	Bytes int64 `json:"bytes,omitempty"`
}

// Pos is a place in the decoded text of a document. The zero Pos means the
// document as a whole.
type Pos struct {
	Line   int64 `json:"line,omitempty"`   // from 1; LF, CRLF and CR end lines
	Column int64 `json:"column,omitempty"` // from 1, in characters (Unicode scalar values)
	Offset int64 `json:"offset"`           // from 0, in bytes of the UTF-8 text
}

// Edit says that the bytes of a text from From to To become With. Offsets are those of [Pos]. A line end in With
// stands for one as the text has them.
type Edit struct {
	From, To int64
	With     string
}

// Code names a finding or an error for ever: group/name in kebab case.
type Code string

// Severity says what became of the statement a Notice is about.
type Severity uint8

// The severities, with what is wrong and what becomes of the statement.
const (
	Note    Severity = iota + 1 // legal, only written in canonical form: kept
	Warning                     // doubtful: kept as it was
	Repair                      // wrong: kept, changed
	Drop                        // lost
)

var severityNames = [...]string{"", "note", "warning", "repair", "drop"}

// String is the name of the severity in lower case; "" for the zero value.
func (s Severity) String() string { return severityNames[s] }

// MarshalText writes the name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name.
func (s *Severity) UnmarshalText(text []byte) error {
	for i, name := range severityNames {
		if i > 0 && name == string(text) {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("unknown severity %q", text)
}

// MaxExcerpt is the longest excerpt of a Notice, in bytes: a line of a terminal.
const MaxExcerpt = 120

// Excerpt makes an excerpt of text, which is one printable line. It is at most MaxExcerpt bytes,
// cut between characters and marked with … where it is cut. Bytes that are not UTF-8 are shown as
// \xHH, control characters as \uHHHH.
func Excerpt(text []byte) string {
	return excerpt(text)
}
