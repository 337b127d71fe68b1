package datapackage

import (
	"slices"
	"strconv"
	"strings"

	"laundromat/records/extract"
	"laundromat/records/spec"
)

// formats are the formats of the engine by the names that descriptors give them, and by endings and media types.
var formats = map[string]string{
	"csv": "csv", "text/csv": "csv", "tsv": "tsv", "tab": "tsv", "text/tab-separated-values": "tsv",
	"xlsx": "xlsx", "ods": "ods", "fods": "fods",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx", "application/vnd.oasis.opendocument.spreadsheet": "ods",
	"json": "json", "application/json": "json", "ndjson": "jsonl", "jsonl": "jsonl", "application/x-ndjson": "jsonl",
	"yaml": "yaml", "yml": "yaml", "xml": "xml", "html": "html",
}

// SetDialect sets how the resource is read: by this Table Dialect, or CSV Dialect of version 1. nil has their defaults.
func (r *Resource) SetDialect(node *spec.Node) error {
	r.Dialect = node
	s := &extract.Source{Encoding: r.Encoding, Format: formats[r.Format]}
	if s.Format == "" {
		media, _, _ := strings.Cut(strings.ToLower(r.MediaType), ";")
		if s.Format = formats[strings.TrimSpace(media)]; s.Format == "" {
			s.Format = formats[r.extensionOf()]
		}
	}
	if r.Data != nil && r.Data.Kind != spec.Text {
		s.Format = "json"
	}
	r.Source = s
	if node == nil {
		node = &spec.Node{Kind: spec.Map}
	}
	if err := node.Want(spec.Map); err != nil {
		return err
	}
	if s.Format == "csv" || s.Format == "tsv" {
		if err := delimited(s, node); err != nil {
			return err
		}
	}
	return common(s, node)
}

// delimited sets the signs of a table in text. Those that the dialect does not say are those of the standard, and are
// not found out.
func delimited(s *extract.Source, node *spec.Node) error {
	one := func(key string, otherwise byte) (byte, error) {
		v := node.Get(key)
		switch {
		case v == nil:
			return otherwise, nil
		case v.Kind == spec.Null, v.Kind == spec.Text && v.Text == "":
			return 0, nil
		case v.Kind != spec.Text || len(v.Text) != 1 || v.Text[0] >= 0x80:
			return 0, v.Errorf("%s is one character of ASCII; others are not read", key)
		}
		return v.Text[0], nil
	}
	comma := byte(',')
	if s.Format == "tsv" {
		comma = '\t'
	}
	var err error
	if s.Delimiter, err = one("delimiter", comma); err != nil {
		return err
	}
	if s.Delimiter == 0 {
		return node.Get("delimiter").Errorf("delimiter is a character")
	}
	escape, err := one("escapeChar", 0)
	if err != nil {
		return err
	}
	quote, err := one("quoteChar", '"')
	if err != nil {
		return err
	}
	s.Quote, s.Escape = &quote, &escape
	if v := node.Get("lineTerminator"); v != nil && !slices.Contains([]string{"\r\n", "\n", "\r"}, v.Text) {
		return v.Errorf("lines that end in %q are not read", v.Text)
	}
	if v := node.Get("commentChar"); v != nil && v.Kind == spec.Text {
		s.Comment = v.Text
	}
	return nil
}

// common sets what tables of all formats have: headers, sheets, and the list of a tree.
func common(s *extract.Source, node *spec.Node) error {
	header := true
	if v := node.Get("header"); v != nil {
		if err := v.Want(spec.Bool); err != nil {
			return err
		}
		header = v.Text == "true"
	}
	switch s.Format {
	case "csv", "tsv", "xlsx", "ods", "fods":
		s.Header, s.Skip = &header, -1
	}
	if v := node.Get("headerRows"); v != nil && header && s.Header != nil {
		first, count, err := rowsOf(v)
		if err != nil {
			return err
		}
		if s.HeaderRows = count; first > 1 {
			s.Skip = first - 1
		}
		join := " "
		if j := node.Get("headerJoin"); j != nil && j.Kind == spec.Text {
			join = j.Text
		}
		s.HeaderJoin = &join
	}
	if v := node.Get("commentRows"); v != nil {
		return v.Errorf("rows of comment by their numbers are not read; commentChar is")
	}
	if v := node.Get("property"); v != nil && v.Kind == spec.Text {
		s.Records = v.Text
	}
	if s.Format == "xlsx" || s.Format == "ods" || s.Format == "fods" {
		s.Tables = []string{"1"}
		if v := node.Get("sheetNumber"); v != nil && v.Kind == spec.Number {
			s.Tables = []string{v.Text}
		}
		if v := node.Get("sheetName"); v != nil && v.Kind == spec.Text {
			s.Tables = []string{v.Text}
		}
	}
	return nil
}

// rowsOf reads the numbers of the rows of a header, which follow one another.
func rowsOf(node *spec.Node) (first, count int, err error) {
	if err := node.Want(spec.List); err != nil {
		return 0, 0, err
	}
	for i, item := range node.Items {
		n, failed := strconv.Atoi(item.Text)
		if item.Kind != spec.Number || failed != nil || n < 1 {
			return 0, 0, item.Errorf("the number of a row is 1 or more")
		}
		if i == 0 {
			first = n
		} else if n != first+i {
			return 0, 0, item.Errorf("rows of a header that do not follow one another are not read")
		}
		count++
	}
	if count == 0 {
		return 0, 0, node.Errorf("a header has at least a row; header: false says that there is none")
	}
	return first, count, nil
}

// NullSequence is the text that the dialect has for no value; "" if it has none.
func (r *Resource) NullSequence() string { return textOf(r.Dialect, "nullSequence") }
