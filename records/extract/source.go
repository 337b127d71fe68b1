package extract

import (
	"strconv"

	"laundromat/records/spec"
)

// Source says how an input is read, as the part "source" of a spec has it. What is not said is
// found out. The zero Source says nothing.
type Source struct {
	URL      string // of the input, for who fetches it
	Format   string // the name of a format
	Encoding string // of the bytes, for who decodes them

	Delimiter  byte    // between fields; 0: found out
	Quote      *byte   // around fields; 0: none
	Escape     *byte   // before a quotation mark in a field; 0: it is doubled
	Comment    string  // what a line begins with that is a comment
	Header     *bool   // whether there is a header
	HeaderRows int     // how many rows the header has
	HeaderJoin *string // what joins their cells; a space if nil
	Skip       int     // how many rows are before the header; -1: none
	Labels     []string
	Tables     []string // the names or numbers of the sheets or tables that are read; all if empty
	Hidden     bool     // hidden sheets are read, too
	Records    string   // of a tree: the key or element of the records

	why string // there are so many rows of the header; empty: the spec says so
}

func (s *Source) headerWhy() string {
	if s.why == "" {
		return "as the spec says"
	}
	return s.why
}

var sourceKeys = []string{"url", "format", "encoding", "delimiter", "quote", "escape", "comment", "header", "header_rows", "header_join",
	"skip", "labels", "tables", "hidden", "records"}

// Compile reads the part "source" of a spec. A nil node says nothing.
func Compile(node *spec.Node) (*Source, error) {
	s := &Source{}
	if node == nil {
		return s, nil
	}
	if err := node.Only("key of source", sourceKeys...); err != nil {
		return nil, err
	}
	for _, e := range node.Entries {
		if err := s.set(e.Key, e.Value); err != nil {
			return nil, err
		}
	}
	if s.Delimiter != 0 && s.Quote != nil && *s.Quote == s.Delimiter {
		return nil, node.Get("quote").Errorf("the quotation mark is the delimiter, too")
	}
	if s.Header != nil && !*s.Header && s.HeaderRows > 0 {
		return nil, node.Get("header_rows").Errorf("header is false, so there are no rows of it")
	}
	return s, nil
}

func (s *Source) set(key string, v *spec.Node) (err error) {
	text := func(to *string) error {
		if err := v.Want(spec.Text); err != nil {
			return err
		}
		*to = v.Text
		return nil
	}
	switch key {
	case "url":
		return text(&s.URL)
	case "encoding":
		return text(&s.Encoding)
	case "records":
		return text(&s.Records)
	case "comment":
		if err := text(&s.Comment); err != nil {
			return err
		}
		if s.Comment == "" {
			return v.Errorf("a comment begins with at least a character")
		}
	case "format":
		if err := text(&s.Format); err != nil {
			return err
		}
		if formatNamed(s.Format) == nil {
			return v.Errorf("unknown format %q%s", s.Format, spec.Meant(s.Format, formatNames()...))
		}
	case "delimiter":
		b, err := sign(v, map[string]byte{"comma": ',', "semicolon": ';', "tab": '\t', "\\t": '\t', "pipe": '|', "colon": ':',
			"space": ' '})
		if err == nil && b == 0 {
			err = v.Errorf("a delimiter is one character")
		}
		s.Delimiter = b
		return err
	case "quote":
		b, err := sign(v, map[string]byte{"": 0, "none": 0, "double": '"', "single": '\''})
		s.Quote = &b
		return err
	case "escape":
		b, err := sign(v, map[string]byte{"": 0, "doubled": 0, "backslash": '\\'})
		s.Escape = &b
		return err
	case "header", "hidden":
		if err := v.Want(spec.Bool); err != nil {
			return err
		}
		is := v.Text == "true"
		if key == "hidden" {
			s.Hidden = is
		} else {
			s.Header = &is
		}
	case "header_rows":
		s.HeaderRows, err = whole(v, 1, 100)
	case "skip":
		if s.Skip, err = whole(v, 0, 1000); s.Skip == 0 {
			s.Skip = -1
		}
	case "header_join":
		s.HeaderJoin = new(string)
		return text(s.HeaderJoin)
	case "labels":
		s.Labels, err = texts(v)
	case "tables":
		s.Tables, err = texts(v)
	}
	return err
}

// sign is one character of ASCII, or a name for one.
func sign(v *spec.Node, names map[string]byte) (byte, error) {
	if v.Kind == spec.Null || v.Kind == spec.Bool && v.Text == "false" {
		return 0, nil
	}
	if err := v.Want(spec.Text); err != nil {
		return 0, err
	}
	if b, ok := names[v.Text]; ok {
		return b, nil
	}
	if len(v.Text) != 1 || v.Text[0] >= 0x80 || v.Text[0] == '\n' || v.Text[0] == '\r' {
		return 0, v.Errorf("one character of ASCII is wanted here, not %q", v.Text)
	}
	return v.Text[0], nil
}

func whole(v *spec.Node, low, high int) (int, error) {
	if err := v.Want(spec.Number); err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(v.Text)
	if err != nil || n < low || n > high {
		return 0, v.Errorf("a whole number from %d to %d is wanted here, not %s", low, high, v.Text)
	}
	return n, nil
}

func texts(v *spec.Node) (all []string, err error) {
	items := []*spec.Node{v}
	if v.Kind == spec.List {
		items = v.Items
	}
	for _, item := range items {
		if item.Kind != spec.Text && item.Kind != spec.Number {
			return nil, item.Want(spec.Text)
		}
		all = append(all, item.Text)
	}
	return all, nil
}
