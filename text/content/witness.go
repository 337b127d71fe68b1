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
