package encoding

import (
	"math"
	"slices"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"laundromat/encoding/language"
)

// Strays judges texts of a document in UTF-8 that hold other bytes. They are broken, or were
// written in another encoding of one byte a character, and it finds which. What the document as
// a whole speaks for weighs with the words of the text itself.
//
// Most often all stray bytes of a document are in one encoding, except for what is broken. That
// is one hypothesis for each encoding; the last is that the document is joined of several,
// each with a share of the words.
type Strays struct {
	readings []*reading         // broken first; the prior is not used
	words    float64            // how many words of the document were weighed
	one      map[string]float64 // by encoding: how likely it is that it is the one, as a logarithm
	several  float64            // the same for a mixture
	counts   []float64          // of a mixture: how many words speak for each reading
	expected []float64          // what share of the words each has, before one is seen
	likely   string

	mu    sync.Mutex
	known map[string]strayText // what was judged recently
}

type strayText struct {
	meant []byte
	name  string
}

const (
	// strayMargin is by how much (as a logarithm) one meaning of a text must be likelier than
	// all others. It must be as much likelier than that the text is broken. The margin is
	// twenty to one.
	strayMargin = 3
	// maxStrayWords is how many words of the document are weighed.
	maxStrayWords = 200
	// fewStrays is how many words what is expected of a mixture is as good as.
	fewStrays = 0.5
	// mixturePrior is how likely a mixture is, as a logarithm, compared with the most usual
	// encoding. Its shares are fitted to the words, which counts against it.
	mixturePrior = -10
	// neverLess is the least share of a reading that is kept.
	neverLess = 1e-5
	// brokenShare is the share of broken texts that is expected.
	brokenShare = 0.05
	// maxKnown is how many texts are remembered.
	maxKnown = 1 << 10
)

// newStrays weighs which encodings the stray bytes of words are in, which are UTF-8
// otherwise.
func newStrays(words [][]byte) *Strays {
	words = telling(words)
	if n := len(words); n > maxStrayWords { // evenly, from the whole
		some := make([][]byte, maxStrayWords)
		for i := range some {
			some[i] = words[i*n/maxStrayWords]
		}
		words = some
	}
	all := strayReadings()
	expected := make([]float64, len(all))
	sum := 0.0
	for i, r := range all[1:] {
		expected[i+1] = math.Exp(r.prior)
		sum += expected[i+1]
	}
	for i := range expected {
		expected[i] *= (1 - brokenShare) / sum
	}
	expected[0] = brokenShare
	scores := make([]float64, 0, len(all)*len(words))
	for _, word := range words {
		for _, r := range all {
			scores = append(scores, r.weigh([][]byte{word}).score-r.prior)
		}
	}
	// What share of the words each reading accounts for is found in a few rounds.
	n := float64(len(words))
	shares, counts := slices.Clone(expected), make([]float64, len(all))
	for range 5 {
		clear(counts)
		for i := 0; i < len(scores); i += len(all) {
			for j, p := range divided(shares, scores[i:i+len(all)]) {
				counts[j] += p
			}
		}
		for j := range shares {
			shares[j] = (counts[j] + fewStrays*expected[j]) / (n + fewStrays)
		}
	}
	s := &Strays{words: n, several: mixturePrior, one: map[string]float64{}, known: map[string]strayText{}}
	for j := 1; j < len(all); j += 2 {
		s.one[all[j].name] = all[j].prior
	}
	for i := 0; i < len(scores); i += len(all) {
		word := scores[i : i+len(all)]
		ones, several := hypotheses(all, word, shares)
		for name, score := range ones {
			s.one[name] += score
		}
		s.several += several
	}
	best := math.Inf(-1)
	for name, score := range s.one {
		if score > best || score == best && name < s.likely {
			best, s.likely = score, name
		}
	}
	for j, p := range s.priors(all, counts, expected) {
		if j > 0 && p < neverLess {
			continue
		}
		s.readings = append(s.readings, all[j])
		s.counts = append(s.counts, counts[j])
		s.expected = append(s.expected, expected[j])
	}
	return s
}

// hypotheses are how likely a word is where the document has one other encoding, by its name, and
// in a mixture, as logarithms.
func hypotheses(readings []*reading, scores, shares []float64) (ones map[string]float64, several float64) {
	ones = map[string]float64{}
	several = math.Inf(-1)
	for j, r := range readings {
		several = logSum(several, scores[j]+math.Log(shares[j]))
		if r.name != "" {
			one, ok := ones[r.name]
			if !ok {
				one = scores[0] + math.Log(brokenShare)
			}
			ones[r.name] = logSum(one, scores[j]+math.Log((1-brokenShare)/2))
		}
	}
	return ones, several
}

// logSum is the logarithm of the sum of two numbers that are given as logarithms.
func logSum(a, b float64) float64 {
	high, low := max(a, b), min(a, b)
	if math.IsInf(low, -1) {
		return high
	}
	return high + math.Log1p(math.Exp(low-high))
}

// priors are how likely each reading is before the words of a text are looked at.
func (s *Strays) priors(readings []*reading, counts, expected []float64) []float64 {
	total := s.several
	for _, score := range s.one {
		total = logSum(total, score)
	}
	several := math.Exp(s.several - total)
	all := make([]float64, len(readings))
	for j, r := range readings {
		all[j] = several * (counts[j] + fewStrays*expected[j]) / (s.words + fewStrays)
		if r.name == "" {
			all[j] += (1 - several) * brokenShare
		} else {
			all[j] += math.Exp(s.one[r.name]-total) * (1 - brokenShare) / 2
		}
	}
	return all
}

// divided are the parts of one word that each reading accounts for, by their shares and how
// likely it is in each, as a logarithm.
func divided(shares, scores []float64) []float64 {
	parts := make([]float64, len(scores))
	best, sum := math.Inf(-1), 0.0
	for j, score := range scores {
		parts[j] = math.Log(shares[j]) + score
		best = max(best, parts[j])
	}
	for j := range parts {
		parts[j] = math.Exp(parts[j] - best)
		sum += parts[j]
	}
	for j := range parts {
		parts[j] /= sum
	}
	return parts
}

// Likeliest is the encoding that most of the stray bytes are in, by their words.
func (s *Strays) Likeliest() string { return s.likely }

// Read returns the meaning of a text that is UTF-8 except for some bytes, and the encoding of
// these. If that is not clear, the encoding is "" and meant is nil. It must not be changed.
func (s *Strays) Read(text []byte) (meant []byte, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.known[string(text)]; ok {
		return found.meant, found.name
	}
	if len(s.known) >= maxKnown {
		clear(s.known)
	}
	meant, name = s.judge(text)
	s.known[string(text)] = strayText{meant, name}
	return meant, name
}

func (s *Strays) judge(text []byte) (meant []byte, name string) {
	if meant, found := joinSurrogates(text); meant != nil {
		return meant, "cesu-8"
	} else if found {
		return nil, ""
	}
	words := highWords(text)
	if len(words) == 0 {
		return nil, ""
	}
	all := make([]weighed, len(s.readings))
	scores, shares := make([]float64, len(all)), make([]float64, len(all))
	for j, r := range s.readings {
		all[j] = r.weigh(words)
		scores[j] = all[j].score - r.prior
		shares[j] = (s.counts[j] + fewStrays*s.expected[j]) / (s.words + fewStrays)
	}
	// The text itself has spoken already, as one of the document's. Its voice there is taken away.
	n := min(float64(len(words)), s.words)
	without := Strays{words: s.words - n, one: map[string]float64{}, counts: make([]float64, len(all))}
	ones, several := hypotheses(s.readings, scores, shares)
	without.several = s.several - several
	for name, score := range s.one {
		without.one[name] = score - ones[name]
		if _, ok := ones[name]; !ok { // it is hardly possible, and stays so
			without.one[name] = score - several
		}
	}
	for j, part := range divided(shares, scores) {
		without.counts[j] = max(0, s.counts[j]-n*part)
	}
	shares = without.priors(s.readings, without.counts, s.expected)
	// Encodings that say the same speak for it together.
	texts := map[string]float64{}
	best, bestOf := math.Inf(-1), map[string]int{}
	for i := range all {
		if s.readings[i].name == "" {
			all[i].text = ""
		}
		score := scores[i] + math.Log(shares[i])
		if last, ok := bestOf[all[i].text]; !ok || score > scores[last]+math.Log(shares[last]) {
			bestOf[all[i].text] = i
		}
		if sum, ok := texts[all[i].text]; ok {
			score = logSum(sum, score)
		}
		texts[all[i].text] = score
		if score > best {
			best, name = score, all[i].text
		}
	}
	winner := name
	if winner == "" {
		return nil, ""
	}
	for other, score := range texts {
		if other != winner && score > best-strayMargin {
			return nil, ""
		}
	}
	r := s.readings[bestOf[winner]]
	meant, ok := decodeStray(text, SingleByte(r.name), r.isWhole)
	if !ok {
		return nil, ""
	}
	return meant, r.name
}

// joinSurrogates reads a text of CESU-8 (Unicode Technical Report 26), which writes a character beyond
// U+FFFF as two surrogates of three bytes each. It is nil if it is none. found says that there are
// surrogates, as no other encoding writes anything that people mean.
func joinSurrogates(text []byte) (joined []byte, found bool) {
	isSound := true
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			if formerUTF8(text[i:]) == 3 {
				found, size = true, 3
				if formerUTF8(text[i+3:]) == 3 {
					r, size = utf16.DecodeRune(surrogate(text[i:]), surrogate(text[i+3:])), 6
				}
			}
			isSound = isSound && r != utf8.RuneError
		}
		joined = utf8.AppendRune(joined, r)
		i += size
	}
	if !isSound || !found {
		return nil, found
	}
	return joined, true
}

// surrogate is that of three bytes.
func surrogate(p []byte) rune { return 0xD000 | rune(p[1]&0x3F)<<6 | rune(p[2]&0x3F) }

// decodeStray decodes those bytes of a text that are not UTF-8, or the whole of it. It
// returns false if one of them is no character.
func decodeStray(text []byte, decode func(byte) rune, isWhole bool) (meant []byte, ok bool) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if text[0] >= utf8.RuneSelf && (isWhole || r == utf8.RuneError && size == 1) {
			r, size = decode(text[0]), 1
			if language.SymbolOf(r).Class == language.Wrong {
				return nil, false
			}
		}
		meant = utf8.AppendRune(meant, r)
		text = text[size:]
	}
	return meant, true
}

// highWords are the words of a text with bytes of 0x80 and more, each with the byte on either side.
func highWords(text []byte) (words [][]byte) {
	padded := append(append([]byte{' '}, text...), ' ')
	for i := 1; i < len(padded)-1; {
		if !isWord[padded[i]] {
			i++
			continue
		}
		end := min(wordEnd(padded, i), len(padded)-1)
		for begin := i; begin < end; begin += maxWord {
			stop := min(begin+maxWord, end)
			if firstHigh(padded[begin:stop]) < stop-begin {
				words = append(words, padded[begin-1:stop+1])
			}
		}
		i = end
	}
	return words
}

// strayReadings are the ways to read a text with stray bytes. One is as broken, which has
// no name; the others are each encoding of one byte a character. In that are only the stray
// bytes, or the whole text, since two of its bytes may look like UTF-8.
var strayReadings = sync.OnceValue(func() []*reading {
	all := []*reading{{languages: language.All(), split: splitBroken, penalty: brokenCost}}
	for _, r := range candidates() {
		c, _ := lookup(r.name)
		decode, single := singleByte(c)
		if !single {
			continue
		}
		mixed, whole := *r, *r
		mixed.split = func(word []language.Symbol, bytes []byte) []language.Symbol {
			return splitMixed(word, bytes, decode)
		}
		whole.isWhole = true
		all = append(all, &mixed, &whole)
	}
	return all
})

// splitBroken cuts a word of UTF-8 from which the bytes that are none are left out.
func splitBroken(word []language.Symbol, bytes []byte) []language.Symbol {
	for len(bytes) > 0 {
		r, size := utf8.DecodeRune(bytes)
		if r != utf8.RuneError || size != 1 {
			word = append(word, language.SymbolOf(r))
		}
		bytes = bytes[size:]
	}
	return word
}

// The costs of a byte that belongs to no character: that it is one of 128, and that this
// happens at all. It happens less often than that the rest of a character is cut off.
const (
	anyByte   = 78 // 16 ln 128
	restByte  = 67 // 16 ln 64: one that no character begins with
	happens   = 6 * language.Nat
	isCutOff  = 2 * language.Nat
	leadBytes = 2 * language.Nat // a lead byte of the script before it
)

// brokenCost is the cost of the bytes of a word that are no UTF-8, as damage.
func brokenCost(word []byte) (cost int) {
	before := rune(word[0])
	for i := 1; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		if r != utf8.RuneError || size != 1 {
			before = r
			i += size
			continue
		}
		end := i + 1
		for end < len(word) && word[end]&0xC0 == 0x80 {
			end++
		}
		run := word[i:end]
		switch {
		case !utf8.FullRune(run) && beginsLike(run[0], before): // what follows is not there
			cost += isCutOff + leadBytes + anyByte*(len(run)-1)
		case run[0]&0xC0 == 0x80: // what came before is not there
			cost += isCutOff + leadBytes + restByte*len(run)
		default:
			cost += happens + anyByte*len(run)
		}
		i = end
	}
	return cost
}

// beginsLike says that a lead byte of UTF-8 begins characters that are likely after the one
// before. They are of the same script, Latin letters after ASCII, or punctuation.
func beginsLike(lead byte, before rune) bool {
	switch {
	case lead == 0xE2, lead == 0xC2:
		return true
	case before < utf8.RuneSelf || unicode.Is(unicode.Latin, before):
		return lead >= 0xC3 && lead <= 0xC8 || before == ' ' || before == '"'
	}
	var first [utf8.UTFMax]byte
	utf8.EncodeRune(first[:], before)
	return first[0] == lead || unicode.Is(unicode.Cyrillic, before) && (lead == 0xD0 || lead == 0xD1) ||
		unicode.Is(unicode.Greek, before) && (lead == 0xCE || lead == 0xCF) || before >= 0x2E80 && lead >= 0xE3 && lead <= 0xED
}

// telling leaves out words that say nothing of their encoding: one or two
// bytes that no letter is next to. If all are such, they are all there is.
func telling(words [][]byte) [][]byte {
	var told [][]byte
	for _, word := range words {
		if len(word) > 4 {
			told = append(told, word)
		}
	}
	if len(told) == 0 {
		return words
	}
	return told
}

// SingleByte returns what reads a byte as the character that it is in an encoding of
// one byte a character. It returns U+FFFD where it is none, and for every byte where no encoding
// of that kind has the name.
func SingleByte(name string) func(byte) rune {
	c, _ := lookup(name)
	if decode, ok := singleByte(c); ok {
		return decode
	}
	return func(byte) rune { return utf8.RuneError }
}
