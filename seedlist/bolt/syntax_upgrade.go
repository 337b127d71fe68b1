package bolt

import (
	"bytes"
	"context"
)

// syntaxesKey is in the meta bucket where pages are counted under each syntax that they hold. Its value is the
// number of the last seed that was counted so, or isCounted where all are.
var (
	syntaxesKey = []byte("syntaxes")
	isCounted   = []byte{1}
)

// countSyntaxes adds the pages of an older list to the counts of the syntaxes that they hold, some thousand a
// transaction. It goes on where a run before this one was ended.
func (s *Store) countSyntaxes(ctx context.Context) error {
	for done := false; !done; {
		err := s.do(ctx, func(b *batch) error {
			last := bytes.Clone(b.get(inMeta, syntaxesKey))
			if done = bytes.Equal(last, isCounted); done {
				return nil
			}
			from := appendNumber(nil, 0)
			if last != nil {
				from = append(last, 0)
			}
			var ids []uint64
			b.scan(inCold, nil, from, func(key, _ []byte) bool {
				ids, last = append(ids, lastNumber(key)), bytes.Clone(key)
				return len(ids) < maxBatch
			})
			for _, id := range ids {
				c, err := b.cold(id)
				if err != nil {
					continue // a damaged record is counted nowhere
				}
				for i, name := range c.Summed().Syntaxes() {
					if i > 0 { // the first is the format, which was counted before
						b.deltas[countFormat+name]++
					}
				}
			}
			if len(ids) < maxBatch {
				last = isCounted
			}
			b.put(inMeta, syntaxesKey, last)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
