package statistics

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Label is a name that a dataset gives to a thing.
type Label struct {
	Property string `json:"property"`
	Text     string `json:"text"` // at most [MaxLabel] bytes
	Line     int64  `json:"line"` // of the clean file, from 1
}

// MaxLabel is the length that the text of a label is cut at, in bytes.
const MaxLabel = 1000

// LabelProperties are those whose literals are labels: of RDF Schema, SKOS, Dublin Core, FOAF and schema.org.
var LabelProperties = []string{
	"http://www.w3.org/2000/01/rdf-schema#label",
	"http://www.w3.org/2004/02/skos/core#prefLabel",
	"http://www.w3.org/2004/02/skos/core#altLabel",
	"http://purl.org/dc/elements/1.1/title",
	"http://purl.org/dc/terms/title",
	"http://xmlns.com/foaf/0.1/name",
	"http://schema.org/name",
	"https://schema.org/name",
}

// LabelOptions say which labels are kept.
type LabelOptions struct {
	// Most is how many labels of a dataset are kept: the first. With 0, none are.
	Most int
	// Properties are those whose literals are labels, beside [LabelProperties].
	Properties []string
}

// KeepLabels has the counter keep labels too. Where one is that of the line before, as a name in two languages
// often is,
// both are one.
func (c *Counter) KeepLabels(opt LabelOptions) {
	if opt.Most <= 0 {
		return
	}
	c.labels = labels{most: opt.Most, also: opt.Properties}
	c.counted.Labels = []Label{} // which says that they were kept
}

// isLabel has the LabelProperties.
var isLabel = func() map[string]bool {
	all := make(map[string]bool, len(LabelProperties))
	for _, iri := range LabelProperties {
		all[iri] = true
	}
	return all
}()

// labels are those that a counter keeps.
type labels struct {
	most  int
	also  []string // properties beside LabelProperties
	isOne bool     // the property of the lines that are counted is one of those
	last  []byte
}

// begin says of which property the next lines are.
func (l *labels) begin(property []byte) {
	l.isOne = isLabel[string(property)] || slices.ContainsFunc(l.also, func(iri string) bool { return iri == string(property) })
	l.last = l.last[:0]
}

// label keeps the literal of a line.
func (c *Counter) label(line []byte, literal []byte) {
	end := bytes.LastIndexByte(literal, '"')
	if end < 2 {
		return
	}
	text := literal[1:end]
	l := &c.labels
	if bytes.Equal(text, l.last) {
		return
	}
	l.last = append(l.last[:0], text...)
	if len(c.counted.Labels) >= l.most {
		c.counted.LabelsLeft++
		return
	}
	shown := bytes.TrimSpace(cutText(unescape(text)))
	if len(shown) == 0 {
		return
	}
	g := &c.group
	c.counted.Labels = append(c.counted.Labels, Label{
		Property: string(line[g.subject+1 : g.property-2]), Text: string(shown), Line: c.counted.Statements,
	})
}

// cutText cuts a text at MaxLabel bytes, before the character that goes beyond.
func cutText(text []byte) []byte {
	if len(text) <= MaxLabel {
		return text
	}
	end := MaxLabel
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// unescape reads the escapes of a canonical literal: ECHAR, and UCHAR of four digits (RDF 1.2 N-Quads, section 4).
func unescape(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		i++
		switch text[i] {
		case 't':
			out = append(out, '\t')
		case 'b':
			out = append(out, '\b')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 'f':
			out = append(out, '\f')
		case 'u':
			if i+5 <= len(text) {
				if n, err := strconv.ParseUint(string(text[i+1:i+5]), 16, 32); err == nil {
					out = utf8.AppendRune(out, rune(n))
					i += 4
				}
			}
		default:
			out = append(out, text[i])
		}
	}
	return out
}
