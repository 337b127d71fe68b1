package bolt

import (
	"bytes"

	"laundromat/seedlist"
)

var _ seedlist.RowSource = (*Store)(nil)

// copyingKey is where inMeta says how far a copy into this list has come.
var copyingKey = []byte("copying")

func (t *tables) attemptRow(key, value []byte) (row seedlist.Row, is bool, err error) {
	row.Number = lastNumber(key)
	a, err := readAttempt(key, value)
	if err != nil {
		return row, false, recordDamage(t.list, inLog, row.Number, err)
	}
	said, _ := checkSum(inLog, key, value)
	row.Hash, row.Data = a.Seed, bytes.Clone(said)
	// A URI may be a seed and a catalog: the index says which of them it is of.
	if id := t.catalogNumber(a.Seed); id != 0 {
		row.Flag = t.bucket(inAttempts).Get(append(appendNumber(nil, id), key...)) != nil
	}
	if !row.Flag {
		id := t.number(a.Seed)
		is = id != 0 && t.bucket(inAttempts).Get(append(appendNumber(nil, id), key...)) != nil
	}
	return row, is || row.Flag, nil
}
