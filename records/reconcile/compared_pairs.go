package reconcile

import (
	"context"
	"encoding/binary"
)

// comparedPairs are pairs with their patterns.
type comparedPairs struct {
	engine   *Engine
	pairs    *pairList
	patterns arena // the patterns of all, as many bytes as numbers
	sample   []uint64
	answered map[pairKey]uint64 // the patterns of those that a person answered
}

func (c *comparedPairs) close() {
	c.pairs.close()
	c.patterns.close()
}

// compare finds the patterns of the pairs, some at once.
func (c *comparedPairs) compare(ctx context.Context) error {
	c.answered = map[pairKey]uint64{}
	every := uint64(1 + c.pairs.n/patternedPairs)
	var some []pair
	var out []byte
	for from := 0; from < c.pairs.n; from += pairsTogether {
		var err error
		if some, err = c.pairs.get(from, pairsTogether, some); err != nil {
			return err
		}
		patterns, err := c.engine.patterns(ctx, some)
		if err != nil {
			return err
		}
		out = out[:0]
		for i, p := range some {
			out = binary.LittleEndian.AppendUint64(out, patterns[i])
			if mix(uint64(p.b)<<32|uint64(p.a))%every == 0 {
				c.sample = append(c.sample, patterns[i])
			}
			if _, is := c.engine.fixed[pairKey{p.a, p.b}]; is {
				c.answered[pairKey{p.a, p.b}] = patterns[i]
			}
		}
		if _, err := c.patterns.add(out); err != nil {
			return err
		}
	}
	return c.patterns.seal()
}

// each calls do with each pair and its pattern, in their order.
func (c *comparedPairs) each(do func(p pair, pattern uint64)) error {
	var some []pair
	var buffer []byte
	const together = 1 << 16
	for from := 0; from < c.pairs.n; from += together {
		var err error
		if some, err = c.pairs.get(from, together, some); err != nil {
			return err
		}
		b, err := c.patterns.at(int64(from)*8, len(some)*8, &buffer)
		if err != nil {
			return err
		}
		for i, p := range some {
			do(p, binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
	return nil
}
