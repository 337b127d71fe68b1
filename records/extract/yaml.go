package extract

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"go.yaml.in/yaml/v3"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/records"
)

// maxAliased is how many values aliases may stand for in one document.
const maxAliased = 100_000

var yamlErrorLine = pattern.New(`line (\d+)`)

// yamlReader reads the documents of a stream of YAML, each held whole.
type yamlReader struct {
	tree
	opt    *Options
	limit  int    // of a document, in bytes
	text   []byte // of the document at hand, as far as it may be held
	size   int64  // all of it
	began  bool   // it has more than comments and directives
	line   int64  // the lines that were read
	first  int64  // the line before the document
	offset int64

	aliased int
	depth   int
}

// readYAML reads each document of a stream; a broken one costs itself. A line of --- begins a document and a
// line of ... ends one, wherever they are: no text may hold them at its margin.
func readYAML(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	y := &yamlReader{tree: tree{to: to, document: doc.Name, key: opt.source().Records}, opt: opt}
	y.limit = opt.MaxItem
	if y.limit <= 0 {
		y.limit = 16 << 20
	}
	in := bufio.NewReaderSize(doc.Text, 64<<10)
	if mark, err := in.Peek(3); err == nil && string(mark) == "\uFEFF" {
		y.offset = 3
		if _, err := in.Discard(3); err != nil {
			return err
		}
	}
	for whole := true; ; { // whole: the part before ended its line
		if err := ctx.Err(); err != nil {
			return err
		}
		part, err := in.ReadSlice('\n')
		if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		ends := err == io.EOF
		if whole {
			switch mark := documentMark(part); {
			case mark == "---" && y.began:
				if err := y.end(); err != nil {
					return err
				}
				y.began = true
			case mark == "...":
				ends = true
			case !y.began && bytes.HasPrefix(part, []byte("%")):
				part = directive(part)
			case mark == "---" || !isYAMLRemark(part):
				y.began = true
			}
		}
		y.size += int64(len(part))
		if len(y.text) <= y.limit {
			y.text = append(y.text, part...)
		}
		if whole = !errors.Is(err, bufio.ErrBufferFull); whole {
			y.line++
		}
		if ends {
			if failed := y.end(); failed != nil || err == io.EOF {
				return failed
			}
		}
	}
}

// end ends the document at hand.
func (y *yamlReader) end() (err error) {
	if y.began {
		err = y.documentOf(y.text, y.size)
	}
	y.offset, y.first = y.offset+y.size, y.line
	y.text, y.size, y.began = y.text[:0], 0, false
	return err
}

// documentMark is the mark of a document that a line begins with: ---, ... or none.
func documentMark(line []byte) string {
	if len(line) >= 3 && (len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0) {
		if mark := string(line[:3]); mark == "---" || mark == "..." {
			return mark
		}
	}
	return ""
}

// isYAMLRemark says that a line is blank or a comment.
func isYAMLRemark(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#'
}

// directive makes a comment of a directive that says nothing about the values: of any but %TAG. The parser
// refuses YAML 1.2 and names that it does not know.
func directive(line []byte) []byte {
	if bytes.HasPrefix(line, []byte("%TAG")) {
		return line
	}
	return append([]byte{'#'}, line[1:]...)
}

// rootScalar is a document that is a text in lines, which may stand at the margin.
var rootScalar = pattern.New(`^---[ \t]+(?:[!&]\S*[ \t]+)*[|>][-+]?[ \t]*(?:[ \t]#[^\n]*)?\r?\n`)

// indented is a document as the parser can read it: a text at the margin has a space before each line. As the
// indentation of such a text is that of its first line, this changes no value.
func indented(text []byte) []byte {
	head := 0
	for head < len(text) && documentMark(text[head:]) == "" {
		n := bytes.IndexByte(text[head:], '\n')
		if n < 0 || !isYAMLRemark(text[head:head+n]) && text[head] != '%' {
			return text
		}
		head += n + 1
	}
	found := rootScalar.FindIndex(text[head:])
	if found == nil {
		return text
	}
	out := append([]byte(nil), text[:head+found[1]]...)
	for line := range bytes.Lines(text[head+found[1]:]) {
		if documentMark(line) == "" && len(bytes.TrimRight(line, "\r\n")) > 0 {
			out = append(out, ' ')
		}
		out = append(out, line...)
	}
	return out
}

// documentOf reads one document. What follows its value is lost, and reported.
func (y *yamlReader) documentOf(text []byte, size int64) error {
	at := fault.Pos{Line: y.first + 1, Column: 1, Offset: y.offset}
	if len(text) > y.limit {
		y.to.Notice(fault.Notice{Code: fault.LimitRecord, Severity: fault.Drop, Lost: 1, Pos: at, Bytes: size,
			Message: "the document of YAML is larger than may be held"})
		return nil
	}
	in := yaml.NewDecoder(bytes.NewReader(indented(text)))
	for n := 0; ; n++ {
		var root yaml.Node
		switch err := in.Decode(&root); {
		case err == io.EOF:
			return nil
		case err != nil:
			if n == 0 {
				if roots, ok := rereadYAML(indented(text)); ok {
					return y.roots(roots)
				}
			}
			message := "the document is not YAML: "
			if n > 0 {
				message = "what follows the value of the document is lost: "
			}
			if m := yamlErrorLine.FindStringSubmatch(err.Error()); m != nil {
				n, _ := strconv.ParseInt(m[1], 10, 64)
				at.Line = y.first + n
			}
			y.to.Notice(fault.Notice{Code: fault.RecordSyntax, Severity: fault.Drop, Lost: 1, Pos: at, Bytes: size, Message: message +
				err.Error()})
			return nil
		case len(root.Content) > 0:
			if err := y.root(root.Content[0]); err != nil {
				return err
			}
		}
	}
}

func (y *yamlReader) roots(all []*yaml.Node) error {
	for _, root := range all {
		if err := y.root(root); err != nil {
			return err
		}
	}
	return nil
}

// root passes on the value of a document.
func (y *yamlReader) root(node *yaml.Node) error {
	y.aliased, y.depth = 0, 0
	at := y.place(node)
	v, err := y.value(node, false)
	if err != nil {
		code := fault.LimitRecord
		if errors.Is(err, errDeep) {
			code = fault.LimitNesting
		}
		y.to.Notice(fault.Notice{Code: code, Severity: fault.Drop, Lost: 1, Pos: at, Message: err.Error()})
		return nil
	}
	switch {
	case y.opt.Value == nil:
		return y.emitAll(v, at)
	case v.Kind != records.List || !y.opt.Items:
		return y.opt.give(Whole{Value: v, Pos: at})
	}
	for i, item := range v.Items {
		if err := y.opt.give(Whole{Value: item, Pos: y.place(node.Content[i])}); err != nil {
			return err
		}
	}
	return nil
}

var (
	errDeep    = errors.New("lists and mappings are nested too deeply")
	errAliases = fmt.Errorf("aliases stand for more than %d values", maxAliased)
)

func (y *yamlReader) place(n *yaml.Node) fault.Pos {
	return fault.Pos{Line: y.first + int64(n.Line), Column: int64(n.Column), Offset: y.offset}
}

// value is a node as a value. Aliases are followed within a bound.
func (y *yamlReader) value(n *yaml.Node, aliased bool) (v records.Value, err error) {
	depth := y.opt.MaxDepth
	if depth <= 0 {
		depth = 500
	}
	if y.depth++; y.depth > depth {
		return v, errDeep
	}
	defer func() { y.depth-- }()
	if aliased {
		if y.aliased++; y.aliased > maxAliased {
			return v, errAliases
		}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return y.value(n.Alias, true)
	case yaml.SequenceNode:
		v.Kind = records.List
		for _, c := range n.Content {
			item, err := y.value(c, aliased)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, item)
		}
		return v, nil
	case yaml.MappingNode:
		v.Kind = records.Object
		return v, y.members(&v, n, aliased)
	}
	switch n.ShortTag() {
	case "!!null":
		return v, nil
	case "!!bool":
		return records.BoolOf(n.Value == "true" || n.Value == "True" || n.Value == "TRUE"), nil
	case "!!int", "!!float":
		if records.IsNumber(n.Value) {
			return records.NumberOf(n.Value), nil
		}
	}
	return records.TextOf(n.Value), nil
}

// members adds the members of a mapping; those of a merge (<<) where there is none of the name. The n-th
// member of the same name is called name_N.
func (y *yamlReader) members(v *records.Value, n *yaml.Node, aliased bool) error {
	var merged map[string]bool // the names that a merge gave
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, of := n.Content[i], n.Content[i+1]
		value, err := y.value(of, aliased)
		if err != nil {
			return err
		}
		if key.ShortTag() == "!!merge" {
			if from := mergedFrom(value); from != nil {
				if merged == nil {
					merged = map[string]bool{}
				}
				for _, f := range from {
					if _, there := v.Get(f.Name); !there {
						merged[f.Name] = true
						v.Fields = append(v.Fields, f)
					}
				}
				continue
			}
		}
		name, err := y.value(key, aliased)
		if err != nil {
			return err
		}
		f := records.Field{Name: name.Text, Value: value, Pos: y.place(of)}
		if key.Kind == yaml.ScalarNode {
			f.Name = key.Value
		} else if name.Kind != records.Text {
			f.Name = string(name.AppendJSON(nil))
		}
		if merged[f.Name] {
			delete(merged, f.Name)
			for k := range v.Fields {
				if v.Fields[k].Name == f.Name {
					v.Fields[k] = f
				}
			}
			continue
		}
		if told := addField(v, f); told != nil {
			told.Pos = y.place(key)
			y.to.Notice(*told)
		}
	}
	return nil
}

// mergedFrom is what a merge adds: the members of a mapping, or of the mappings of a list. Nil: it is no merge.
func mergedFrom(v records.Value) (from []records.Field) {
	items := []records.Value{v}
	if v.Kind == records.List {
		items = v.Items
	}
	for _, item := range items {
		if item.Kind != records.Object {
			return nil
		}
		from = append(from, item.Fields...)
	}
	return from
}
