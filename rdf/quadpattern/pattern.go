// Package quadpattern finds statements by their terms: those of a subject, predicate, object and graph, of which any
// may be left open. It is a quad pattern of SPARQL 1.1 (§18.1.6) without variables that occur twice.
//
//	p, err := quadpattern.Parse(ctx, quadpattern.Given{Predicate: "foaf:name", Object: `"Ada"@en`})
//	if p.Matches(line) { … }
//
// Terms are written as in N-Quads and read by the program's own reader, so that each is looked for in the form in
// which a wash writes it: "01"^^xsd:integer is found as "1", and @EN as @en.
package quadpattern

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/rdf/quadline"
)

// Given are terms as people write them; "" is open.
//
// An IRI may be without < and >. Then a prefix that has one meaning everywhere ([rdf.WellKnown]), as in foaf:name,
// stands for its namespace, and "a" for rdf:type as predicate. The datatype of a literal may be so too. The graph
// "default" is the default graph.
type Given struct{ Subject, Predicate, Object, Graph string }

// DefaultGraph is what is written for the default graph.
const DefaultGraph = "default"

// Pattern is what lines must have. Its zero value has every line.
type Pattern struct {
	// Subject, Predicate, Object and Graph are terms of canonical N-Quads; nil is open.
	Subject, Predicate, Object, Graph []byte
	InDefaultGraph                    bool
}

// TermError says that a term is wrong.
type TermError struct {
	Place  string // subject, predicate, object or graph
	Term   string
	Column int // in characters, from 1; 0: the term as a whole
	Err    error
}

// Error names the term and the place in it.
func (e *TermError) Error() string {
	where := e.Place
	if e.Column > 0 {
		where += fmt.Sprintf(", column %d", e.Column)
	}
	return fmt.Sprintf("%s: %q: %v", where, e.Term, e.Err)
}

// Unwrap is what is wrong.
func (e *TermError) Unwrap() error { return e.Err }

// Parse reads terms. The error is a [*TermError].
func Parse(ctx context.Context, given Given) (p Pattern, err error) {
	if given.Graph == DefaultGraph {
		p.InDefaultGraph, given.Graph = true, ""
	}
	for _, one := range [...]struct {
		place, term string
		to          *[]byte
	}{
		{"subject", given.Subject, &p.Subject}, {"predicate", given.Predicate, &p.Predicate},
		{"object", given.Object, &p.Object}, {"graph", given.Graph, &p.Graph},
	} {
		if one.term == "" {
			continue
		}
		if *one.to, err = parse(ctx, one.place, one.term); err != nil {
			return Pattern{}, err
		}
	}
	return p, nil
}

// Matches says that a line of canonical N-Quads, without its end, has the terms.
func (p *Pattern) Matches(line []byte) bool {
	for _, term := range [...][]byte{p.Object, p.Predicate, p.Subject, p.Graph} {
		if term != nil && !bytes.Contains(line, term) {
			return false // most lines end here
		}
	}
	t, ok := quadline.Cut(line)
	return ok && (p.Subject == nil || bytes.Equal(p.Subject, t.Subject)) &&
		(p.Predicate == nil || bytes.Equal(p.Predicate, t.Predicate)) &&
		(p.Object == nil || bytes.Equal(p.Object, t.Object)) &&
		(p.Graph == nil || bytes.Equal(p.Graph, t.Graph)) && (!p.InDefaultGraph || t.Graph == nil)
}

// parse reads the term of a place.
func parse(ctx context.Context, place, term string) ([]byte, error) {
	wrong := func(column int, err error) error { return &TermError{place, term, column, err} }
	if i := strings.IndexAny(term, "\r\n"); i >= 0 {
		return nil, wrong(utf8.RuneCountInString(term[:i])+1, errors.New("a term is on one line; a line end in a literal is \\n"))
	}
	if strings.HasPrefix(term, "_:") {
		return nil, wrong(0, errors.New("in clean files a blank node is an IRI below /.well-known/genid/: name that"))
	}
	text, added := term, 0
	switch {
	case term[0] == '"':
		if place != "object" {
			return nil, wrong(1, errors.New("a literal can be an object only"))
		}
		var err error
		if text, err = withDatatype(term); err != nil {
			return nil, wrong(0, err)
		}
	case strings.HasPrefix(term, "<<"):
		if place != "object" {
			return nil, wrong(1, errors.New("a triple term can be an object only"))
		}
	case term[0] == '<':
		if !strings.HasSuffix(term, ">") {
			return nil, wrong(utf8.RuneCountInString(term), errors.New("an IRI that begins with < ends with >"))
		}
	default:
		var err error
		if text, err = iriOf(place, term); err != nil {
			return nil, wrong(1, err)
		}
		added = 1
	}
	frame := frames[place]
	var found *quadline.Terms
	var trouble *fault.Notice
	n := 0
	first, tally := clean.Chain(clean.Options{KeepBlankNodes: true}, clean.EachLine(func(line []byte) error {
		n++
		if t, ok := quadline.Cut(bytes.Clone(line)); ok {
			found = &t
		}
		return nil
	}), func(notice fault.Notice) {
		if trouble == nil && notice.Severity >= fault.Repair {
			trouble = &notice
		}
	})
	line := frame.before + text + frame.after + "\n"
	_, err := format.Parse(ctx, format.NQuads, strings.NewReader(line), format.Options{}, first)
	tally.Close()
	switch {
	case err != nil:
		return nil, err
	case trouble != nil:
		column := int(trouble.Column) - utf8.RuneCountInString(frame.before) - added
		return nil, wrong(max(0, min(column, utf8.RuneCountInString(term)+1)), errors.New(trouble.Message))
	case n != 1 || found == nil:
		return nil, wrong(0, errNotOne)
	}
	value := bytes.Clone(*frame.of(found))
	*frame.of(found) = nil
	others := [4]string{string(found.Subject), string(found.Predicate), string(found.Object), string(found.Graph)}
	if others != frame.others {
		return nil, wrong(0, errNotOne)
	}
	return value, nil
}

// frame is a line around a term that is read.
type frame struct {
	before, after string
	of            func(*quadline.Terms) *[]byte
	others        [4]string // the terms of the line, without that
}

var frames = map[string]frame{
	"subject": {"", " <urn:p> <urn:o> .", func(t *quadline.Terms) *[]byte { return &t.Subject }, [4]string{"", "<urn:p>", "<urn:o>", ""}},
	"predicate": {"<urn:s> ", " <urn:o> .", func(t *quadline.Terms) *[]byte { return &t.Predicate },
		[4]string{"<urn:s>", "", "<urn:o>", ""}},
	"object": {"<urn:s> <urn:p> ", " .", func(t *quadline.Terms) *[]byte { return &t.Object }, [4]string{"<urn:s>", "<urn:p>", "", ""}},
	"graph": {"<urn:s> <urn:p> <urn:o> ", " .", func(t *quadline.Terms) *[]byte { return &t.Graph },
		[4]string{"<urn:s>", "<urn:p>", "<urn:o>", ""}},
}

var (
	errNoTerm = errors.New("a term is an IRI (<http://…>, http://…, foaf:name) or, as object, a literal in quotation marks " +
		"(\"Bonn\"@de)")
	errNotOne = errors.New("this is no single term")
)

// iriOf is an IRI that was written without < and >, with them.
func iriOf(place, term string) (string, error) {
	if place == "predicate" && term == "a" {
		return "<" + rdf.Type + ">", nil
	}
	prefix, name, hasColon := strings.Cut(term, ":")
	if !hasColon || strings.ContainsAny(prefix, "/?#") {
		return "", errNoTerm
	}
	if strings.HasPrefix(name, "//") {
		return "<" + term + ">", nil
	}
	if namespace, ok := rdf.WellKnown(prefix); ok {
		return "<" + namespace + name + ">", nil
	}
	if rdf.InitialContext[prefix] != "" {
		return "", fmt.Errorf("the prefix %s is in use for more than one vocabulary: write the whole IRI, such as <%s%s>", prefix,
			rdf.InitialContext[prefix], name)
	}
	return "<" + term + ">", nil
}

// withDatatype is a literal with the IRI of its datatype in < and >.
func withDatatype(literal string) (string, error) {
	at := strings.LastIndex(literal, `"^^`)
	if at < 1 || at+3 == len(literal) || literal[at+3] == '<' {
		return literal, nil
	}
	iri, err := iriOf("datatype", literal[at+3:])
	return literal[:at+3] + iri, err
}
