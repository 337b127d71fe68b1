package near

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

const (
	shingle = 5 // words that are taken at once
	bands   = 14
	rows    = 8
	hashes  = bands * rows
)

// function is one of those whose least value is a MinHash: the upper half of a*x + b.
type function struct{ a, b uint64 }

// functions are drawn from a fixed beginning: signatures of two runs are the same.
var functions = func() (all [hashes]function) {
	state := uint64(0x9E3779B97F4A7C15)
	next := func() uint64 {
		state += 0x9E3779B97F4A7C15
		return mix(state)
	}
	for i := range all {
		all[i] = function{next() | 1, next()}
	}
	return all
}()

// mix spreads the bits of x (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// sign makes the bands and the signature of a text. It is false if there is no word.
func sign(s string, bandsOf *[bands]uint64, signature *[hashes]byte) bool {
	var least [hashes]uint32
	for i := range least {
		least[i] = 1<<32 - 1
	}
	var window [shingle]uint64
	count := 0
	take := func() {
		var x uint64
		for i := range min(count, shingle) {
			x = bits.RotateLeft64(x, 7) * 0x9E3779B97F4A7C15
			x ^= window[(max(count, shingle)+i)%shingle]
		}
		x = mix(x)
		for i := range least {
			f := &functions[i]
			least[i] = min(least[i], uint32((f.a*x+f.b)>>32))
		}
	}
	eachWord(s, func(word uint64) {
		window[count%shingle] = word
		if count++; count >= shingle {
			take()
		}
	})
	if count == 0 {
		return false
	}
	if count < shingle {
		take()
	}
	for b := range bands {
		var sum uint64
		for i, value := range least[b*rows : (b+1)*rows] {
			sum = mix(sum ^ uint64(value))
			signature[b*rows+i] = byte(mix(uint64(value)))
		}
		bandsOf[b] = sum
	}
	return true
}

// eachWord hashes the words of a text, in small letters: its runs of letters and digits. In scripts without spaces
// each character is a word.
func eachWord(s string, word func(hash uint64)) {
	const start, prime = 0xCBF29CE484222325, 0x100000001B3 // FNV-1a
	h := uint64(start)
	inside := false
	end := func() {
		if inside {
			word(h)
			h, inside = start, false
		}
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case 'A' <= c && c <= 'Z':
				c |= 0x20
				fallthrough
			case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
				h, inside = (h^uint64(c))*prime, true
			default:
				end()
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case unicode.In(r, unspaced...):
			end()
			word((start ^ uint64(r)) * prime)
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			h, inside = (h^uint64(unicode.ToLower(r)))*prime, true
		default:
			end()
		}
	}
	end()
}

// unspaced are the scripts that put no spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
	unicode.Myanmar}

// likeness is the share of equal MinHashes of two signatures, as far as bytes of them show it.
func likeness(a, b *[hashes]byte) float64 {
	const byChance = 1.0 / 256
	same := 0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
	}
	return max(0, (float64(same)/hashes-byChance)/(1-byChance))
}
