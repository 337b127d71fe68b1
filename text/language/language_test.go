package language_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/text"
	"laundromat/text/language"
)

func guessesOf(s string) []language.Guess {
	var sum language.Sum
	sum.Add(s)
	return sum.Guesses()
}

// TestSentencesAreInTheirLanguage, with the script where a language has several.
func TestSentencesAreInTheirLanguage(t *testing.T) {
	for want, sentences := range map[string][]string{
		"en": {"Nobody had expected the storm to come so early in the year.",
			"She asked the council for a new survey of the river."},
		"de": {"Niemand hatte erwartet, dass der Sturm so früh im Jahr kommen würde.",
			"Die meisten Häuser wurden innerhalb von zehn Jahren wieder aufgebaut."},
		"fr": {"Personne ne s'attendait à ce que la tempête arrive si tôt dans l'année.",
			"La plupart des maisons ont été reconstruites en dix ans."},
		"es": {"Nadie esperaba que la tormenta llegara tan temprano este año.",
			"La mayoría de las casas fueron reconstruidas en diez años."},
		"pl":      {"Nikt nie spodziewał się, że burza nadejdzie tak wcześnie.", "Większość domów odbudowano w ciągu dziesięciu lat."},
		"tr":      {"Kimse fırtınanın bu kadar erken gelmesini beklemiyordu.", "Evlerin çoğu on yıl içinde yeniden inşa edildi."},
		"ru":      {"Никто не ожидал, что шторм придёт так рано в этом году.", "Большинство домов были восстановлены за десять лет."},
		"uk":      {"Ніхто не очікував, що буря прийде так рано цього року.", "Більшість будинків було відбудовано за десять років."},
		"sr-Cyrl": {"Нико није очекивао да ће олуја доћи тако рано ове године.", "Већина кућа је обновљена у року од десет година."},
		"el": {"Κανείς δεν περίμενε ότι η καταιγίδα θα ερχόταν τόσο νωρίς.",
			"Τα περισσότερα σπίτια ξαναχτίστηκαν μέσα σε δέκα χρόνια."},
		"ja":      {"嵐がこんなに早く来るとは誰も予想していなかった。", "ほとんどの家は十年以内に再建されました。"},
		"zh-Hans": {"没有人预料到今年暴风雨会来得这么早。", "大多数房屋在十年内得到了重建。"},
		"zh-Hant": {"沒有人預料到今年暴風雨會來得這麼早。", "大多數房屋在十年內得到了重建,這讓規劃者也感到驚訝。"},
		"ko":      {"올해 폭풍이 이렇게 일찍 올 줄은 아무도 예상하지 못했다.", "대부분의 집은 십 년 안에 다시 지어졌습니다."},
		"ar":      {"لم يتوقع أحد أن تأتي العاصفة مبكرا هذا العام.", "أعيد بناء معظم المنازل في غضون عشر سنوات."},
		"he":      {"איש לא ציפה שהסערה תגיע מוקדם כל כך השנה.", "רוב הבתים נבנו מחדש בתוך עשר שנים."},
		"und":     {"", "12 345 67,8 % 2011-03-04", "if (x[i] == 0) { return f(a->b, &c); } /* */", "— * —", "()=>{};x[0]=y[1];"},
	} {
		for _, s := range sentences {
			if g := guessesOf(s); g[0].Tag != want {
				t.Errorf("%s: %v, not %s", s, g, want)
			}
		}
	}
}

// TestKinIsNamed: of languages that are close to one another, the others are among those that may be.
func TestKinIsNamed(t *testing.T) {
	for text, kin := range map[string][]string{
		"Svatko ima pravo na slobodu mišljenja": {"hr", "bs-Latn", "sr-Latn"}, "Setiap orang berhak atas kebebasan": {"id", "ms"},
		"Alle har rett til frihet": {"nb", "nn", "da"}, "Každý má právo na slobodu": {"sk", "cs"},
	} {
		found := 0
		for _, g := range guessesOf(text) {
			for _, tag := range kin {
				if g.Tag == tag {
					found++
				}
			}
		}
		if found < 2 {
			t.Errorf("%s: %v", text, guessesOf(text))
		}
	}
}

// TestBlocksAreReadInTheLightOfOthers: a short one is likelier in the language that is around it.
func TestBlocksAreReadInTheLightOfOthers(t *testing.T) {
	long := strings.Repeat("Die meisten Häuser wurden innerhalb von zehn Jahren wieder aufgebaut, und niemand hatte das erwartet. ", 3)
	a := &text.Article{Text: long + "\n\nInformation\n\nx = f(y);\n\nHome", Blocks: []text.Block{{Span: text.Span{Start: 0,
		End: len(long)}},
		{Span: text.Span{Start: len(long) + 2, End: len(long) + 13}}, {Span: text.Span{Start: len(long) + 15, End: len(long) +
			24}, Kind: text.Code},
		{Span: text.Span{Start: len(long) + 26, End: len(long) + 30}, Kind: text.Navigation}}}
	language.Complete(a)
	first := map[int]string{}
	for _, l := range a.Languages {
		if first[l.Start] == "" {
			first[l.Start] = l.Language
		}
	}
	for i, want := range []string{"de", "de", "und", "und"} {
		if have := first[a.Blocks[i].Start]; have != want {
			t.Errorf("block %d: %s, not %s", i, have, want)
		}
	}
	if l := a.Metadata.Languages; len(l) == 0 || l[0].Tag != "de" {
		t.Errorf("the whole: %v", l)
	}
}

// TestUsefulCharacters are those of the scripts that were found.
func TestUsefulCharacters(t *testing.T) {
	for _, c := range []struct {
		text string
		tags []string
		want int
	}{
		{"Plain text, 12 %.\n", []string{"en"}, 1000},
		{"", []string{"en"}, 1000},
		{"na\u00efve caf\u00e9", []string{"fr"}, 1000},
		{"ab\ufffd\ufffd", []string{"en"}, 500},
		{"a\x01b\x02", []string{"en"}, 500},
		{"wh?t is this? No", []string{"en"}, 937},
		{"Ð¿Ñ€Ð¸", []string{"ru"}, 0},
		{"CafÃ©", []string{"fr"}, 600},
		{"привет", []string{"ru"}, 1000},
		{"привет", []string{"en"}, 0},
		{"привет hi", []string{"ru", "en"}, 1000},
		{"東京タワー", []string{"ja"}, 1000},
		{"한국어", []string{"ko"}, 1000},
		{"a\ue000", []string{"en"}, 500},
		{"мир", []string{"und"}, 1000},
	} {
		if have := language.Useful(c.text, c.tags); have != c.want {
			t.Errorf("%q in %v: %d, not %d", c.text, c.tags, have, c.want)
		}
	}
}

// FuzzGuesses holds any text to the laws: probabilities add up, the likeliest is first, no tag is there twice.
func FuzzGuesses(f *testing.F) {
	for _, s := range []string{"", "a", "Straße", "東京", "x = y;", "\xff\xfe", "Ни од", strings.Repeat("a", 200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sum, last, seen := 0, 1000, map[string]bool{}
		for _, g := range guessesOf(s) {
			if g.Probability < 0 || g.Probability > last || seen[g.Tag] {
				t.Fatalf("%q: %v", s, guessesOf(s))
			}
			sum, last = sum+g.Probability, g.Probability
			seen[g.Tag] = true
		}
		if sum != 1000 {
			t.Errorf("%q: %v add up to %d", s, guessesOf(s), sum)
		}
		if utf8.ValidString(s) {
			a := &text.Article{Text: s, Blocks: []text.Block{{Span: text.Span{End: len(s)}}}}
			language.Complete(a)
			all := 0.0
			for _, l := range a.Metadata.Languages {
				all += l.Probability
			}
			if all < 0.9995 || all > 1.0005 || a.Metadata.Useful < 0 || a.Metadata.Useful > 1 {
				t.Errorf("%q: %+v", s, a.Metadata)
			}
		}
	})
}

func BenchmarkLanguages(b *testing.B) {
	s := strings.Repeat("Nobody had expected the storm to come so early in the year. ", 60)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		guessesOf(s)
	}
}
