package lint

import (
	"errors"
	"fmt"
	"slices"

	"laundromat/internal/fault"
	"laundromat/records/spec"
)

// freeKeys are the keys whose values may be of any kind, so that no compiler refuses a bare
// word which was meant as a text.
var freeKeys = map[string][]string{
	"select": {"const", "or"},
	"map":    {"default"},
	"schema": {"default", "enum", "const", "example", "examples", "categories"},
}

// bareWords tells which bare words of YAML are numbers or booleans where a text may be meant.
func (l *linter) bareWords() {
	for part, node := range map[string]*spec.Node{"select": l.spec.Select, "map": l.spec.Map, "schema": l.spec.Schema} {
		if node != nil {
			l.bareIn(node, freeKeys[part], "")
		}
	}
	slices.SortStableFunc(l.report.Findings, func(a, b Finding) int { return int(a.Line - b.Line) })
}

// bareIn walks a part. free is the key of the value that the node is in, where any kind is
// lawful there.
func (l *linter) bareIn(n *spec.Node, keys []string, free string) {
	// Null is what it looks like: {or: [selector, null]} asks for it.
	if free != "" && n.Bare && n.Kind != spec.Null {
		l.bare(n)
	}
	for _, item := range n.Items {
		l.bareIn(item, keys, free)
	}
	for _, e := range n.Entries {
		in := free
		if slices.Contains(keys, e.Key) {
			in = e.Key
		} else if free == "or" {
			in = "" // a matcher
		}
		l.bareIn(e.Value, keys, in)
	}
}

func (l *linter) bare(n *spec.Node) {
	v := n.Value()
	as := n.Kind.String()
	if n.Kind != spec.Null {
		as = fmt.Sprintf("%s %s", theKind(n.Kind), v.AppendJSON(nil))
	}
	word := n.Text
	if n.Kind == spec.Null && word == "" {
		word = "null"
	}
	l.tell(n.File, fault.Notice{Code: fault.RecordBareWord, Severity: fault.Note,
		Pos:     fault.Pos{Line: int64(n.Line), Column: int64(n.Column)},
		Message: fmt.Sprintf("the bare word %s is %s here; for a text write it in quotation marks: %q", word, as, word)})
}

func theKind(k spec.Kind) string {
	if k == spec.Bool {
		return "the boolean"
	}
	return "the number"
}

// explain tells that what a compiler refused is a bare word.
func (l *linter) explain(err error) {
	var wrong *spec.Error
	if !errors.As(err, &wrong) {
		return
	}
	var find func(n *spec.Node)
	find = func(n *spec.Node) {
		if n.Bare && n.File == wrong.File && n.Line == wrong.Line && n.Column == wrong.Column {
			l.bare(n)
		}
		for _, item := range n.Items {
			find(item)
		}
		for _, e := range n.Entries {
			find(e.Value)
		}
	}
	for _, part := range []*spec.Node{l.spec.Source, l.spec.Select, l.spec.Map, l.spec.Schema, l.spec.Pages} {
		if part != nil {
			find(part)
		}
	}
}
