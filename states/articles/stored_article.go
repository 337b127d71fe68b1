package articles

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Stored is an article of a stored file, as far as lists and pages show it. Its spans are code points of the text.
type Stored struct {
	ID          string `json:"id"`
	Source      string `json:"source"`
	URL         string `json:"url"`
	Created     string `json:"created"`
	CreatedFrom string `json:"created_from"`
	Title       string `json:"title"`
	Text        string `json:"text"`
	Attributes  struct {
		Blocks []StoredBlock `json:"blocks"`
		Links  []StoredSpan  `json:"links"`
		Quotes []StoredSpan  `json:"quotes"`
	} `json:"attributes"`
	Metadata struct {
		Languages []json.RawMessage `json:"languages"`
		Kind      string            `json:"kind"`
		Author    StoredSaid        `json:"author"`
		Site      StoredSaid        `json:"site"`
	} `json:"metadata"`
}

// StoredSaid is what a document says of itself, and where.
type StoredSaid struct{ Value, From string }

// StoredSpan is a stretch of the text with what belongs to it: the URL of a link, or the text of a quotation. A link
// of the title begins at -1.
type StoredSpan struct {
	Start, End int
	Text       string
}

// UnmarshalJSON reads a list of the start, the end and the text.
func (s *StoredSpan) UnmarshalJSON(text []byte) error {
	return members(text, &s.Start, &s.End, &s.Text)
}

// StoredBlock is a block of the text.
type StoredBlock struct {
	Start, End int
	Kind       string
	Level      int
	Part       string // "" where main content was not looked for
	// Bytes is its place in the document's text in UTF-8.
	Bytes [2]int64
}

// UnmarshalJSON reads a list of the start, the end, the kind and what else is known.
func (b *StoredBlock) UnmarshalJSON(text []byte) error {
	var more struct {
		Level int      `json:"level"`
		Part  string   `json:"part"`
		Bytes [2]int64 `json:"bytes"`
	}
	err := members(text, &b.Start, &b.End, &b.Kind, &more)
	b.Level, b.Part, b.Bytes = more.Level, more.Part, more.Bytes
	return err
}

// members reads the members of a list into values.
func members(text []byte, into ...any) error {
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for i := range min(len(all), len(into)) {
		if err := json.Unmarshal(all[i], into[i]); err != nil {
			return err
		}
	}
	return nil
}

// LanguageNames are the tags of the languages of the article, the likeliest first.
func (s *Stored) LanguageNames() (all []string) {
	for _, l := range s.Metadata.Languages {
		tag := ""
		if members(l, &tag) == nil && tag != "" {
			all = append(all, tag)
		}
	}
	return all
}

// Characters is how many code points the text has.
func (s *Stored) Characters() int64 { return int64(utf8.RuneCountInString(s.Text)) }

// Begins is the beginning of the main content, or else of the text, in so many characters at most.
// More says that it goes on.
func (s *Stored) Begins(characters int) (text string, more bool) {
	from := 0
	for i := range s.Attributes.Blocks {
		if b := &s.Attributes.Blocks[i]; b.Part == "main" && b.Kind != "heading" {
			from = b.Start
			break
		}
	}
	n, begin := 0, len(s.Text)
	for at := range s.Text {
		if n == from {
			begin = at
		}
		if n == from+characters {
			return s.Text[min(begin, at):at], true
		}
		n++
	}
	return s.Text[begin:], false
}

// EachStored reads the articles of a stored file from one number on. The visitor says whether it wants more.
func EachStored(ctx context.Context, lines io.Reader, from int64, visit func(number int64, s *Stored) (bool, error)) error {
	in := bufio.NewReaderSize(lines, 1<<16)
	for number := int64(1); ; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if number < from {
			continue
		}
		var s Stored
		if err := json.Unmarshal(line, &s); err != nil {
			return fmt.Errorf("line %d is no article: %w", number, err)
		}
		if more, err := visit(number, &s); err != nil || !more {
			return err
		}
	}
}
