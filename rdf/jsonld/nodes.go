package jsonld

import (
	"context"
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rule"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// Nodes makes statements of nodes that are in memory, one after another, in one context that is
// processed before the first. It belongs to one goroutine.
type Nodes struct {
	reader reader
}

// ContextError says why a context is of no use.
type ContextError struct {
	Pos  fault.Pos // in the text that the context is from
	Code fault.Code
	Err  string
}

// Error is the message.
func (e *ContextError) Error() string { return e.Err }

// NewNodes makes a Nodes whose nodes are read in the context local, nil for none. A context of which anything
// would be lost, repaired or doubted is a *ContextError.
func NewNodes(local *jsonread.Value, in rdf.Input, opt Options, to rdf.Sink) (*Nodes, error) {
	opt.applyDefaults()
	n := &Nodes{reader{to: to, out: emitter{expander: newExpander(in, opt, to)}}}
	r := &n.reader
	r.out.loader.askWith(context.Background())
	r.out.rules = ruleSwitch{rule.Of(context.Background(), Rules)}
	r.json = jsonread.NewReader(context.Background(), strings.NewReader(""), jsonread.Options{Guide: guide{}, Format: formatName,
		MaxBytes: opt.MaxBytes, MaxDepth: opt.MaxDepth}, r)
	if local == nil {
		return n, nil
	}
	found := &firstFault{}
	r.out.sink = found
	err := beginWith(r.out.expander, local)
	r.out.sink = to
	if err == nil && found.fault != nil {
		err = found.fault
	}
	if err != nil {
		return nil, err
	}
	return n, nil
}

// beginWith makes the context that top-level values begin with of one that is written out.
func beginWith(e *expander, local *jsonread.Value) error {
	for _, item := range local.List() {
		if item.Kind != jsonread.Text {
			continue
		}
		if _, f := e.load(item, item.Text); e.failed != nil {
			return e.failed
		} else if f != nil { // a context that lacks it is of no use
			return f.contextError(item)
		}
	}
	start, f := e.process(e.initial, local, where{})
	if f == nil && start.lacks != "" {
		f = failed(fault.JSONContextNotAvailable, local, "it needs the context <%s>, which is not at hand", start.lacks)
	}
	if f == nil && (start.breaks != nil || start.faulty) {
		if f = e.flaw; f == nil {
			f = failed(fault.JSONContext, local, "a part of it can't be read")
		}
	}
	if e.failed != nil {
		return e.failed
	}
	if f != nil {
		return f.contextError(local)
	}
	e.start = start
	return nil
}

func (f *failure) contextError(at *jsonread.Value) error {
	if f.at != nil && f.at.Pos != (fault.Pos{}) {
		at = f.at
	}
	return &ContextError{Pos: at.Pos, Code: f.code, Err: f.message}
}

// firstFault is a sink that keeps the first finding which is more than a note.
type firstFault struct{ fault *ContextError }

func (s *firstFault) Quad(*rdf.Quad) error { return nil }

func (s *firstFault) Notice(n fault.Notice) {
	if s.fault == nil && n.Severity > fault.Note {
		s.fault = &ContextError{Pos: n.Pos, Code: n.Code, Err: n.Message}
		if n.Excerpt != "" {
			s.fault.Err = fmt.Sprintf("%s (%s)", n.Message, n.Excerpt)
		}
	}
}

// Types says that the context gives the values of a property a datatype or a language, or takes them for
// something else than literals, so that they are not to have a datatype of their own.
func (n *Nodes) Types(property string) bool {
	t := n.reader.out.start.terms[property]
	return t != nil && (t.typ != "" || t.hasLanguage || t.reverse || t.container&(asLanguage|asID|asGraph|asType) != 0) ||
		n.Keyword(property) != ""
}

// Keyword is the keyword that a name is, or is another name of; "" if it is none.
func (n *Nodes) Keyword(name string) string {
	if t := n.reader.out.start.terms[name]; t != nil {
		name = t.iri
	}
	if isKeyword(name) {
		return name
	}
	return ""
}

// Knows says that the context has a definition of a name, if only one that takes all meaning from it.
func (n *Nodes) Knows(name string) bool {
	_, known := n.reader.out.start.terms[name]
	return known
}

// Defines says that a name means something in the context, or may be a keyword that is misspelt.
func (n *Nodes) Defines(name string) bool {
	if t, known := n.reader.out.start.terms[name]; known {
		return t != nil && t.iri != ""
	}
	return n.reader.out.start.hasVocab || strings.Contains(name, ":") || strings.HasPrefix(name, "@")
}

// Node makes the statements of a node. It is not kept. An error is that of the sink, as an *rdf.SinkError.
func (n *Nodes) Node(node *jsonread.Value) error {
	n.reader.start(node)
	n.reader.write(n.reader.out.expandTop(node))
	return n.reader.out.failed
}

// Close tells what is only known after the last node.
func (n *Nodes) Close() {
	n.reader.out.tellAbsences()
	n.reader.json.Close()
}
