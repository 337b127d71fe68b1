package near

import (
	"bytes"
	"math"
)

// Repeats say which articles repeat others.
type Repeats struct {
	Inputs []Counts // in the order of the inputs

	blocks     blocks
	signatures *signatures
	same       []int32 // the first article with the same text
	// group is an earlier one of the group, or the article itself. Once that is settled, it is the first one.
	group []int32
}

// Of is the article that another one repeats, and how like they are; not ok if it repeats none. Likeness is 1 where
// their texts are the same.
func (r *Repeats) Of(number int) (first int, like float64, ok bool, err error) {
	first = int(r.group[number])
	switch {
	case first == number:
		return 0, 0, false, nil
	case r.same[number] == r.same[first]:
		return first, 1, true, nil
	}
	var a, b [hashes]byte
	if err := r.signatures.read(number, &a); err != nil {
		return 0, 0, false, err
	}
	if err := r.signatures.read(first, &b); err != nil {
		return 0, 0, false, err
	}
	return first, math.Round(likeness(&a, &b)*100) / 100, true, nil
}

// Firsts are the articles that others repeat, in order.
func (r *Repeats) Firsts() (numbers []int32) {
	is := make([]uint64, len(r.group)/64+1)
	for n, first := range r.group {
		if int(first) != n {
			is[first/64] |= 1 << (first % 64)
		}
	}
	for n := range r.group {
		if is[n/64]>>(n%64)&1 == 1 {
			numbers = append(numbers, int32(n))
		}
	}
	return numbers
}

// root is the least number of the group of an article, as far as it is known.
func (r *Repeats) root(n int32) int32 {
	for r.group[n] != n {
		r.group[n] = r.group[r.group[n]]
		n = r.group[n]
	}
	return n
}

func (r *Repeats) join(a, b int32) {
	a, b = r.root(a), r.root(b)
	r.group[max(a, b)] = min(a, b)
}

// settle makes group the first one of each group. Each article leads to an earlier one.
func (r *Repeats) settle() {
	for n := range r.group {
		r.group[n] = r.group[r.group[n]]
	}
}

// finding goes through the sorted lines.
type finding struct {
	run     *Run
	repeats *Repeats
	key     []byte // what the lines of the group at hand begin with
	numbers []int32
	held    [][hashes]byte
}

// line takes a line. Those of exact keys come first, and C first of these.
func (f *finding) line(line []byte) error {
	if line[0] == blockTag {
		return f.repeats.blocks.line(line)
	}
	if group := groupOf(line); !bytes.Equal(group, f.key) {
		if err := f.end(); err != nil {
			return err
		}
		f.key = append(f.key[:0], group...)
	}
	n := int32(numberOf(line))
	if f.key[0] < bandTag {
		f.equal(int(f.key[0]-exactTag), n)
	} else if f.repeats.same[n] == n { // its first one is in the band, too
		f.numbers = append(f.numbers, n)
	}
	return nil
}

// equal takes an article of a group that is equal by a key.
func (f *finding) equal(key int, n int32) {
	if len(f.numbers) == 0 {
		f.numbers = append(f.numbers, n)
		return
	}
	f.repeats.Inputs[f.run.inputOf(int(n))].Equal[key]++
	if key == 0 {
		f.repeats.same[n] = f.numbers[0]
		f.repeats.join(n, f.numbers[0])
	}
}

// mostPairs is how many articles of a band are compared each with each. Of more, each is compared with one.
const mostPairs = 64

// end ends a group. Of a band, it joins those that are alike. Which ones are compared depends on their words alone,
// and not on their order.
func (f *finding) end() error {
	numbers := f.numbers
	f.numbers = f.numbers[:0]
	if len(f.key) == 0 || f.key[0] < bandTag || len(numbers) < 2 || f.isJoined(numbers) {
		return nil
	}
	if len(numbers) > mostPairs {
		return f.compareAll(numbers)
	}
	f.held = f.held[:0]
	for _, n := range numbers {
		f.held = append(f.held, [hashes]byte{})
		if err := f.run.signatures.read(int(n), &f.held[len(f.held)-1]); err != nil {
			return err
		}
	}
	for i := range numbers {
		for j := range i {
			if f.repeats.root(numbers[i]) != f.repeats.root(numbers[j]) && likeness(&f.held[i], &f.held[j]) >= Least {
				f.repeats.join(numbers[i], numbers[j])
			}
		}
	}
	return nil
}

// isJoined says that all are of one group already.
func (f *finding) isJoined(numbers []int32) bool {
	first := f.repeats.root(numbers[0])
	for _, n := range numbers[1:] {
		if f.repeats.root(n) != first {
			return false
		}
	}
	return true
}

// compareAll compares all with the one whose signature is least.
func (f *finding) compareAll(numbers []int32) error {
	var head, other [hashes]byte
	least := int32(-1)
	for _, n := range numbers {
		if err := f.run.signatures.read(int(n), &other); err != nil {
			return err
		}
		if least < 0 || bytes.Compare(other[:], head[:]) < 0 {
			least, head = n, other
		}
	}
	for _, n := range numbers {
		if err := f.run.signatures.read(int(n), &other); err != nil {
			return err
		}
		if likeness(&head, &other) >= Least {
			f.repeats.join(n, least)
		}
	}
	return nil
}
