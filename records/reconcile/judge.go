package reconcile

import (
	"cmp"
	"math"
	"slices"
)

// question is a pair that a person may be asked about.
type question struct {
	scoredPair
	size int // of the cluster that they make, or would make
}

// mostAsked is how many questions are kept.
const mostAsked = 50

// ask keeps a pair to ask about, if its answer would change more than those of others: if it is the most doubtful,
// and then if the cluster is the largest.
func (e *Engine) ask(p scoredPair, size int) {
	if _, answered := e.fixed[pairKey{p.a, p.b}]; answered {
		return
	}
	q := question{p, size}
	if len(e.asked) == mostAsked && compareQuestions(q, e.asked[mostAsked-1]) >= 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(e.asked, q, compareQuestions)
	e.asked = slices.Insert(e.asked, at, q)
	if len(e.asked) > mostAsked {
		e.asked = e.asked[:mostAsked]
	}
}

func compareQuestions(p, q question) int {
	// Doubts that differ by less than a hundredth are the same.
	doubt := func(q question) int { return int(100 * math.Abs(q.score-.5)) }
	return cmp.Or(cmp.Compare(doubt(p), doubt(q)), cmp.Compare(q.size, p.size), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
}

// Pair is two records that may be the same.
type Pair struct {
	A, B string // their ids
	// In are their inputs, where the ids alone do not say it: in the mode clusters over several.
	In     [2]string
	Score  float64 // how likely they are the same
	Fields []string
	Reason string
}

// Pairs calls each with every pair of records that were found to be the same.
func (e *Engine) Pairs(each func(Pair) error) error {
	for _, s := range e.scored {
		p, err := e.pair(s)
		if err == nil {
			err = each(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Questions are pairs of which a person's answer would change most, the first most of all.
func (e *Engine) Questions() ([]Pair, error) {
	var all []Pair
	for _, q := range e.asked {
		p, err := e.pair(q.scoredPair)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func (e *Engine) pair(s scoredPair) (Pair, error) {
	p := Pair{Score: s.score}
	for i, n := range [...]uint32{s.a, s.b} {
		entry := &e.table.entries[n]
		id, err := e.table.id(entry)
		if err != nil {
			return p, err
		}
		if !e.apart && len(e.table.inputs) > 1 {
			p.In[i] = e.table.inputs[entry.input].Name
		}
		if i == 0 {
			p.A = id
		} else {
			p.B = id
		}
	}
	if same, answered := e.fixed[pairKey{s.a, s.b}]; answered && same {
		p.Score, p.Reason = 1, "a person said so"
		return p, nil
	}
	reasons, err := e.reason(s.at)
	p.Fields, p.Reason = fieldsOf(reasons), words(reasons)
	return p, err
}
