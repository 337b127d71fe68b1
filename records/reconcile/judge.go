package reconcile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"laundromat/internal/fault"
)

// answering is how an engine takes a person's answers.
type answering struct{ *Engine }

// take finds the records that the answers are about.
func (e answering) take() error {
	if len(e.opt.Answers) == 0 {
		return nil
	}
	wanted := map[string][]uint32{}
	for _, a := range e.opt.Answers {
		wanted[a.A], wanted[a.B] = nil, nil
	}
	hashes := map[uint64]bool{}
	for id := range wanted {
		hashes[hashOf(id)] = true
	}
	for n := range e.table.compared {
		if !hashes[e.table.hashes[n]] {
			continue
		}
		_, id, err := e.table.record(uint32(n))
		if err != nil {
			return err
		}
		if _, is := wanted[id]; is {
			wanted[id] = append(wanted[id], uint32(n))
		}
	}
	for _, answer := range e.opt.Answers {
		key, found, err := e.answered(answer, wanted)
		if err != nil {
			return err
		}
		if !found {
			e.opt.Notices(fault.Notice{Code: fault.ReconcileAnswer, Severity: fault.Warning, Message: fmt.Sprintf(
				"an answer is about %q and %q, and there are no such two records that may be the same", answer.A, answer.B)})
			continue
		}
		if same, known := e.fixed[key]; known && same != answer.Same {
			return fmt.Errorf("the answers to whether %q and %q are the same are both yes and no", answer.A, answer.B)
		}
		e.fixed[key] = answer.Same
	}
	return e.check()
}

// check says whether the answers fit each other: what is the same as a third is the same, and between two tables
// a record is the same as one of the other.
func (e answering) check() error {
	same := newForest(e.table.compared)
	partner := map[uint32]uint32{}
	keys := e.pairs()
	for _, key := range keys {
		if !e.fixed[key] {
			continue
		}
		for _, way := range [...][2]uint32{{key.a, key.b}, {key.b, key.a}} {
			if other, has := partner[way[0]]; has && e.apart {
				return e.contradiction("%q is the same as both %q and %q: one-to-one, a record has one of the other input", way[0], other, way[1])
			}
			partner[way[0]] = way[1]
		}
		same.union(key.a, key.b)
	}
	for _, key := range keys {
		if !e.fixed[key] && same.find(key.a) == same.find(key.b) {
			return e.contradiction("%q and %q are not the same, though others make them so", key.a, key.b)
		}
	}
	return nil
}

// contradiction is an error about records that answers name.
func (e answering) contradiction(format string, of ...uint32) error {
	ids := make([]any, len(of))
	for i, n := range of {
		id, err := e.table.id(n)
		if err != nil {
			return err
		}
		ids[i] = id
	}
	return fmt.Errorf("the answers contradict each other: "+format, ids...)
}

var errAmbiguous = errors.New("the id is that of records of several inputs: name them, as in \"in\": [\"a.csv\", \"b.csv\"]")

// answered finds the pair of an answer, if its records are there. Between two tables, either may come first.
func (e answering) answered(answer Answer, found map[string][]uint32) (key pairKey, is bool, err error) {
	find := func(id, in string, side int) (uint32, bool, error) {
		of := slices.DeleteFunc(slices.Clone(found[id]), func(n uint32) bool {
			return e.apart && e.sideOf(n) != side || in != "" && e.table.inputs[e.table.inputOf(n)].Name != in
		})
		switch len(of) {
		case 0:
			return 0, false, nil
		case 1:
			return of[0], true, nil
		}
		return 0, false, fmt.Errorf("an answer is about %q: %w", id, errAmbiguous)
	}
	both := func(sides [2]int) (pairKey, bool, error) {
		a, isA, errA := find(answer.A, answer.In[0], sides[0])
		b, isB, errB := find(answer.B, answer.In[1], sides[1])
		return pairKey{min(a, b), max(a, b)}, isA && isB && a != b, errors.Join(errA, errB)
	}
	if key, is, err = both([2]int{0, 1}); e.apart && !is && err == nil {
		return both([2]int{1, 0})
	}
	return key, is, err
}

// pairs are the pairs that a person answered, sorted.
func (e answering) pairs() []pairKey {
	return slices.SortedFunc(maps.Keys(e.fixed), func(x, y pairKey) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
}

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
	if _, answered := e.answer(pairKey{p.a, p.b}); answered {
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
	for i := range e.groups.len() {
		err := e.within(e.groups.at(i), func(s scoredPair) error {
			p, err := e.pair(s)
			if err != nil {
				return err
			}
			return each(p)
		})
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
		id, err := e.table.id(n)
		if err != nil {
			return p, err
		}
		if !e.apart && len(e.table.inputs) > 1 {
			p.In[i] = e.table.inputs[e.table.inputOf(n)].Name
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
