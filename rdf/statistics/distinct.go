package statistics

import "github.com/axiomhq/hyperloglog"

// distinct counts distinct values by their hashes: exactly up to MaxDistinct, beyond by an estimate.
type distinct struct {
	slots  []uint64 // 0 is free
	n      int
	sketch *hyperloglog.Sketch // nil while the count is exact
}

// add counts a value by its hash.
func (d *distinct) add(hash uint64) {
	if d.sketch != nil {
		d.sketch.InsertHash(hash)
		return
	}
	if hash == 0 {
		hash = 1
	}
	if d.n >= len(d.slots)/2 {
		d.grow()
	}
	mask := uint64(len(d.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch d.slots[i] {
		case hash:
			return
		case 0:
			if d.n == MaxDistinct {
				d.estimate()
				d.sketch.InsertHash(hash)
				return
			}
			d.slots[i] = hash
			d.n++
			return
		}
	}
}

func (d *distinct) grow() {
	old := d.slots
	d.slots = make([]uint64, max(64, 4*len(old)))
	mask := uint64(len(d.slots) - 1)
	for _, hash := range old {
		if hash == 0 {
			continue
		}
		i := hash & mask
		for d.slots[i] != 0 {
			i = (i + 1) & mask
		}
		d.slots[i] = hash
	}
}

// reset empties the table.
func (d *distinct) reset() {
	if len(d.slots) > mostKept {
		d.slots = nil
	}
	clear(d.slots)
	*d = distinct{slots: d.slots}
}

// estimate gives up the exact count.
func (d *distinct) estimate() {
	d.sketch = hyperloglog.NewNoSparse()
	for _, hash := range d.slots {
		if hash != 0 {
			d.sketch.InsertHash(hash)
		}
	}
	d.slots = nil
}

// count is the number of distinct values, and whether it is exact.
func (d *distinct) count() (n int64, exact bool) {
	if d.sketch != nil {
		return max(int64(d.sketch.Estimate()), MaxDistinct+1), false
	}
	return int64(d.n), true
}
