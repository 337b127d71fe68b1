package statistics

import (
	"bytes"
	"slices"

	"laundromat/internal/prefix"
	"laundromat/markup/jsontext"
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
	shown := text
	if bytes.IndexByte(text, '\\') >= 0 {
		// The escapes of canonical N-Quads (RDF 1.2 N-Quads, section 4) are among those of JSON.
		if decoded, _, bad := jsontext.AppendUnescaped(make([]byte, 0, len(text)), text); bad < 0 {
			shown = decoded
		}
	}
	shown = bytes.TrimSpace(prefix.Of(shown, MaxLabel))
	if len(shown) == 0 {
		return
	}
	g := &c.group
	var property string
	if g.number >= 0 {
		property = c.properties.entries[g.number].text
	} else {
		property = string(line[g.subject+1 : g.property-2])
	}
	c.counted.Labels = append(c.counted.Labels, Label{Property: property, Text: string(shown), Line: c.counted.Statements})
}
