package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"laundromat/internal/pattern"
)

// maxNodes bounds what a spec may grow to by its aliases.
const maxNodes = 200_000

// maxDepth is how deeply the nodes of a spec may be nested.
const maxDepth = 200

// Parse reads a text in JSON or YAML 1.2 (core schema). name is what errors call the file.
// A text that begins as JSON and is JSON is read as JSON. The error is an *Error.
func Parse(name string, text []byte) (*Node, error) {
	if !utf8.Valid(text) {
		return nil, &Error{File: name, Message: "the text is not UTF-8"}
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	var jsonErr error
	if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		r := &jsonReader{name: name, text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
		r.decoder.UseNumber()
		n, err := r.document()
		if err == nil {
			n.locate(string(text), lineStarts(string(text)))
			return n, nil
		}
		jsonErr = err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		if jsonErr != nil {
			return nil, jsonErr
		}
		return nil, yamlError(name, err)
	}
	if len(document.Content) == 0 {
		return nil, &Error{File: name, Message: "the file is empty"}
	}
	b := &yamlReader{name: name}
	n, err := b.node(document.Content[0], 0)
	if err != nil && jsonErr != nil {
		return nil, jsonErr
	}
	if err == nil {
		n.locate(string(text), lineStarts(string(text)))
	}
	return n, err
}

var yamlLine = pattern.New(`line (\d+): (.*)`)

func yamlError(name string, err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[1])
		return &Error{File: name, Line: line, Column: 1, Message: m[2]}
	}
	return &Error{File: name, Message: message}
}

// yamlReader makes nodes of those of the YAML library.
type yamlReader struct {
	name  string
	count int
}

func (b *yamlReader) node(from *yaml.Node, depth int) (*Node, error) {
	n := &Node{File: b.name, Line: from.Line, Column: from.Column}
	if b.count++; b.count > maxNodes {
		return nil, n.Errorf("the aliases make more than %d nodes of this file", maxNodes)
	}
	if depth > maxDepth {
		return nil, n.Errorf("the nodes are nested more than %d deep", maxDepth)
	}
	switch from.Kind {
	case yaml.AliasNode:
		return b.node(from.Alias, depth+1)
	case yaml.ScalarNode:
		return n, b.scalar(n, from)
	case yaml.SequenceNode:
		n.Kind = List
		for _, c := range from.Content {
			item, err := b.node(c, depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
		return n, nil
	case yaml.MappingNode:
		n.Kind = Map
		for i := 0; i+1 < len(from.Content); i += 2 {
			if err := b.entry(n, from.Content[i], from.Content[i+1], depth+1); err != nil {
				return nil, err
			}
		}
		return n, nil
	}
	return nil, n.Errorf("a value is wanted here")
}

func (b *yamlReader) entry(n *Node, key, value *yaml.Node, depth int) error {
	for key.Kind == yaml.AliasNode {
		key = key.Alias
	}
	e := &Entry{Key: key.Value, Line: key.Line, Column: key.Column}
	if key.Kind != yaml.ScalarNode {
		return n.EntryErrorf(e, "a key is a text")
	}
	if first := n.Entry(e.Key); first != nil {
		return n.EntryErrorf(e, "the key %q is already in line %d", e.Key, first.Line)
	}
	v, err := b.node(value, depth)
	if err != nil {
		return err
	}
	e.Value = v
	n.Entries = append(n.Entries, e)
	return nil
}

// The forms of the core schema (YAML 1.2.2, section 10.3.2).
var (
	coreNull  = pattern.New(`^(null|Null|NULL|~|)$`)
	coreBool  = pattern.New(`^(true|True|TRUE|false|False|FALSE)$`)
	coreInt   = pattern.New(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	coreFloat = pattern.New(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

func (b *yamlReader) scalar(n *Node, from *yaml.Node) error {
	n.Text = from.Value
	plain := from.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if from.Style&yaml.TaggedStyle != 0 {
		switch from.Tag {
		case "!!str", "!":
			plain = false
		case "!!int", "!!float", "!!bool", "!!null":
		default:
			return n.Errorf("the tag %s is not used in a spec", from.Tag)
		}
	}
	n.Kind = Text
	if !plain {
		return nil
	}
	switch {
	case coreNull.MatchString(n.Text):
		n.Kind, n.Bare = Null, n.Text != "" && n.Text != "~"
	case coreBool.MatchString(n.Text):
		n.Kind, n.Bare, n.Text = Bool, true, strings.ToLower(n.Text)
	case coreInt.MatchString(n.Text), coreFloat.MatchString(n.Text):
		n.Kind, n.Bare = Number, true
	}
	return nil
}

// jsonReader makes nodes of the tokens of encoding/json, which know their offsets.
type jsonReader struct {
	name    string
	text    []byte
	decoder *json.Decoder

	// line and column are the place of the byte at offset.
	offset, line, column int
}

func (r *jsonReader) document() (*Node, error) {
	r.line, r.column = 1, 1
	n, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := r.decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, r.here("something follows the end of the JSON value")
	}
	return n, nil
}

// place moves to the beginning of the next token.
func (r *jsonReader) place() (line, column int) {
	to := int(r.decoder.InputOffset())
	for to < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[to]) >= 0 {
		to++
	}
	for r.offset < to {
		c, size := utf8.DecodeRune(r.text[r.offset:])
		r.offset += size
		r.column++
		if c == '\n' {
			r.line, r.column = r.line+1, 1
		}
	}
	return r.line, r.column
}

func (r *jsonReader) here(format string, args ...any) error {
	line, column := r.place()
	return &Error{r.name, line, column, fmt.Sprintf(format, args...)}
}

func (r *jsonReader) value(depth int) (*Node, error) {
	n := &Node{File: r.name}
	n.Line, n.Column = r.place()
	if depth > maxDepth {
		return nil, n.Errorf("the values are nested more than %d deep", maxDepth)
	}
	token, err := r.decoder.Token()
	if err != nil {
		return nil, n.Errorf("not JSON: %v", err)
	}
	switch t := token.(type) {
	case nil:
		n.Kind = Null
	case bool:
		n.Kind, n.Text = Bool, strconv.FormatBool(t)
	case json.Number:
		n.Kind, n.Text = Number, t.String()
	case string:
		n.Kind, n.Text = Text, t
	case json.Delim:
		if t == '[' {
			return n, r.list(n, depth)
		}
		return n, r.mapping(n, depth)
	}
	return n, nil
}

func (r *jsonReader) list(n *Node, depth int) error {
	n.Kind = List
	for r.decoder.More() {
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, item)
	}
	return r.end()
}

func (r *jsonReader) mapping(n *Node, depth int) error {
	n.Kind = Map
	for r.decoder.More() {
		e := &Entry{}
		e.Line, e.Column = r.place()
		token, err := r.decoder.Token()
		if err != nil {
			return n.EntryErrorf(e, "not JSON: %v", err)
		}
		e.Key = token.(string) // the decoder gives no other key
		if first := n.Entry(e.Key); first != nil {
			return n.EntryErrorf(e, "the key %q is already in line %d", e.Key, first.Line)
		}
		if e.Value, err = r.value(depth + 1); err != nil {
			return err
		}
		n.Entries = append(n.Entries, e)
	}
	return r.end()
}

func (r *jsonReader) end() error {
	if _, err := r.decoder.Token(); err != nil {
		return r.here("not JSON: %v", err)
	}
	return nil
}
