package reconcile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Model is what a run learned. A later run that is given it learns nothing anew: so records that were the same stay the
// same, whatever comes to them, and the same records give the same result.
type Model struct {
	Mode     string        `json:"mode"`
	Fields   []ModelField  `json:"fields"`
	Learned  *LearnedPairs `json:"oneToOne,omitempty"`
	Clusters []PairClass   `json:"clusters,omitempty"`
	Judged   *Weights      `json:"judged,omitempty"` // of the levels of fields in one table, by a person's answers
}

// ModelField is a field that is compared.
type ModelField struct {
	Name    string `json:"name"`
	With    string `json:"with,omitempty"`
	Kind    string `json:"kind"`
	Derived bool   `json:"derived,omitempty"`
}

// LearnedPairs is what was learned of the pairs of two tables.
type LearnedPairs struct {
	Few       bool         `json:"few,omitempty"`
	Plain     bool         `json:"plain,omitempty"` // pairs are scored by the likeness of words
	Cut       float64      `json:"cut"`
	Precision float64      `json:"precision"`
	Expected  float64      `json:"expected"`
	Curve     [][2]float64 `json:"curve"` // scores, and how likely a pair of each is right
	Whole     Weights      `json:"whole"` // learned from all pairs, for the reasons
	Parts     []Weights    `json:"parts"` // those by which pairs are scored
}

// Weights are those of a regression.
type Weights struct {
	Mean    []float64 `json:"mean"`
	Scale   []float64 `json:"scale"`
	Weights []float64 `json:"weights"`
}

// PairClass is a class of the pairs of one table: how often its fields have each level of likeness.
type PairClass struct {
	Share  float64     `json:"share"`
	Same   bool        `json:"same,omitempty"`
	Levels [][]float64 `json:"levels"`
}

var errModel = errors.New("it is not a model that records merge wrote")

// ReadModel reads a model.
func ReadModel(from io.Reader) (*Model, error) {
	m := &Model{}
	in := json.NewDecoder(from)
	in.DisallowUnknownFields()
	if err := in.Decode(m); err != nil {
		return nil, errors.Join(errModel, err)
	}
	if err := m.check(); err != nil {
		return nil, errors.Join(errModel, err)
	}
	return m, nil
}

// Write writes a model.
func (m *Model) Write(to io.Writer) error {
	out := json.NewEncoder(to)
	out.SetIndent("", " ")
	return out.Encode(m)
}

// check says whether the parts of a model fit each other.
func (m *Model) check() error {
	for _, f := range m.Fields {
		if !slices.Contains(kindNames[:], f.Kind) {
			return fmt.Errorf("the field %q is of no known kind", f.Name)
		}
	}
	switch m.Mode {
	case Clusters.String():
		for _, c := range m.Clusters {
			if len(c.Levels) != len(m.Fields) || slices.ContainsFunc(c.Levels, func(l []float64) bool { return len(l) != levels+1 }) {
				return errors.New("a class has other fields")
			}
		}
		if len(m.Clusters) < leastClasses || len(m.Fields) > mostPatterned {
			return errors.New("it has no classes of pairs")
		}
		if m.Judged != nil && !m.Judged.isOf(levels*len(m.Fields)) {
			return errors.New("its answers are of other fields")
		}
	case OneToOne.String():
		width := wholeFeatures + perField*len(m.Fields)
		if m.Learned == nil || len(m.Learned.Parts) != folds || len(m.Learned.Curve) == 0 {
			return errors.New("it has no weights")
		}
		for _, w := range append(m.Learned.Parts, m.Learned.Whole) {
			if !w.isOf(width) {
				return errors.New("its weights are of other fields")
			}
		}
	default:
		return fmt.Errorf("the mode %q is unknown", m.Mode)
	}
	return nil
}

func weightsOf(r *regression) Weights { return Weights{r.mean, r.scale, r.weights} }

// isOf says that the weights are those of so many features.
func (w Weights) isOf(width int) bool {
	return len(w.Mean) == width && len(w.Scale) == width && len(w.Weights) == width+1
}

func (w Weights) regression() *regression { return &regression{w.Mean, w.Scale, w.Weights} }

// Model is what the run learned, or was given; nil if it found nothing to learn from.
func (e *Engine) Model() *Model {
	if e.opt.Model != nil {
		return e.opt.Model
	}
	return e.learned
}

// newModel makes a model of the fields that are compared.
func (e *Engine) newModel(mode Mode) *Model {
	m := &Model{Mode: mode.String()}
	for _, c := range e.columns {
		f := ModelField{Name: c.name, Kind: kindNames[c.kind], Derived: c.derived}
		if with := e.table.names[c.fields[1]]; with != c.name {
			f.With = with
		}
		m.Fields = append(m.Fields, f)
	}
	return m
}

// modelColumns are the fields of a model, in the tables of this run. A field that no record has is missing in all.
func (e *Engine) modelColumns() []compared {
	columns := make([]compared, 0, len(e.opt.Model.Fields))
	at := func(name string) int {
		if i := slices.Index(e.table.names, name); i >= 0 {
			return i
		}
		return mostFields
	}
	for _, f := range e.opt.Model.Fields {
		kind := Kind(slices.Index(kindNames[:], f.Kind))
		c := compared{fields: [2]int{at(f.Name), at(f.Name)}, kind: kind, name: f.Name, derived: f.Derived}
		if f.With != "" {
			c.fields[1] = at(f.With)
		}
		columns = append(columns, c)
	}
	return columns
}

// keepLearned keeps what was learned of two tables.
func (e *Engine) keepLearned(found outcome, few bool) {
	if e.model == nil || len(e.parts) != folds || math.IsInf(found.cut, 0) || len(found.curve) == 0 {
		return
	}
	e.learned = e.newModel(OneToOne)
	l := &LearnedPairs{Few: few, Plain: found.plain, Cut: found.cut, Precision: found.precision, Expected: found.matches,
		Curve: found.curve, Whole: weightsOf(e.model)}
	for _, p := range e.parts {
		l.Parts = append(l.Parts, weightsOf(p))
	}
	e.learned.Learned = l
}

// keepClasses keeps the classes of pairs of one table.
func (e *Engine) keepClasses(c *classes) {
	e.learned = e.newModel(Clusters)
	for _, one := range c.all {
		kept := PairClass{Share: one.share, Same: one.match}
		for _, l := range one.levels {
			kept.Levels = append(kept.Levels, slices.Clone(l[:]))
		}
		e.learned.Clusters = append(e.learned.Clusters, kept)
	}
	if c.judged != nil {
		judged := weightsOf(c.judged)
		e.learned.Judged = &judged
	}
}

// modelClasses are the classes of a model.
func (m *Model) classes() *classes {
	c := &classes{fields: len(m.Fields)}
	for _, one := range m.Clusters {
		k := class{share: one.Share, match: one.Same}
		for _, l := range one.Levels {
			k.levels = append(k.levels, [levels + 1]float64(l))
		}
		c.all = append(c.all, k)
	}
	if m.Judged != nil {
		c.judged = m.Judged.regression()
	}
	return c
}
