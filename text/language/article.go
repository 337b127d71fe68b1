package language

import (
	"strings"
	"sync"

	"laundromat/text"
)

// certain is how many pieces of a block say its language without the rest of the article.
const certain = 40

// Complete says in which languages an article and each of its blocks are, and how much of its text is useful. What
// an article already says of that stays. Short blocks are read in the light of the long ones.
func Complete(a *text.Article) {
	if len(a.Blocks) == 0 {
		return
	}
	sums := make([]Sum, len(a.Blocks))
	scores := scorePool.Get().(*blockScores)
	defer scores.free()
	sure := make([][]Guess, len(a.Blocks)) // of the blocks that are long enough
	hasMain := false
	for i := range a.Blocks {
		hasMain = hasMain || a.Blocks[i].Part == text.Main
	}
	var short, all Sum
	counts, letters := map[string]int{}, 0
	said := declared(a.Language)
	count := func(s *Sum, guesses []Guess) {
		letters += s.letters
		for _, g := range guesses {
			counts[g.Tag] += g.Probability * s.letters
		}
	}
	for i := range a.Blocks {
		b := &a.Blocks[i]
		s := &sums[i]
		if b.Kind == text.Code {
			continue
		}
		scores.add(s, a.Text[b.Start:b.End])
		all.Join(s)
		if s.pieces >= certain {
			sure[i] = s.Guesses()
		}
		if hasMain && b.Part != text.Main {
			continue
		}
		if sure[i] != nil {
			count(s, sure[i])
		} else {
			short.Join(s)
		}
	}
	switch {
	case letters == 0 && short.letters > 0:
		count(&short, short.guesses(surroundingsOf(said), nil))
	case letters == 0 && all.letters > 0:
		count(&all, all.guesses(surroundingsOf(said), nil))
	}
	whole := shares(counts, letters)
	if a.Metadata.Languages == nil {
		for _, g := range whole {
			a.Metadata.Languages = append(a.Metadata.Languages, text.Language{Tag: g.Tag, Probability: float64(g.Probability) / 1000})
		}
	}
	around := surroundingsOf(whole)
	a.Languages = make([]text.LanguageSpan, 0, len(a.Blocks))
	var guesses []Guess // of one block
	for i := range a.Blocks {
		b := &a.Blocks[i]
		guesses = guessesOf(b, &sums[i], sure[i], around, guesses[:0])
		for _, g := range guesses {
			a.Languages = append(a.Languages, text.LanguageSpan{Span: b.Span, Language: g.Tag,
				Probability: float64(g.Probability) / 1000})
		}
	}
	if !a.Metadata.IsJudged {
		tags := make([]string, len(a.Metadata.Languages))
		for i, l := range a.Metadata.Languages {
			tags[i] = l.Tag
		}
		useful := Useful(a.Text, tags)
		a.Metadata.Useful, a.Metadata.HasUseful = float64(useful)/1000, true
		a.Metadata.Garbled, a.Metadata.IsJudged = useful < garbledBelow, true
	}
}

// blockScores are the scores of all blocks of an article. Most blocks have few languages.
type blockScores struct {
	all   []score
	block []int64 // of the block that is looked at
}

// keptScores is how many scores serve again at the most.
const keptScores = 1 << 16

var scorePool = sync.Pool{New: func() any { return &blockScores{block: make([]int64, len(Tags()))} }}

// add looks at the text of a block. Its scores are freed once no sum of a block is asked.
func (b *blockScores) add(s *Sum, text string) {
	clear(b.block)
	s.scores = b.block
	s.Add(text)
	from := len(b.all)
	b.all = s.appendFew(b.all)
	s.scores, s.few = nil, b.all[from:len(b.all):len(b.all)]
}

func (b *blockScores) free() {
	if cap(b.all) <= keptScores {
		b.all = b.all[:0]
		scorePool.Put(b)
	}
}

// declared are the languages that a document says it is in. That is weak evidence: it counts where there is little
// text.
func declared(tag string) (guesses []Guess) {
	first, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if first == "no" {
		first = "nb"
	}
	for _, known := range [...]string{first, "zh-Hans", "zh-Hant"} {
		if strings.HasPrefix(known, first) && first != "" {
			guesses = append(guesses, Guess{known, declaredWeight})
		}
	}
	for _, known := range Tags() {
		if strings.HasPrefix(known, first+"-") && first != "" {
			guesses = append(guesses, Guess{known, declaredWeight})
		}
	}
	return guesses
}

// declaredWeight is how much likelier than others, in units of elsewhere, a language is that the document says.
const declaredWeight = 20 * elsewhere

// menuWords is the most words of a label of a menu or form: it is in no language.
const menuWords = 6

// guessesOf are those of a block: the sure ones, if there are any, or those in the light of the whole. What is code or
// a label is in none. They are appended to what has none yet.
func guessesOf(b *text.Block, s *Sum, sure []Guess, whole *surroundings, to []Guess) []Guess {
	isLabel := b.Kind == text.Navigation || b.Kind == text.Control || b.Part == "navigation" || b.Part == "form" || b.Part == "social"
	if b.Kind == text.Code || isLabel && s.words <= menuWords {
		return append(to, Guess{Unknown, 1000})
	}
	if sure != nil {
		return append(to, sure...)
	}
	return s.guesses(whole, to)
}

// shares makes probabilities of weights, the greatest first. They add up to 1000.
func shares(counts map[string]int, all int) []Guess {
	if all == 0 {
		return []Guess{{Unknown, 1000}}
	}
	guesses := make([]Guess, 0, len(counts))
	left := 1000
	for tag, n := range counts {
		if p := n / all; p > 0 {
			guesses = append(guesses, Guess{tag, p})
			left -= p
		}
	}
	order(guesses)
	guesses[0].Probability += left
	return guesses
}

// scriptsOf are the scripts of languages that are written in other scripts than Latin. A tag may say its own.
var scriptsOf = func() map[string][]string {
	known := map[string][]string{}
	for script, tags := range map[string]string{
		"Cyrillic": "ab av ba be bg ce cv kk koi krc kv ky mk mn mo os ru rue sah sr-Cyrl tg tt tyv udm uk uz-Cyrl az-Cyrl " +
			"tk-Cyrl bs-Cyrl",
		"Arabic": "ar azb ckb fa ks lah ps sd skr ug-Arab ur", "Hebrew": "he yi lad", "Greek": "el", "Armenian": "hy",
		"Georgian": "ka", "Ethiopic": "am ti",
		"Devanagari": "bho hi mai mr ne sa", "Bengali": "as bn", "Gurmukhi": "pa", "Gujarati": "gu", "Oriya": "or",
		"Tamil": "ta", "Telugu": "te", "Kannada": "kn",
		"Malayalam": "ml", "Sinhala": "si", "Thai": "th", "Lao": "lo", "Tibetan": "bo dz", "Myanmar": "my", "Khmer": "km",
		"Thaana": "dv", "Cherokee": "chr",
		"Han Hiragana Katakana": "ja", "Hangul Han": "ko", "Han Bopomofo": "zh zh-Hans zh-Hant yue wuu",
		"Canadian_Aboriginal": "iu", "Yi": "ii",
	} {
		for tag := range strings.FieldsSeq(tags) {
			known[tag] = strings.Fields(script)
		}
	}
	return known
}()
