package encoding

import (
	"math"
	"sort"
	"unicode"
	"unicode/utf8"
)

// likelihood weighs how well each candidate encoding explains the words of a
// sample: the logarithm of the probability that a text in some language would be
// these bytes. The figures are not estimated from a corpus; they only have to keep
// apart what is common, rare, and never seen, which differ by factors of a hundred.

// compiled is a model as the weighing needs it.
type compiled struct {
	*model
	weight map[rune]float64
}

// Logarithms of probabilities.
var (
	asciiInLatin = math.Log(0.9 / 40)   // an ASCII letter in a word of a Latin script
	asciiApart   = math.Log(0.1 / 40)   // an ASCII letter where another script is written
	asciiMixed   = math.Log(0.002 / 40) // an ASCII letter right beside a letter of another script
	latinShare   = math.Log(0.08)       // that a letter of a Latin script is not ASCII
	rareLetter   = math.Log(1e-6)       // a letter the language does not use
	punctuation  = math.Log(3e-3)       // quotation marks, dashes, degrees: apart from letters
	symbolInWord = math.Log(1e-6)       // the same between letters, and other symbols anywhere
	noCharacter  = math.Log(1e-8)       // C1 controls, box drawing, private use, undecodable bytes
	capitalLater = math.Log(1e-3)       // a capital after a small letter
	capital      = math.Log(0.1)        // any other capital
)

var compiledModels = func() []compiled {
	all := make([]compiled, len(models))
	for i := range models {
		m := &models[i]
		c := compiled{m, map[rune]float64{}}
		letters := []rune(m.letters)
		// By rank, as letters and characters are in fact distributed, roughly.
		sum := 0.0
		for rank := range letters {
			sum += 1 / float64(rank+3)
		}
		mass := 0.97
		switch m.script {
		case chinese:
			mass = 0.55
		case kana:
			mass = 0.8
		case syllables:
			mass = 0.7
		}
		for rank, r := range letters {
			if _, twice := c.weight[r]; !twice {
				c.weight[r] = math.Log(mass / (float64(rank+3) * sum))
			}
		}
		all[i] = c
	}
	return all
}()

// weighed is a candidate and how likely it is.
type weighed struct {
	name     string
	language string
	score    float64
	text     string // the sample as decoded, to tell whether two candidates differ at all
}

// weigh returns the candidates, best first. words are those of a sample; each has a
// byte ≥ 0x80. A few words sort out the impossible, all of them decide.
func weigh(words [][]byte) []weighed {
	const few, kept = 2 << 10, 8
	size := 0
	for _, word := range words {
		size += len(word)
	}
	names := candidateNames()
	if size > 2*few {
		var some [][]byte
		for i := 0; i < len(words); i += size/few + 1 {
			some = append(some, words[i])
		}
		first := weighAll(names, some)[:kept]
		names = names[:0]
		for _, w := range first {
			names = append(names, w.name)
		}
	}
	return weighAll(names, words)
}

func weighAll(names []string, words [][]byte) []weighed {
	all := make([]weighed, 0, len(names))
	for _, name := range names {
		if name == "utf-8" {
			all = append(all, weighAs(name, words, splitUTF8))
			continue
		}
		c, _ := lookup(name)
		w := weighAs(name, words, splitterOf(c))
		w.score += priorOf(name)
		all = append(all, w)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].score > all[j].score })
	return all
}

// char is a decoded character of a word.
type char struct {
	r      rune
	common bool // it is in the part of a large set where common characters are
	stray  bool // a byte that is not UTF-8, taken for Windows-1252
}

// weighAs weighs one encoding: that of the language that suits it best.
func weighAs(name string, words [][]byte, split func([]char, []byte) []char) weighed {
	scores := make([]float64, len(compiledModels))
	var chars []char
	var text []rune
	for _, word := range words {
		chars = split(chars[:0], word)
		for _, c := range chars {
			text = append(text, c.r)
		}
		text = append(text, ' ')
		for i := range compiledModels {
			scores[i] += compiledModels[i].score(chars)
		}
	}
	best := weighed{name: name, score: math.Inf(-1), text: string(text)}
	for i, score := range scores {
		if score > best.score {
			best.score, best.language = score, models[i].language
		}
	}
	return best
}

type class uint8

const (
	apart  class = iota // neither
	ascii               // an ASCII letter
	letter              // another letter
)

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf && unicode.IsLetter(r):
		return ascii
	case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.Is(unicode.Mn, r)) && r != 'ª' && r != 'º':
		return letter
	default:
		return apart
	}
}

func (m *compiled) score(word []char) (sum float64) {
	before, small := apart, false
	for i, c := range word {
		class, r := classOf(c.r), c.r
		after := apart
		if i+1 < len(word) {
			after = classOf(word[i+1].r)
		}
		if c.stray {
			sum += -4
		}
		switch {
		case r == utf8.RuneError:
			if i+1 == len(word) { // the word may have been cut there
				sum += rareLetter / 2
			}
			sum += noCharacter / 2
		case 0x80 <= r && r < 0xA0 || 0x2500 <= r && r < 0x25A0 || 0xE000 <= r && r < 0xF900:
			sum += noCharacter
		case r < utf8.RuneSelf:
			switch {
			case m.script == latin:
				sum += asciiInLatin
			case class == ascii && before == letter && m.script == alphabet:
				sum += asciiMixed
			default:
				sum += asciiApart
			}
		default:
			sum += m.letter(c, before, after, small)
		}
		before, small = class, unicode.IsLower(r)
	}
	return sum
}

// letter weighs a character outside ASCII.
func (m *compiled) letter(c char, before, after class, small bool) (sum float64) {
	r := c.r
	w, known := m.weight[r]
	if !known && unicode.IsUpper(r) {
		if w, known = m.weight[unicode.ToLower(r)]; known {
			sum += capital
			if small {
				sum += capitalLater - capital
			}
		}
	}
	if known && after == letter && finalForm(r) {
		sum += rareLetter / 2
	}
	switch {
	case known && m.script == latin:
		return sum + w + latinShare
	case known && m.script == alphabet && before == ascii:
		return sum + w + asciiMixed - asciiInLatin
	case known:
		return sum + w
	case m.script >= chinese && 0x3000 <= r && r < 0x3020, m.script >= chinese && 0xFF01 <= r && r < 0xFF5F:
		return sum + punctuation - 2
	case m.script == kana && 0x3040 <= r && r < 0x3100:
		return sum - 7
	case m.script == kana && 0xFF61 <= r && r < 0xFFA0:
		return sum - 8.5 // half-width: one byte each, and all of 0xA1–0xDF
	case m.script == syllables && 0xAC00 <= r && r < 0xD7A4:
		if c.common {
			return sum - 9
		}
		return sum - 12
	case (m.script == chinese || m.script == kana) && unicode.Is(unicode.Han, r):
		if c.common {
			return sum - 9
		}
		return sum - 12
	case unicode.IsLetter(r) && r != 'ª' && r != 'º':
		return sum + rareLetter
	case usualPunctuation(r):
		if before == apart || after == apart || r == '’' || r == '·' {
			return sum + punctuation
		}
		return sum + symbolInWord
	default:
		return sum + symbolInWord
	}
}

// finalForm tells letters that stand at the end of words only.
func finalForm(r rune) bool {
	switch r {
	case 'ך', 'ם', 'ן', 'ף', 'ץ', 'ς', 'ة', 'ى':
		return true
	}
	return false
}

func usualPunctuation(r rune) bool {
	switch r {
	case '“', '”', '„', '‘', '’', '‚', '–', '—', '…', '«', '»', '‹', '›', '·', '•', '°', '©', '®', '™',
		'€', '£', '§', '\u00A0', '¿', '¡', 'º', 'ª', '²', '³', '½', '¼', '±', '×', '№', 'µ', '´':
		return true
	}
	return false
}
