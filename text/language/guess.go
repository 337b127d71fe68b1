package language

import (
	"cmp"
	"slices"
)

// perPiece is how many units of score one language has to have more than another, for each piece of a text, to be e
// times as likely; see temperature.
const (
	minUnit  = 40
	unitStep = 3
)

// temperature is how many units of score make one language e times as likely as another. Pieces of a text are not
// independent: the more there are, the less each says.
func temperature(pieces int) int64 { return minUnit + int64(unitStep*min(pieces, enough)) }

// exponents are e to the power of minus n/16, in 1/65536.
var exponents = func() (all [16 * 12]int64) {
	// e^(-1/16) as a fraction, so that no number depends on the machine.
	v := int64(65536 << 8)
	for i := range all {
		all[i] = v >> 8
		v = v * 939413063 / 1000000000
	}
	return all
}()

// Guesses are the languages that the text may be in, the likeliest first. Their probabilities add up to 1000. What
// has no words that any language knows is in none.
func (s *Sum) Guesses() []Guess { return s.guesses(nil, nil) }

// surroundings say how likely each language is in what is around a text.
type surroundings struct {
	likely  [mostTags]int64 // by the numbers of the tables
	guesses []Guess
}

func surroundingsOf(guesses []Guess) *surroundings {
	s := &surroundings{guesses: guesses}
	for i, tag := range load().tags {
		s.likely[i] = probabilityIn(guesses, tag)
	}
	return s
}

// usuallyLikely is how many languages a text is in at the most as a rule.
const usuallyLikely = 16

// mostTags is more than how many languages there are: the tables number them by a byte.
const mostTags = 256

// guesses weighs them by how likely each language is in what is around the text, if that is known. They are appended
// to what has none yet.
func (s *Sum) guesses(around *surroundings, guesses []Guess) []Guess {
	if s.letters == 0 || s.known == 0 || s.others > 2*s.letters {
		return append(guesses, Guess{Unknown, 1000})
	}
	t := load()
	scores := s.few
	if scores == nil {
		scores = s.appendFew(nil)
	}
	best := int64(0)
	for _, f := range scores {
		best = max(best, f.points+int64(t.priors[f.language]))
	}
	unit := temperature(s.pieces)
	least := best - unit*int64(len(exponents))/16 // what has less is not likely at all
	likely := make([]score, 0, usuallyLikely)
	sum := int64(0)
	for _, f := range scores {
		points := f.points + int64(t.priors[f.language])
		if points <= least {
			continue
		}
		weight := exponents[(best-points)*16/unit]
		switch {
		case around == nil:
		case int(f.language) == t.chinese:
			weight *= probabilityIn(around.guesses, s.tag(t.tags[f.language]))
		default:
			weight *= around.likely[f.language]
		}
		likely = append(likely, score{weight, f.language})
		sum += weight
	}
	unknown := s.unknown(best)
	left, first := 1000-unknown, 0
	for _, l := range likely {
		if p := int(l.points * int64(1000-unknown) / sum); p > 0 {
			guesses = append(guesses, Guess{s.tag(t.tags[l.language]), p})
			left -= p
			if p > guesses[first].Probability {
				first = len(guesses) - 1
			}
		}
	}
	if len(guesses) == 0 { // of the many that it may be in, none is likely
		return append(guesses, Guess{Unknown, 1000})
	}
	guesses[first].Probability += left
	if unknown > 0 {
		guesses = append(guesses, Guess{Unknown, unknown})
	}
	order(guesses)
	return guesses
}

// order puts guesses in their order: the likeliest first.
func order(guesses []Guess) {
	slices.SortFunc(guesses, func(a, b Guess) int {
		return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(a.Tag, b.Tag))
	})
}

// elsewhere is how likely it is, in thousandths, that a short block is in a language that long ones are not.
const elsewhere = 5

func probabilityIn(around []Guess, tag string) int64 {
	for _, g := range around {
		if g.Tag == tag {
			return int64(elsewhere + g.Probability)
		}
	}
	return elsewhere
}

// tag adds the script to a language that the tables have but once.
func (s *Sum) tag(tag string) string {
	switch {
	case tag == "zh" && s.hans < 0:
		return "zh-Hant"
	case tag == "zh":
		return "zh-Hans"
	}
	return tag
}

// unknown is how likely it is that a text is in no language, in thousandths: few of its pieces are those of any, or
// most of it is signs and digits.
func (s *Sum) unknown(best int64) int {
	p := 0
	if share := 100 * s.others / (s.letters + s.others); share > 25 {
		p = max(p, min(950, 20*(share-25)))
	}
	if share := 1000 * s.code / (s.letters + s.others); share > 50 {
		p = max(p, min(950, 15*(share-50)))
	}
	// A language that a text is in knows most of its pieces, at some 150 units each.
	if mean := int(best / int64(s.pieces)); mean < 28 {
		p = max(p, min(950, 30*(28-mean)))
	}
	// Of a text with few pieces that are known, even the only language that knows them may be wrong.
	return max(p, 128>>min(s.known-1, 10))
}
