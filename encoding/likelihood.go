package encoding

import (
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"laundromat/encoding/language"
)

// weighed is a candidate and how likely it is.
type weighed struct {
	name     string
	prior    float64
	language string // in which most of the words are likeliest
	script   language.Script
	score    float64 // the logarithm of the probability of the sample
	text     string  // the sample as decoded, to decide whether two candidates differ at all
	away     float64 // by how much a document in these languages is less likely in this encoding (see homes)
}

// reading is one way to read bytes as text.
type reading struct {
	name      string
	prior     float64
	languages []*language.Language
	guests    int    // how many of the languages, the last of them, it lacks letters of
	isHome    []bool // which of the languages it was made for; nil for all
	split     splitter
	penalty   func(word []byte) int // nil for none
	isWhole   bool                  // of a text with stray bytes, that all of it is read so
}

// splitter cuts a word into characters. word has one byte of what is around it at each
// end; these come first and last.
type splitter func(word []language.Symbol, bytes []byte) []language.Symbol

// Steps of a weighing: after so many bytes of the sample, an encoding so much less likely
// than the best (as a logarithm) is dropped.
var steps = []struct {
	bytes  int
	behind float64
}{{384, 40}, {2 << 10, 60}, {6 << 10, 60}, {math.MaxInt, 0}}

// weigh returns the readings that have a chance, likeliest first. words are those of a
// sample; each has a byte ≥ 0x80.
func weigh(readings []*reading, words [][]byte) (ranking []weighed) {
	size := 0
	for _, word := range words {
		size += len(word)
	}
	for _, step := range steps {
		some := words
		if size > step.bytes { // evenly, from the whole
			some = nil
			for i, n := 0.0, float64(size)/float64(step.bytes); int(i) < len(words); i += n {
				some = append(some, words[int(i)])
			}
		}
		ranking = ranking[:0]
		for _, r := range readings {
			w := r.weigh(some)
			w.score -= w.away
			ranking = append(ranking, w)
		}
		if len(some) == len(words) {
			break
		}
		best := math.Inf(-1)
		for _, w := range ranking {
			best = max(best, w.score)
		}
		var left []*reading
		for i, r := range readings {
			if ranking[i].score >= best-step.behind {
				left = append(left, r)
			}
		}
		readings = left
	}
	slices.SortStableFunc(ranking, func(a, b weighed) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	// Of those that read the same, the most usual is named, with the score of the likeliest.
	for i := range ranking {
		if ranking[i].text == ranking[0].text && ranking[i].prior > ranking[0].prior {
			ranking[0], ranking[i] = ranking[i], ranking[0]
			ranking[0].score, ranking[i].score = max(ranking[0].score, ranking[i].score), min(ranking[0].score, ranking[i].score)
		}
	}
	return ranking
}

// weigh weighs words in one reading. Each word may be in another language; how many
// are in which is found in a few rounds.
func (r *reading) weigh(words [][]byte) weighed {
	n := len(r.languages)
	costs := make([]int32, 0, n*len(words))
	var word []language.Symbol
	var text []rune
	for _, bytes := range words {
		word = r.split(word[:0], bytes)
		for i := range word {
			text = append(text, word[i].Rune)
		}
		before, inside, after := word[0].Class, word[1:len(word)-1], word[len(word)-1].Class
		var ofScript [language.OtherScript + 1]int32
		shared := int32(0)
		if r.penalty != nil {
			shared = int32(r.penalty(bytes))
		}
		for _, l := range r.languages {
			classes := &ofScript[l.Script]
			if *classes == 0 {
				*classes = int32(language.ClassCost(l.Script, before, inside, after)) + 1
			}
			costs = append(costs, shared+*classes-1+int32(l.Cost(inside)))
		}
	}
	shares, wins := make([]float64, n), make([]float64, n)
	for j := range shares {
		shares[j] = -math.Log(r.expected(j) / manyLanguages)
	}
	total, best := 0.0, 0
	parts := make([]float64, n)
	for range 3 {
		total = 0
		clear(wins)
		for i := 0; i < len(costs); i += n {
			total += divide(parts, costs[i:i+n], shares)
			for j, part := range parts {
				wins[j] += part
			}
		}
		for j := range shares {
			shares[j] = -math.Log((wins[j] + r.expected(j)) / float64(len(words)+manyLanguages))
			if wins[j] > wins[best] {
				best = j
			}
		}
	}
	return weighed{name: r.name, prior: r.prior, language: r.languages[best].Name, script: r.languages[best].Script, score: r.prior - total,
		away: r.away(wins, len(words)), text: string(text)}
}

// divide finds which part of a word each language accounts for, by what the word costs in it and
// what the language itself does. It returns what the word costs in all of them together.
func divide(parts []float64, costs []int32, shares []float64) (cost float64) {
	least := math.Inf(1)
	for j, c := range costs {
		parts[j] = float64(c)/language.Nat + shares[j]
		least = min(least, parts[j])
	}
	sum := 0.0
	for j, c := range parts {
		parts[j] = 0
		if c < least+8 { // one of three thousand counts for nothing
			parts[j] = math.Exp(least - c)
			sum += parts[j]
		}
	}
	for j := range parts {
		parts[j] /= sum
	}
	return least - math.Log(sum)
}

// manyLanguages is how many words all languages together are as good as, before one is seen.
const manyLanguages = 13

// expected is how many words the j-th language is as good as, before one is seen.
func (r *reading) expected(j int) float64 {
	if isCommon[r.languages[j].Name] {
		return 0.3
	}
	return 0.04
}

// isCommon recognises the languages that most data is in.
var isCommon = func() map[string]bool {
	all := map[string]bool{}
	for _, name := range []string{
		"Arabic", "Bulgarian", "Catalan", "Chinese", "Chinese, traditional", "Croatian", "Czech", "Danish", "Dutch", "English", "Estonian",
		"Finnish", "French", "German",
		"Greek", "Hebrew", "Hungarian", "Italian", "Japanese", "Korean", "Latvian", "Lithuanian", "Norwegian", "Persian", "Polish",
		"Portuguese",
		"Portuguese of Brazil", "Romanian", "Romanian with cedillas", "Russian", "Serbian", "Slovak", "Slovene", "Spanish", "Swedish",
		"Thai", "Turkish", "Ukrainian",
		"Vietnamese", "Vietnamese with combining tones",
	} {
		all[name] = true
	}
	return all
}()

// mixedReadings are UTF-8 with bytes of another encoding in it, of those that most data is in
// which is none. A byte of those is rare.
var mixedReadings = sync.OnceValue(func() (all []*reading) {
	for _, name := range []string{"windows-1252", "windows-1251", "windows-1250", "windows-1253", "windows-1254"} {
		decode, prior := SingleByte(name), 0.0
		if len(all) > 0 {
			prior = 2 * rarest // below that of the encoding alone, which reads the same where nothing is UTF-8
		}
		all = append(all, &reading{name: "utf-8", prior: prior, languages: language.All(), penalty: strayCost,
			split: func(word []language.Symbol, bytes []byte) []language.Symbol {
				return splitMixed(word, bytes, decode)
			}})
	}
	return all
})

func strayCost(word []byte) (cost int) {
	for len(word) > 0 {
		r, size := utf8.DecodeRune(word)
		if r == utf8.RuneError && size == 1 {
			cost += 4 * language.Nat
		}
		word = word[size:]
	}
	return cost
}

// candidates are the readings that are tried where nothing is declared.
var candidates = sync.OnceValue(func() (all []*reading) {
	for _, p := range priors {
		c, _ := lookup(p.name)
		all = append(all, newReading(c, p.prior))
	}
	return all
})

// readingOf is that of any encoding; one that is no candidate is as likely as the rarest.
func readingOf(name string) *reading {
	for _, r := range candidates() {
		if r.name == name {
			return r
		}
	}
	c, _ := lookup(name)
	return newReading(c, rarest)
}

func newReading(c charset, prior float64) *reading {
	languages, guests := writableIn(c)
	return &reading{name: c.name, prior: prior, split: splitterOf(c), languages: languages, guests: guests,
		isHome: atHome(c.name, languages, guests)}
}

// writableIn are the languages that an encoding has most letters outside ASCII of. Then come guests,
// which are all others of Latin letters where it has those: their names are
// among words of any language. All encodings share these. The language of a text must not
// depend on the encoding in which it is read, if the text is the same.
func writableIn(c charset) (found []*language.Language, guests int) {
	single, isSingle := singleByte(c)
	has := map[rune]bool{}
	if isSingle {
		for b := 0x80; b <= 0xFF; b++ {
			has[language.Small(single(byte(b)))] = true
		}
	}
	var visiting []*language.Language
	for _, l := range language.All() {
		if !isSingle {
			if slices.Contains(ideographsIn[c.name], l.Name) {
				found = append(found, l)
			}
			continue
		}
		switch share := l.WrittenWith(func(r rune) bool { return r < 0x80 || has[r] }); {
		case share > 0.8:
			found = append(found, l)
		case l.Script == language.Latin:
			visiting = append(visiting, l)
		}
	}
	if !slices.ContainsFunc(found, func(l *language.Language) bool { return l.Script == language.Latin }) {
		visiting = nil
	}
	if len(found) == 0 {
		return language.All(), 0
	}
	return append(found, visiting...), len(visiting)
}

// ideographsIn says what the encodings of eastern Asia are for.
var ideographsIn = map[string][]string{
	"gb18030":   {"Chinese", "Chinese, traditional"},
	"big5":      {"Chinese, traditional"},
	"euc-tw":    {"Chinese, traditional"},
	"shift_jis": {"Japanese"},
	"euc-jp":    {"Japanese"},
	"euc-kr":    {"Korean"},
	"johab":     {"Korean"},
}

// rarest is the prior of the encodings that are hardly ever met.
const rarest = -6

// priors are the encodings that are tried, with how much less likely (as a logarithm)
// each is than the first before a word is seen.
var priors = []struct {
	name  string
	prior float64
}{
	{"windows-1252", 0},
	{"windows-1251", -1}, {"gb18030", -1}, {"shift_jis", -1}, {"euc-jp", -1}, {"big5", -1}, {"euc-kr", -1}, {"koi8-r", -1},
	{"windows-1250", -1.5}, {"iso-8859-2", -1.5}, {"koi8-u", -1.5}, {"windows-1253", -1.5}, {"iso-8859-7", -1.6},
	{"windows-1255", -1.5}, {"windows-1256", -1.5},
	{"iso-8859-15", -2}, {"windows-1254", -2}, {"windows-1257", -1.5}, {"iso-8859-5", -2}, {"windows-874", -2},
	{"iso-8859-9", -2}, {"iso-8859-13", -2}, {"iso-8859-8", -2}, {"iso-8859-6", -2}, {"ibm866", -2.5}, {"windows-1258", -6},
	{"iso-8859-3", -4}, {"iso-8859-4", -4}, {"macintosh", -4}, {"x-mac-cyrillic", -4}, {"ibm850", -4}, {"ibm852", -4},
	{"iso-8859-16", -7}, {"iso-8859-10", -7}, {"ibm855", -5}, {"iso-8859-14", -5}, {"ibm437", -5},
	{"viscii", -5}, {"x-mac-ce", -5}, {"euc-tw", -5}, {"johab", rarest},
	{"ibm857", -5}, {"ibm862", rarest}, {"ibm865", rarest},
}
