package quote_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/text"
	"laundromat/text/quote"
	"laundromat/text/token"
)

func quotes(s string, o quote.Options) (out []string) {
	for _, q := range quote.Find(s, o).Quotes {
		out = append(out, q.Text)
	}
	return out
}

func TestQuotesOfEachKind(t *testing.T) {
	for _, c := range []struct{ name, language, in, want string }{
		{"English", "en", "She said “go away” and left.", "go away"},
		{"within another", "en", "“He cried ‘stop’ and ran,” she said.", "He cried ‘stop’ and ran,|stop"},
		{"British", "en-GB", "‘It’s “odd”,’ he wrote.", "It’s “odd”,|odd"},
		{"German", "de", "Er sagte „nein, ‚nie‘ mehr“ und „ja“.", "nein, ‚nie‘ mehr|nie|ja"},
		{"German without its language", "", "Er sagte „nein, ‚nie‘ mehr“ und „ja“.", "nein, ‚nie‘ mehr|nie|ja"},
		{"German guillemets", "de", "Er sagte »nein, ›nie‹ mehr« und ging.", "nein, ›nie‹ mehr|nie"},
		{"French with its spaces", "fr", "Il a dit «\u00a0non, ‹\u202fjamais\u202f›\u00a0» hier.", "non, ‹\u202fjamais\u202f›|jamais"},
		{"French with plain spaces", "fr", "Il a dit « non » hier, « oui » demain.", "non|oui"},
		{"Swedish", "sv", "Hon sa ”nej, ’aldrig’ mer” och »ja».", "nej, ’aldrig’ mer|aldrig|ja"},
		{"Polish", "pl", "Mówi „nie «nigdy» więcej” i idzie.", "nie «nigdy» więcej|nigdy"},
		{"Japanese", "ja", "彼は「いいえ『決して』ない」と言った。", "いいえ『決して』ない|決して"},
		{"Chinese without spaces", "zh", "他说“不，‘从不’这样”，然后走了。", "不，‘从不’这样|从不"},
		{"Arabic", "ar", "قال ”لا ’أبدا‘ هكذا“ ومضى.", "لا ’أبدا‘ هكذا|أبدا"},
		{"straight", "", `He said "no, 'never' again" twice.`, "no, 'never' again|never"},
		{"LaTeX", "", "He said ``no, `never' again'' twice.", "no, `never' again|never"},
		{"punctuation around", "", `("a") ["b"] "c"; "d": "e"!`, "a|b|c|d|e"},
		{"dashes around", "", "He—“I thought—” she began—“it was…”—and left.", "I thought—|it was…"},
		{"dots within", "", `"...and then" or “…so”`, "...and then|…so"},
		{"an apostrophe within", "", "'I don't know, it's James' book' he said", "I don't know, it's James' book"},
		{"an inch within", "", `He wrote "a 4" nail is enough" there.`, "a 4\" nail is enough"},
		{"a year within", "", "the '90s hit 'Back in the '80s' was loud", "Back in the '80s"},
		{"a word that may be cut or quoted", "", "'cause I said 'cause and effect' before", "cause and effect"},
		{"feet and inches", "", `6'2" tall, 4" x 8" wide, 5' 11", 10° 30' 15"`, ""},
		{"apostrophes", "", "'Tis the dogs' bowl, rock 'n' roll, ’twas o'clock, the '60s, Mu’min", ""},
		{"the same mark within itself", "", "“one “two” three” four", "one “two” three|two"},
		{"one that never closes before one that does", "", "He said “no. Then “yes” again.", "yes"},
		{"one that closes nothing", "", "no” and “yes” and »", "yes"},
		{"nothing between", "", `"" “ ” ''`, ""},
		{"paragraphs that open again", "", "“One.\n\n“Two.\n\n“Three.” End “four”.", "One.|Two.|Three.|four"},
		{"a paragraph that doesn't", "", "“One.\n\nTwo.\n\n“Three.”", "Three."},
		{"a line within a paragraph", "", "“One\ntwo” three", "One\ntwo"},
		{"mixed ends", "", "„a” and „b“ and „c\"", "a|b|c"},
		{"adjacent marks", "", "“‘a’ b ‘c’”", "‘a’ b ‘c’|a|c"},
		{"tokens", "", "\" Kurds , \" he said , \" fly . \" And : \" go \"", "Kurds ,|fly .|go"},
		{"tokens with the marks of a treebank", "", "`` We did , '' he said . `` ` No ' , they said , of the dogs ' bowl ''",
			"We did ,|` No ' , they said , of the dogs ' bowl|No"},
		{"tokens with curly marks", "", "‘ No , ’ said he , “ I said ‘ never ’ again ” .", "No ,|I said ‘ never ’ again|never"},
		{"tokens at the ends", "", "( \" a \" ) -- \" What \" --", "a|What"},
		{"tokens in German", "", "„ Ja “ , sagte sie , „ nein “ .", "Ja|nein"},
		{"French typed quickly", "fr", "« Il faut partir », dit-il. « Non ! »", "Il faut partir|Non !"},
		{"French without its language", "", "« Oui , « jamais » , non . »", "Oui , « jamais » , non .|jamais"},
		{"French with thin spaces", "fr", "Il a dit «\u2009oui\u2009» et «\u2006non\u2006».", "oui|non"},
		{"spaces in Japanese", "ja", "「 はい 」 と 『 源氏 』", "はい|源氏"},
		{"a review", "en", "“ Great value, would buy again. ”", "Great value, would buy again."},
		{"side by side", "", "“A,”“B,”“C.”", "A,|B,|C."},
		{"a possessive before a stop", "", "‘It’s the neighbours’.’", "It’s the neighbours’."},
		{"arrows of pages", "", "« Previous 1 2 Next »", ""},
		{"arrows of pages in French", "fr", "« Précédent 1 2 3 … 9 Suivant »", ""},
		{"arrows with a bar", "fr", "« Précédent | Suivant »", ""},
		{"breadcrumbs", "", "Home » News » Item « Back", ""},
		{"bullets", "", "» one\n» two", ""},
		{"inches with a space", "", "4 \" x 6 \" cards, a 3.5 \" disk and a 5.25 \" disk", ""},
		{"a space inside on one side", "", "“One ” two “ three”", "One|three"},
		{"words run together", "", "before“within”behind", "within"},
	} {
		if got := strings.Join(quotes(c.in, quote.Options{Language: c.language}), "|"); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}

func TestMarksThatNeverCloseAreTold(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int
	}{
		{"He said “no.", 1}, {"He said „no and «yes», too.", 1}, {"“One.\n\n“Two.", 2}, {"“a ‘b c” d", 1},
		{"’Twas the '90s, rock 'n' roll", 0}, {"x « y", 0}, {"“a” 'b", 0}, {"4\" and \"b\"", 0}, {"“a”", 0}, {"\"One.\n\nTwo.", 1},
	} {
		if got := quote.Find(c.in, quote.Options{}).Unclosed; len(got) != c.want {
			t.Errorf("%q: told %v, want %d", c.in, got, c.want)
		}
	}
}

func TestNoQuoteGoesOnBeyondItsBlock(t *testing.T) {
	s := "“one\ttwo” “three”\n\n“code”"
	block := func(from, to string, kind text.Kind) text.Block {
		return text.Block{Span: text.Span{Start: strings.Index(s, from), End: strings.Index(s, to) + len(to)}, Kind: kind}
	}
	got := quotes(s, quote.Options{Blocks: []text.Block{block("“one", "one", text.TableCell), block("two”", "“three”", text.TableCell),
		block("“code”", "“code”", text.Code)}})
	if fmt.Sprint(got) != "[three]" {
		t.Errorf("got %q", got)
	}
}

func TestMarksGiveTokensTheirDirection(t *testing.T) {
	for in, want := range map[string]string{
		"Er rief »ja«, „nein“ und ‚nie‘.": "Er rief `` ja '' , `` nein '' und ` nie ' .",
		"Hon sa ”nej ’ja’ nej”.":          "Hon sa `` nej ` ja ' nej '' .",
		"« oui »":                         "`` oui ''",
		"it's “so”, isn't it?":            "it 's `` so '' , is n't it ?",
	} {
		var got []string
		for _, k := range token.Append(nil, in, token.Options{Repaired: true, Marks: quote.Find(in, quote.Options{}).Marks}) {
			got = append(got, k.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestQuotesPutIntoTextsAreFound builds texts of quotations whose places are known: of each convention, nested or not,
// among punctuation, and over paragraphs.
func TestQuotesPutIntoTextsAreFound(t *testing.T) {
	conventions := []struct{ language, marks string }{{"en", "“”‘’"}, {"en-GB", "‘’“”"}, {"de", "„“‚‘"}, {"de", "»«›‹"}, {"fr", "«»‹›"},
		{"es", "«»“”"},
		{"ru", "«»„“"}, {"pl", "„”«»"}, {"fi", "””’’"}, {"hu", "„”»«"}, {"fa", "«»‹›"}, {"ar", "”“’‘"}, {"ja", "「」『』"}, {"hr", "„“‚‘"},
		{"nl", "‘’“”"},
		{"sr", "„”’’"}, {"no", "«»‘’"}, {"it", "«»“”"}, {"he", "””’’"}, {"", `""''`}}
	words := strings.Fields("plum river don't seven stone it's early dogs won't table")
	frames := [][2]string{{"He said ", " and left. "}, {"", ". "}, {"Then (", "), or so. "}, {"Well: ", "! "}, {"— ", ", they say. "},
		{"What is ", "? "}}
	r := rand.New(rand.NewPCG(2, 6))
	phrase := func() string {
		var w []string
		for range 2 + r.IntN(4) {
			w = append(w, words[r.IntN(len(words))])
		}
		return strings.Join(w, " ")
	}
	for range 600 {
		c := conventions[r.IntN(len(conventions))]
		m := []rune(c.marks)
		var s strings.Builder
		var want []string
		for range 1 + r.IntN(4) {
			frame := frames[r.IntN(len(frames))]
			s.WriteString(phrase() + " " + frame[0])
			inner := phrase()
			if r.IntN(3) == 0 {
				nested := phrase()
				inner += " " + string(m[2]) + nested + string(m[3]) + " " + phrase()
				want = append(want, inner, nested)
			} else {
				want = append(want, inner)
			}
			s.WriteString(string(m[0]) + inner + string(m[1]) + frame[1])
			if r.IntN(4) == 0 {
				s.WriteString("\n\n")
			}
		}
		for _, language := range []string{c.language, ""} {
			if got := quotes(s.String(), quote.Options{Language: language}); !slices.Equal(got, want) {
				t.Errorf("%s %q: %q\n got %q\nwant %q", language, c.marks, s.String(), got, want)
			}
		}
	}
}

func TestTimeGrowsWithTheLength(t *testing.T) {
	for _, unit := range []string{"“", "”", "\"", "'", "“a ", "a” ", "“a” ", `4" `, "'1", "‘1", "’s ", "«", "» ", "''", "``a ", "“\n\n",
		"s' a", "“a »", "„ “", "' a"} {
		s := strings.Repeat(unit, 1<<18/len(unit))
		start := time.Now()
		quote.Find(s, quote.Options{})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q again and again took %v", unit, took)
		} else {
			t.Logf("%q %v", unit, took)
		}
	}
}

func FuzzQuotes(f *testing.F) {
	for _, s := range []string{"“a ‘b’”", "»a« „b“ '90s", "“a\n\n“b”", "``x''", "« a »", "他说“不”", "‘’’’“", "'n'"} {
		f.Add(s, "de")
	}
	f.Fuzz(func(t *testing.T, s, language string) {
		r := quote.Find(s, quote.Options{Language: language})
		last := 0
		for _, q := range r.Quotes {
			if q.Start < last || q.End <= q.Start || q.End > len(s) || s[q.Start:q.End] != q.Text {
				t.Fatalf("%q: %v", s, q)
			}
			if strings.TrimSpace(q.Text) != q.Text {
				t.Fatalf("%q: %q has space at its ends", s, q.Text)
			}
			last = q.Start
		}
		end := 0
		for _, m := range r.Marks {
			if m.Start < end || m.End <= m.Start || m.End > len(s) {
				t.Fatalf("%q: mark %v", s, m)
			}
			end = m.End
		}
		for i, a := range r.Quotes {
			for _, b := range r.Quotes[i+1 : min(i+20, len(r.Quotes))] {
				if b.Start < a.End && b.End > a.End {
					t.Fatalf("%q: %v and %v cross", s, a, b)
				}
			}
		}
		token.Append(nil, s, token.Options{Repaired: true, Marks: r.Marks})
	})
}

func BenchmarkQuotes(b *testing.B) {
	s := strings.Repeat("She said that it's “a thing” of the '90s, and the dogs' bowl stood by the door for years. Nothing was in it.\n\n",
		1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		quote.Find(s, quote.Options{Language: "en"})
	}
}
