package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteAs writes n statements of a shape in another format: a subject whose statements come together is one there,
// too. Dirt is that of lines, and is left out.
func (s Shape) WriteAs(to io.Writer, format Format, n int) error {
	if format == s.Format {
		return s.Write(to, n)
	}
	out := bufio.NewWriterSize(to, 64<<10)
	t, known := translations[format]
	if !known {
		return fmt.Errorf("corpus: no shape is translated to %q", format)
	}
	lines := &translator{to: out, translation: t}
	out.WriteString(t.head)
	w := bufio.NewWriterSize(lines, 64<<10)
	s.write(w, s.Statements(n))
	if err := w.Flush(); err != nil {
		return err
	}
	lines.end()
	out.WriteString(t.foot)
	return out.Flush()
}

// translation is how a format writes statements of lines.
type translation struct {
	head, foot string
	// begin is before the statements of a subject, of which graph is "" where it has none; end is after them.
	begin func(w *bufio.Writer, isFirst bool, subject, graph string)
	said  func(w *bufio.Writer, isFirst bool, predicate string, object value)
	end   func(w *bufio.Writer, graph string)
	once  bool // a predicate that comes again begins the subject anew
}

// value is an object: an IRI, a blank node, or a text with its escapes undone.
type value struct {
	term               string // as it is in the line
	text               string
	language, datatype string
	isLiteral          bool
}

// translator takes lines and writes their statements in another format.
type translator struct {
	to *bufio.Writer
	translation
	rest           []byte // of a line whose end is not there yet
	subject, graph string
	isOpen, isNext bool            // a subject is begun; one was before
	seen           map[string]bool // the predicates of the subject, if once says so
}

func (t *translator) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for {
		line, rest, isWhole := bytes.Cut(t.rest, []byte("\n"))
		if !isWhole {
			return len(p), nil
		}
		if err := t.line(string(line)); err != nil {
			return 0, err
		}
		t.rest = append(t.rest[:0], rest...)
	}
}

func (t *translator) line(line string) error {
	line = strings.TrimSuffix(strings.ReplaceAll(line, "\t", " "), " .") // no text of a shape has a tab
	subject, rest, _ := strings.Cut(line, " ")
	predicate, rest, _ := strings.Cut(rest, " ")
	object, rest, err := cutValue(rest)
	if err != nil {
		return fmt.Errorf("corpus: %s: %w", line, err)
	}
	isFirst := !t.isOpen || subject != t.subject || rest != t.graph || t.seen[predicate]
	if isFirst {
		t.end()
		t.seen = map[string]bool{}
		t.begin(t.to, !t.isNext, subject, rest)
		t.subject, t.graph, t.isOpen, t.isNext = subject, rest, true, true
	}
	if t.once {
		t.seen[predicate] = true
	}
	t.said(t.to, isFirst, predicate, object)
	return nil
}

func (t *translator) end() {
	if t.isOpen {
		t.translation.end(t.to, t.graph)
		t.isOpen = false
	}
}

// cutValue cuts off the object that text begins with.
func cutValue(text string) (v value, rest string, err error) {
	if !strings.HasPrefix(text, `"`) {
		v.term, rest, _ = strings.Cut(text, " ")
		return v, rest, nil
	}
	end := 1
	for text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	end++
	if v.text, err = strconv.Unquote(text[:end]); err != nil {
		return v, "", err
	}
	kind, rest, _ := strings.Cut(text[end:], " ")
	v.isLiteral, v.term = true, text[:end]+kind
	v.language, _ = strings.CutPrefix(kind, "@")
	if datatype, typed := strings.CutPrefix(kind, "^^"); typed {
		v.language, v.datatype = "", inner(datatype)
	}
	return v, rest, nil
}

// inner is an IRI without its angle brackets.
func inner(term string) string { return strings.TrimSuffix(strings.TrimPrefix(term, "<"), ">") }

// namespaces have names in the formats that know such.
var namespaces = []struct{ name, iri string }{
	{"dbr", resource}, {"dbo", ontology}, {"rdfs", rdfs}, {"rdf", rdf}, {"owl", owl}, {"xsd", xsd},
	{"wd", "http://www.wikidata.org/entity/"}, {"wdt", "http://www.wikidata.org/prop/direct/"}, {"schema", "http://schema.org/"},
	{"ns", "http://rdf.freebase.com/ns/"}, {"key", "http://rdf.freebase.com/key/"},
}

// declared are all of them, each as format says, which is given name and IRI.
func declared(format, between string) string {
	var all []string
	for _, n := range namespaces {
		all = append(all, fmt.Sprintf(format, n.name, n.iri))
	}
	return strings.Join(all, between)
}

// short is the name of an IRI with its prefix. There is none where a local name would need escapes.
func short(iri string) (name string, ok bool) {
	for _, n := range namespaces {
		local, isIn := strings.CutPrefix(iri, n.iri)
		if isIn && local != "" && !strings.ContainsFunc(local, func(r rune) bool {
			return r < 0x80 && r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
		}) && !strings.ContainsAny(local, "–") {
			return n.name + ":" + local, true
		}
	}
	return "", false
}

// turtleTerm is a term of lines as Turtle has it.
func turtleTerm(term string) string {
	if name, ok := short(inner(term)); ok && term[0] == '<' {
		return name
	}
	return term
}

// qualified is the name of a predicate in XML.
func qualified(predicate string) string {
	iri := inner(predicate)
	for _, n := range namespaces {
		if local, isIn := strings.CutPrefix(iri, n.iri); isIn {
			return n.name + ":" + local
		}
	}
	return "rdf:value" // no shape has such
}

func escapedXML(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder never fails
	return b.String()
}

func jsonString(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}

var turtle = translation{
	head:  declared("@prefix %s: <%s> .\n", ""),
	begin: func(w *bufio.Writer, _ bool, subject, _ string) { w.WriteString(turtleTerm(subject)) },
	said: func(w *bufio.Writer, isFirst bool, predicate string, o value) {
		if !isFirst {
			w.WriteString(" ;\n   ")
		}
		object := turtleTerm(o.term)
		if name, ok := short(o.datatype); ok {
			object = strings.TrimSuffix(o.term, "<"+o.datatype+">") + name
		}
		w.WriteString(" " + turtleTerm(predicate) + " " + object)
	},
	end: func(w *bufio.Writer, _ string) { w.WriteString(" .\n") },
}

var translations = map[Format]translation{
	Turtle: turtle,
	TriG: {
		head: turtle.head,
		begin: func(w *bufio.Writer, _ bool, subject, graph string) {
			w.WriteString(graph + " {\n" + turtleTerm(subject))
		},
		said: turtle.said,
		end:  func(w *bufio.Writer, _ string) { w.WriteString(" .\n}\n") },
	},
	RDFXML: {
		head: `<?xml version="1.0" encoding="utf-8"?>` + "\n<rdf:RDF " + declared(`xmlns:%s="%s"`, " ") + ">\n",
		foot: "</rdf:RDF>\n",
		begin: func(w *bufio.Writer, _ bool, subject, _ string) {
			if node, isBlank := strings.CutPrefix(subject, "_:"); isBlank {
				fmt.Fprintf(w, "<rdf:Description rdf:nodeID=%q>\n", node)
			} else {
				fmt.Fprintf(w, "<rdf:Description rdf:about=\"%s\">\n", escapedXML(inner(subject)))
			}
		},
		said: func(w *bufio.Writer, _ bool, predicate string, o value) {
			name := qualified(predicate)
			node, isBlank := strings.CutPrefix(o.term, "_:")
			switch {
			case isBlank:
				fmt.Fprintf(w, "  <%s rdf:nodeID=%q/>\n", name, node)
			case !o.isLiteral:
				fmt.Fprintf(w, "  <%s rdf:resource=\"%s\"/>\n", name, escapedXML(inner(o.term)))
			case o.language != "":
				fmt.Fprintf(w, "  <%s xml:lang=%q>%s</%s>\n", name, o.language, escapedXML(o.text), name)
			case o.datatype != "":
				fmt.Fprintf(w, "  <%s rdf:datatype=%q>%s</%s>\n", name, o.datatype, escapedXML(o.text), name)
			default:
				fmt.Fprintf(w, "  <%s>%s</%s>\n", name, escapedXML(o.text), name)
			}
		},
		end: func(w *bufio.Writer, _ string) { w.WriteString("</rdf:Description>\n") },
	},
	JSONLD: {
		head: "{\"@context\": {" + declared(`"%s": "%s"`, ", ") + "},\n\"@graph\": [\n",
		foot: "\n]}\n", once: true,
		begin: func(w *bufio.Writer, isFirst bool, subject, graph string) {
			if !isFirst {
				w.WriteString(",\n")
			}
			if graph != "" {
				fmt.Fprintf(w, "{\"@id\": %s, \"@graph\": ", jsonString(jsonName(graph)))
			}
			fmt.Fprintf(w, "{\"@id\": %s", jsonString(jsonName(subject)))
		},
		said: func(w *bufio.Writer, _ bool, predicate string, o value) {
			fmt.Fprintf(w, ", %s: ", jsonString(jsonName(predicate)))
			switch {
			case !o.isLiteral:
				fmt.Fprintf(w, "{\"@id\": %s}", jsonString(jsonName(o.term)))
			case o.language != "":
				fmt.Fprintf(w, "{\"@value\": %s, \"@language\": %q}", jsonString(o.text), o.language)
			case o.datatype != "":
				fmt.Fprintf(w, "{\"@value\": %s, \"@type\": %s}", jsonString(o.text), jsonString(jsonName(o.datatype)))
			default:
				w.WriteString(jsonString(o.text))
			}
		},
		end: func(w *bufio.Writer, graph string) {
			if w.WriteByte('}'); graph != "" {
				w.WriteByte('}')
			}
		},
	},
}

// jsonName is a node as JSON-LD names it.
func jsonName(term string) string {
	if name, ok := short(inner(term)); ok && term[0] == '<' {
		return name
	}
	return inner(term)
}
