package metadata

import (
	"strconv"

	"laundromat/seedlist"
	"laundromat/seedlist/quality"
)

// metric is what is measured of a document.
type metric struct {
	name, label, definition string
	dimension               string
	datatype                string
	// value is "" where there is nothing to measure.
	value func(*measured) string
}

// measured is what the metrics are read from.
type measured struct {
	seed  seedlist.Seed
	score quality.Score
}

// scoreMetric is the name of the one that sums up the others.
const scoreMetric = "score"

// metrics are all that are measured, in the order of the documentation.
func metrics() []metric {
	share := func(part func(*quality.Score) quality.Part) func(*measured) string {
		return func(m *measured) string {
			if p := part(&m.score); p.Of > 0 {
				return decimal(p.Share())
			}
			return ""
		}
	}
	statements := func(number func(*seedlist.Seed) int64) func(*measured) string {
		return func(m *measured) string {
			if m.seed.Statements == nil {
				return ""
			}
			return strconv.FormatInt(number(&m.seed), 10)
		}
	}
	return []metric{
		{scoreMetric, "score", "From 0 to 100: 100 × reach × (2 × syntax + terms + honesty) / 4, where each part is from 0 to 1.",
			"overall", "xsd:decimal", func(m *measured) string {
				if m.score.Score == nil {
					return ""
				}
				return decimal(*m.score.Score)
			}},
		{"syntax", "syntax", "The share of the statements and records read that were kept as they are.", "well-formed", "xsd:decimal",
			share(func(s *quality.Score) quality.Part { return s.Syntax })},
		{"terms", "terms", "The share of the statements kept or repaired that have no warning about a term.", "well-formed", "xsd:decimal",
			share(func(s *quality.Score) quality.Part { return s.Terms })},
		{"honesty", "honesty", "1 if server and catalog said the truth about the document, 0 if one of them did not.", "honest", "xsd:decimal",
			share(func(s *quality.Score) quality.Part { return s.Honesty })},
		{"read", "statements read", "How many statements the document has: those kept, repaired and dropped.", "size", "xsd:integer",
			statements(func(s *seedlist.Seed) int64 { return s.Statements.Read })},
		{"kept", "statements kept", "How many statements were kept as they are.", "well-formed", "xsd:integer",
			statements(func(s *seedlist.Seed) int64 { return s.Statements.Kept })},
		{"repaired", "statements repaired", "How many statements were wrong, and are kept, changed.", "well-formed", "xsd:integer",
			statements(func(s *seedlist.Seed) int64 { return s.Statements.Repaired })},
		{"dropped", "statements dropped", "How many statements were lost, since nobody can say what they mean.", "well-formed",
			"xsd:integer", statements(func(s *seedlist.Seed) int64 { return s.Statements.Dropped })},
		{"written", "statements written", "How many lines the clean file has: the statements kept or repaired, each once.", "size",
			"xsd:integer", statements(func(s *seedlist.Seed) int64 { return s.Statements.Written })},
	}
}

// dimensions are what metrics are about.
var dimensions = []struct{ name, label, definition string }{
	{"overall", "overall", "How good a document is, in one number."},
	{"well-formed", "well-formed", "Whether what a document says is written as its format and the datatypes of its literals ask."},
	{"honest", "honest", "Whether what a server and a catalog say of a document is so."},
	{"size", "size", "How much a document says."},
}

// decimal is a number in the canonical form of xsd:decimal.
func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// qualityAt is the document that says what the metrics are.
func (s Site) qualityAt() string { return s.Base + "/quality" }

// Quality adds what the metrics are.
func (s Site) Quality(g *Graph) {
	at := s.qualityAt()
	g.is(at, "foaf:Document")
	g.saysInEnglish(at, "dct:title", "What Laundromat measures of a document")
	for _, d := range dimensions {
		dimension := at + "#dimension-" + d.name
		g.is(dimension, "dqv:Dimension")
		g.saysInEnglish(dimension, "skos:prefLabel", d.label)
		g.saysInEnglish(dimension, "skos:definition", d.definition)
	}
	for _, m := range metrics() {
		metric := at + "#" + m.name
		g.is(metric, "dqv:Metric")
		g.saysInEnglish(metric, "skos:prefLabel", m.label)
		g.saysInEnglish(metric, "skos:definition", m.definition)
		g.links(metric, "dqv:expectedDataType", named(m.datatype))
		g.links(metric, "dqv:inDimension", at+"#dimension-"+m.dimension)
	}
}

// score adds the measurement of the score.
func (s Site) score(g *Graph, d *Dataset, id string) {
	m := measuredOf(d)
	for _, one := range metrics()[:1] {
		s.measure(g, id, &one, m)
	}
}

// measures adds the measurements beside the score, and what they are of.
func (s Site) measures(g *Graph, d *Dataset) {
	m := measuredOf(d)
	for _, one := range metrics()[1:] {
		s.measure(g, s.ID(d.Seed.Hash), &one, m)
	}
}

func measuredOf(d *Dataset) *measured {
	served := d.Seed.Served()
	sums := quality.Of(&served)
	return &measured{served, sums.Score()}
}

func (s Site) measure(g *Graph, id string, of *metric, m *measured) {
	value := of.value(m)
	if value == "" || m.seed.Status == seedlist.Cleaned {
		return
	}
	at := id + "#measured-" + of.name
	g.links(id, "dqv:hasQualityMeasurement", at)
	g.is(at, "dqv:QualityMeasurement")
	g.links(at, "dqv:isMeasurementOf", s.qualityAt()+"#"+of.name)
	g.links(at, "dqv:computedOn", id)
	g.typed(at, "dqv:value", value, of.datatype)
}
