// Package statistics counts what a dataset says while its lines are written: sorted, unique lines of canonical
// N-Quads.
//
//	counter := statistics.New()
//	stats, err := sorter.WriteLines(ctx, key, func(text []byte, ends, shared []int, release func()) error {
//		counter.Lines(text, ends, shared)
//		return writer.Lines(text, ends, shared, release)
//	})
//	counted := counter.Statistics()
//
// In sorted lines all statements of a subject are together, as are those of a subject and property, and the same
// triple in
// several graphs. How much a line begins with in common with the one before tells them apart, so that subjects,
// triples,
// and the subjects of a property are exact and cost nothing. Other numbers are exact up to [MaxDistinct] values and
// [MaxNames] bytes of names. Beyond, distinct values are estimated by a HyperLogLog of 2^14 registers (standard
// error 0.8 %),
// and Estimated and LeftOut say so. Memory is at most 32 MiB.
package statistics

// The words of a partition are those of VoID (W3C, Describing Linked Datasets with the VoID Vocabulary).
const (
	// MaxDistinct is how many distinct values, and how many names of a kind, are told apart.
	MaxDistinct = 100_000
	// MaxNames is how many bytes of names are held: of classes, properties, datatypes, languages and hosts
	// together.
	MaxNames = 16 << 20
)

// Statistics are the counts of a dataset. Those of triples count a triple once if it is in several graphs.
type Statistics struct {
	Statements int64 `json:"statements" doc:"lines: triples with their graphs"` // triples with their graphs: the lines
	Triples    int64 `json:"triples" doc:"each once, also if it is in several graphs, as in all that follows"`
	Subjects   int64 `json:"subjects"` // distinct, as are the next four
	Properties int64 `json:"properties"`
	Objects    int64 `json:"objects"`
	Classes    int64 `json:"classes"`
	Graphs     int64 `json:"graphs"` // named ones

	InDefaultGraph int64 `json:"in_default_graph"` // statements
	IRIs           int64 `json:"iris"`             // triples with an IRI as object; the next three likewise
	BlankNodes     int64 `json:"blank_nodes"`
	Literals       int64 `json:"literals"`
	TripleTerms    int64 `json:"triple_terms"`

	// Estimated names the counts of distinct values that are estimates: "objects", "graphs", or a list below.
	Estimated []string `json:"estimated,omitempty" doc:"distinct counts that are estimates"`

	// The lists are in descending order of triples, then of names.
	ByClass      []Class      `json:"by_class"`
	ByProperty   []Property   `json:"by_property"`
	Vocabularies []Vocabulary `json:"vocabularies"`
	Datatypes    []Name       `json:"datatypes"` // their triples add up to Literals
	Languages    []Name       `json:"languages"`
	// Hosts are of objects on another host than the subject; neither classes nor blank nodes as IRIs are.
	Hosts []Name `json:"hosts"`

	// LeftOut says, for each list that isn't whole, what it lacks.
	LeftOut []LeftOut `json:"left_out,omitempty" doc:"what lists lack"`

	// Labels are those that [Counter.KeepLabels] asked for, in the order of the lines, and LabelsLeft how many more
	// there are. If nil, none were asked for.
	Labels     []Label `json:"labels,omitzero"`
	LabelsLeft int64   `json:"labels_left,omitempty"`
}

// Class is the part of a dataset that has instances of a class as subjects.
type Class struct {
	IRI      string `json:"iri"`
	Entities int64  `json:"entities" doc:"distinct subjects"` // distinct subjects with this rdf:type
	Triples  int64  `json:"triples"`                          // of these subjects
}

// Property is the part of a dataset with a property.
type Property struct {
	IRI      string `json:"iri"`
	Triples  int64  `json:"triples"`
	Subjects int64  `json:"subjects"` // distinct
}

// Vocabulary is a namespace of properties and classes: an IRI up to its last #, /, or, without either, colon.
type Vocabulary struct {
	Namespace  string `json:"namespace"`
	Properties int64  `json:"properties"` // distinct, with this namespace
	Classes    int64  `json:"classes"`
	Triples    int64  `json:"triples"` // with such a property, or as rdf:type such a class
}

// Name is a datatype, a language tag or a host.
type Name struct {
	Name    string `json:"name"`
	Triples int64  `json:"triples"`
}

// LeftOut is what a list lacks because its names exceed the limits.
type LeftOut struct {
	List    string `json:"list"`    // the name of its key in JSON
	Names   int64  `json:"names"`   // an estimate
	Triples int64  `json:"triples"` // exact; of classes, entities
}
