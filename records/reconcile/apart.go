package reconcile

import (
	"cmp"
	"slices"
)

// inSet is a record in a set of which no two are the same.
type inSet struct {
	record uint32
	set    int64
}

func compareInSet(x, y inSet) int {
	return cmp.Or(cmp.Compare(x.record, y.record), cmp.Compare(x.set, y.set))
}

// takeApart finds the records of the sets of which no two are the same. Those that are not there are passed over: they
// may come again. A set of two is an answer about them, from which something is learned. Nothing is learned from larger
// ones: what hundreds of records have in common may be what tells others.
func takeApart(e *Engine) error {
	if e.opt.Apart == nil {
		return nil
	}
	err := e.opt.Apart(func(set int64, in, id string) error {
		n, is, err := e.table.find(in, id, e.apart)
		if is {
			e.apartIn = append(e.apartIn, inSet{n, set})
		}
		return err
	})
	slices.SortStableFunc(e.apartIn, func(x, y inSet) int { return cmp.Compare(x.set, y.set) })
	// Records that a person said to be the same are so, whatever set they are in.
	e.same = newForest(e.table.compared)
	for key, same := range e.fixed {
		if same {
			e.same.union(key.a, key.b)
		}
	}
	for i := 0; i < len(e.apartIn); {
		j := i + 1
		for j < len(e.apartIn) && e.apartIn[j].set == e.apartIn[i].set {
			j++
		}
		if j == i+2 {
			a, b := e.apartIn[i].record, e.apartIn[i+1].record
			if e.same.find(a) != e.same.find(b) {
				e.fixed[pairKey{min(a, b), max(a, b)}] = false
			}
		}
		i = j
	}
	slices.SortFunc(e.apartIn, compareInSet)
	return err
}

// setsOf are the sets of a record.
func setsOf(all []inSet, n uint32) []inSet {
	from, _ := slices.BinarySearchFunc(all, inSet{record: n}, compareInSet)
	to := from
	for to < len(all) && all[to].record == n {
		to++
	}
	return all[from:to]
}

// answer is what a person said of two records, if something was said: of these two, or of sets of records.
func (e *Engine) answer(key pairKey) (same, known bool) {
	if same, known = e.fixed[key]; known || len(e.apartIn) == 0 {
		return same, known
	}
	of, others := setsOf(e.apartIn, key.a), setsOf(e.apartIn, key.b)
	for len(of) > 0 && len(others) > 0 {
		switch x, y := of[0].set, others[0].set; {
		case x == y:
			return false, e.same.find(key.a) != e.same.find(key.b)
		case x < y:
			of = of[1:]
		default:
			others = others[1:]
		}
	}
	return false, false
}

// find finds the record of an id in an input.
func (t *table) find(in, id string, apart bool) (n uint32, is bool, err error) {
	hash := hashOf(id)
	from, to := 0, t.compared
	if apart { // the records of the first input come first
		if from = t.firsts; len(t.inputs) > 0 && t.inputs[0].Name == in {
			from, to = 0, t.firsts
		}
	}
	at, _ := slices.BinarySearch(t.hashes[from:to], hash)
	for at += from; at < to && t.hashes[at] == hash; at++ {
		if t.inputs[t.inputOf(uint32(at))].Name != in {
			continue
		}
		found, err := t.id(uint32(at))
		if err != nil || found == id {
			return uint32(at), err == nil, err
		}
	}
	return 0, false, nil
}
