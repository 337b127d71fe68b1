package content

// vocabulary is a set of words.
type vocabulary struct{ bits []uint64 }

func known(c *scan, s string) vocabulary {
	if s == "" {
		return vocabulary{}
	}
	c.read(s)
	v := vocabulary{make([]uint64, 1<<lexiconBits/64)}
	for _, h := range c.hashes {
		v.bits[h/64] |= 1 << (h % 64)
	}
	return v
}

// share is how many of the words are in it: 0 where nothing is known, else 1 to 255.
func (v vocabulary) share(hashes []Hash) uint8 {
	if v.bits == nil {
		return 0
	}
	n := 0
	for _, h := range hashes {
		if v.bits[h/64]>>(h%64)&1 != 0 {
			n++
		}
	}
	return max(1, share(n, len(hashes)))
}

// pairs is a set of words that follow one another.
type pairs struct{ bits []uint64 }

// pair is the entry of two words.
func pair(before, h Hash) uint16 { return before<<3 ^ h }

// pairsOf are those of texts. The first word of each text follows entry 0.
func pairsOf(c *scan, texts []string) (p pairs) {
	for _, s := range texts {
		c.read(s)
		if len(c.hashes) > 0 && p.bits == nil {
			p.bits = make([]uint64, 1<<16/64)
		}
		before := Hash(0)
		for _, h := range c.hashes {
			at := pair(before, h)
			p.bits[at/64] |= 1 << (at % 64)
			before = h
		}
	}
	return p
}

// share is how many of the words follow one another in the texts, too: 0 where nothing is known, else 1 to 255.
func (p pairs) share(hashes []Hash) uint8 {
	if p.bits == nil || len(hashes) == 0 {
		return 0
	}
	has := func(before, h Hash) bool { at := pair(before, h); return p.bits[at/64]>>(at%64)&1 != 0 }
	if len(hashes) == 1 {
		return 1 + 254*flag(has(0, hashes[0]))
	}
	n := 0
	for i := 1; i < len(hashes); i++ {
		if has(hashes[i-1], hashes[i]) {
			n++
		}
	}
	return max(1, share(n, len(hashes)-1))
}
