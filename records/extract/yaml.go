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
	opt     *Options
	first   int64 // the line before the document
	offset  int64
	aliased int
	depth   int
}

// readYAML reads each document of a stream; a broken one costs itself.
func readYAML(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	y := &yamlReader{tree: tree{to: to, document: doc.Name, key: opt.source().Records}, opt: opt}
	limit := opt.MaxItem
	if limit <= 0 {
		limit = 16 << 20
	}
	in := bufio.NewReaderSize(doc.Text, 64<<10)
	var text []byte
	line := int64(0)
	began := false // the document has more than its mark
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		part, err := in.ReadSlice('\n')
		whole := !errors.Is(err, bufio.ErrBufferFull)
		if err != nil && whole && err != io.EOF {
			return err
		}
		last := err == io.EOF
		if bytes.HasPrefix(part, []byte("---")) && (len(bytes.TrimSpace(part)) == 3 || part[3] == ' ') && began {
			if err := y.documentOf(text, limit); err != nil {
				return err
			}
			y.offset += int64(len(text))
			text, y.first = text[:0], line
		}
		began = true
		if len(text) <= limit {
			text = append(text, part...)
		}
		if whole {
			line++
		}
		if last {
			return y.documentOf(text, limit)
		}
	}
}

// documentOf reads one document.
func (y *yamlReader) documentOf(text []byte, limit int) error {
	at := fault.Pos{Line: y.first + 1, Column: 1, Offset: y.offset}
	if len(text) > limit {
		y.to.Notice(fault.Notice{Code: fault.LimitRecord, Severity: fault.Drop, Lost: 1, Pos: at, Bytes: int64(len(text)),
			Message: "the document of YAML is larger than may be held"})
		return nil
	}
	var root yaml.Node
	switch err := yaml.Unmarshal(text, &root); {
	case err != nil:
		if m := yamlErrorLine.FindStringSubmatch(err.Error()); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			at.Line = y.first + n
		}
		y.to.Notice(fault.Notice{Code: fault.RecordSyntax, Severity: fault.Drop, Lost: 1, Pos: at, Bytes: int64(len(text)),
			Message: "the document is not YAML: " + err.Error()})
		return nil
	case len(root.Content) == 0:
		return nil
	}
	y.aliased, y.depth = 0, 0
	v, err := y.value(root.Content[0], false)
	if err != nil {
		code := fault.LimitRecord
		if errors.Is(err, errDeep) {
			code = fault.LimitNesting
		}
		y.to.Notice(fault.Notice{Code: code, Severity: fault.Drop, Lost: 1, Pos: at, Message: err.Error()})
		return nil
	}
	at = y.place(root.Content[0])
	switch {
	case y.opt.Value == nil:
		return y.emitAll(v, at)
	case v.Kind != records.List || !y.opt.Items:
		return y.opt.give(Whole{Value: v, Pos: at})
	}
	for i, item := range v.Items {
		if err := y.opt.give(Whole{Value: item, Pos: y.place(root.Content[0].Content[i])}); err != nil {
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

// members adds the members of a mapping; those of a merge (<<) where there is none of the name.
func (y *yamlReader) members(v *records.Value, n *yaml.Node, aliased bool) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, of := n.Content[i], n.Content[i+1]
		value, err := y.value(of, aliased)
		if err != nil {
			return err
		}
		if key.ShortTag() == "!!merge" {
			for _, f := range value.Fields {
				if _, there := v.Get(f.Name); !there {
					v.Fields = append(v.Fields, f)
				}
			}
			continue
		}
		f := records.Field{Name: key.Value, Value: value, Pos: y.place(of)}
		if key.Kind != yaml.ScalarNode {
			name, err := y.value(key, aliased)
			if err != nil {
				return err
			}
			f.Name = string(name.AppendJSON(nil))
		}
		replaced := false
		for k := range v.Fields {
			if v.Fields[k].Name == f.Name { // it came by a merge
				v.Fields[k], replaced = f, true
			}
		}
		if !replaced {
			v.Fields = append(v.Fields, f)
		}
	}
	return nil
}
