package token_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"laundromat/text"
	"laundromat/text/token"
)

// texts joins the texts of tokens by spaces.
func texts(tokens []text.Token) string {
	var s []string
	for _, t := range tokens {
		s = append(s, t.Text)
	}
	return strings.Join(s, " ")
}

// table has a text and its tokens by one space each; a no-break space is part of a token.
var table = []struct{ name, in, want string }{
	{"a sentence", "Ann left, and Tom (the cook) stayed.", "Ann left , and Tom ( the cook ) stayed ."},
	{"nothing", "", ""},
	{"space of all kinds", " \t\r\n\u2009\u3000\u200b\ufeff\u2028", ""},
	{"a negation", "She didn't; they CAN’T, he mustn't've.", "She did n't ; they CA N'T , he must n't 've ."},
	{"contractions", "we're she'll I'd you’ve Tom's it’s.", "we 're she 'll I 'd you 've Tom 's it 's ."},
	{"two words in one", "I cannot, lemme go, Gotta run", "I can not , lem me go , Got ta run"},
	{"names with an apostrophe", "O'Hara, D'Angelo and l'eau at 4 o'clock", "O'Hara , D'Angelo and l'eau at 4 o'clock"},
	{"what lost its beginning", "'twas, 'em, 'til '80s in '76 'cause", "'t was , 'em , 'til '80s in '76 'cause"},
	{"straight quotation marks", `"Go," he said. "It's 'odd'."`, "`` Go , '' he said . `` It 's ` odd ' . ''"},
	{"curly ones and guillemets", "“a” ‘bc’ «de» ‹fg›", "`` a '' ` bc ' `` de '' ` fg '"},
	{"low ones stay", "„ab“ ‚cd‘", "„ ab `` ‚ cd `"},
	{"a plank of 4\" x 2\"", `a 4" x 2" plank`, "a 4 '' x 2 '' plank"},
	{"a title", "Dr. Ho met Mrs. Li.", "Dr. Ho met Mrs. Li ."},
	{"an abbreviation within a sentence", "by Ono Corp. and others, etc., of Va. too", "by Ono Corp. and others , etc. , of Va. too"},
	{"an abbreviation at its end", "by Ono Corp. It grew. In Jan. Then etc.", "by Ono Corp. . It grew . In Jan. . Then etc. ."},
	{"an abbreviation before a number", "No. 7 and fig. 2, but no. And", "No. 7 and fig. 2 , but no . And"},
	{"initials", "J. B. Ho of the U.S. He left the U.K. at 3 p.m.", "J. B. Ho of the U.S. . He left the U.K. at 3 p.m."},
	{"numbers", "-5 +3 .5 1,234.50 12:30 3.14.15 10% 3rd", "-5 +3 .5 1,234.50 12:30 3.14.15 10 % 3rd"},
	{"fractions", "1/2, 5 7/8, 3-1/4, ½ and 2¾", "1/2 , 5\u00a07/8 , 3-1/4 , 1/2 and 2 3/4"},
	{"money", "$5, US$20, €3 and 4¢", "$ 5 , US$ 20 , € 3 and 4 ¢"},
	{"telephone numbers", "(212) 555-0100, 212-555-0100, 212 555 0100", "(212)\u00a0555-0100 , 212-555-0100 , 212\u00a0555\u00a00100"},
	{"a number and its unit", "84km, 1,350kg, 4:45pm", "84km , 1,350 kg , 4:45 pm"},
	{"hyphens", "well-known 80,000-man 2-for-34 wait- co‑op", "well-known 80,000-man 2-for-34 wait - co‑op"},
	{"dashes", "a--b --- c – d—e&mdash;f", "a -- b -- c -- d -- e -- f"},
	{"dots", "aa...bb . . . cc…dd .. ee.....", "aa ... bb ... cc ... dd . . ee ..."},
	{"slashes and underscores", "and/or TCP/IP a_b_c /usr", "and/or TCP/IP a_b_c / usr"},
	{"web addresses", "See http://example.org/a?b=c. Or www.example.net, example.com/x!",
		"See http://example.org/a?b=c . Or www.example.net , example.com/x !"},
	{"an address in brackets", "(http://example.org/(a))", "( http://example.org/ ( a ) )"},
	{"mail addresses", "ann@example.org <bob@example.org> c.d+e@example.org.", "ann@example.org <bob@example.org> c.d+e@example.org ."},
	{"names of files", "a.txt b2.jpg 3802.doc a_b.png", "a.txt b2.jpg 3802.doc a_b . png"},
	{"tags", `<p><a href="x y">b</a><br/> 2 < 3 <em class=c>`, "<p> <a\u00a0href=\"x\u00a0y\"> b </a> <br/> 2 < 3 < em class = c >"},
	{"comments and instructions", "<!-- a b --><?xml v?>", "<!--\u00a0a\u00a0b\u00a0--> <?xml\u00a0v?>"},
	{"entities", "a &amp; b &lt;c&gt; &quot;d&quot; e&nbsp;f &#39; caf&eacute;", "a & b < c > `` d '' e f &#39; caf&eacute;"},
	{"smileys", "so :-) and ;) or :( ^_^ (x.x) !", "so :-) and ;) or :( ^_^ (x.x) !"},
	{"a smiley needs something behind it", "so :)", "so : )"},
	{"names behind # and @", "#tag #1 @user_1 @", "#tag # 1 @user_1 @"},
	{"initials with signs", "AT&T, R&D, C++", "AT&T , R&D , C++"},
	{"marks again and again", "What?! No!! ** ## a*b", "What ?! No !! ** ## a * b"},
	{"other scripts", "東京は、Москва. عربي؟ हिन्दी।", "東京は 、 Москва . عربي ؟ हिन्दी ।"},
	{"a soft hyphen", "ship\u00adping \u00ad", "shipping -"},
	{"windows-1252 read as Latin 1", "\u0093a\u0094 \u0096 it\u0092s \u0085", "`` a '' -- it 's ..."},
	{"halves of an emoji", "a👍", "a \uFFFD \uFFFD"},
	{"bytes that aren't UTF-8", "a\xffb", "a \uFFFD b"},
	{"lines of hyphens aren't dashes", "a ---- b ----- c ---------- d -----e", "a -- b ----- c ---------- d ----- e"},
	{"dots in fives", "...... ........ ............", "... . ... ... ... ... . ."},
	{"marks side by side", "“He said, ‘go.’” «‹a›» “” ‘’ ‘“b”’ dogs’” x", "`` He said , ` go . ''' ``` a ''' ``'' `' ``` b ''' dogs ''' x"},
	{"three marks side by side", "“‘“a”’”", "``` `` a ''' ''"},
	{"more than three words with slashes", "a/b/c/d e/f/g/h/i/j and/or/not/if", "a/b/c / d e/f/g / h/i/j and/or/not / if"},
	{"words that lost a v", "o'er e'er Ne'er where'er howe'er whate'er", "o'er e'er Ne'er where'er howe'er whate'er"},
	{"a word that lost a g", "somethin' or nothin' Somethin'", "somethin' or nothin ' Somethin'"},
	{"adverbs", "adv. and adj. here", "adv. and adj. here"},
	{"slashes in no tag", "<a/b> <a b/c> <http://x.example/d> <e/> <f / >",
		"< a/b > < a b/c > < http://x.example/d > <e/> <f\u00a0/\u00a0>"},
	{"capitals joined by a plus", "U+FFFF A+B a+b C+ C++ Q+ U+00", "U+FFFF A+B a + b C + C++ Q + U +00"},
	{"a control character", "a\x01b", "a \x01 b"},
}

func TestTokensOfEachKind(t *testing.T) {
	for _, c := range table {
		if got := texts(token.Append(nil, c.in, token.Options{})); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}

func TestRepairedTokensKeepCharactersWhole(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"an emoji", "I 👍 it", "I 👍 it"},
		{"two of them", "👍👍", "👍 👍"},
		{"one with a colour of skin", "👋🏽!", "👋🏽 !"},
		{"a family", "a 👨‍👩‍👧‍👦 b", "a 👨‍👩‍👧‍👦 b"},
		{"flags", "🇩🇪🇫🇷", "🇩🇪 🇫🇷"},
		{"a flag of tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿.", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 ."},
		{"a variation selector", "❤️⚠︎", "❤️ ⚠︎"},
		{"a key", "1 *️⃣", "1 *️⃣"},
		{"a word beyond U+FFFF", "gothic 𐌰𐌱", "gothic 𐌰𐌱"},
		{"a Chinese word", "𠮷野家。", "𠮷野家 。"},
		{"all else as before", "He's \"in\" the U.S. They don't.", "He 's `` in '' the U.S. . They do n't ."},
	} {
		if got := texts(token.Append(nil, c.in, token.Options{Repaired: true})); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}

func TestMarksSayWhichWayQuotationMarksFace(t *testing.T) {
	mark := func(s, sign string, n int, opens, single bool) token.Mark {
		at := -1
		for range n {
			at += 1 + strings.Index(s[at+1:], sign)
		}
		return token.Mark{Start: at, End: at + len(sign), Opens: opens, Single: single}
	}
	for _, c := range []struct {
		in, want string
		marks    func(s string) []token.Mark
	}{
		{"»ja«, „nein“", "`` ja '' , `` nein ''", func(s string) []token.Mark {
			return []token.Mark{mark(s, "»", 1, true, false), mark(s, "«", 1, false, false), mark(s, "„", 1, true, false),
				mark(s, "“", 1, false, false)}
		}},
		{"‚x‘ ›y‹", "` x ' ` y '", func(s string) []token.Mark {
			return []token.Mark{mark(s, "‚", 1, true, true), mark(s, "‘", 1, false, true), mark(s, "›", 1, true, true),
				mark(s, "‹", 1, false, true)}
		}},
		{`a" b "`, "a '' b ''", func(s string) []token.Mark {
			return []token.Mark{mark(s, `"`, 1, true, false), mark(s, `"`, 2, false, false)}
		}},
		{"’No’", "` No '", func(s string) []token.Mark {
			return []token.Mark{mark(s, "’", 1, true, true), mark(s, "’", 2, false, true)}
		}},
	} {
		marks := c.marks(c.in)
		if got := texts(token.Append(nil, c.in, token.Options{Repaired: true, Marks: marks})); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
		plain := texts(token.Append(nil, c.in, token.Options{}))
		if got := texts(token.Append(nil, c.in, token.Options{Marks: marks})); got != plain {
			t.Errorf("%q: marks change %q to %q where nothing is to be repaired", c.in, plain, got)
		}
	}
}

// TestTokensOfJoinedTexts makes texts of pieces whose tokens are known. Between two spaces no piece changes another,
// but for those at whose end a sentence could be; these are left out.
func TestTokensOfJoinedTexts(t *testing.T) {
	var pieces []struct{ name, in, want string }
	for _, c := range table {
		if c.want != "" && joinable(c.in) {
			pieces = append(pieces, c)
		}
	}
	r := rand.New(rand.NewPCG(26, 3))
	for range 400 {
		var in, want []string
		for range 2 + r.IntN(6) {
			c := pieces[r.IntN(len(pieces))]
			in, want = append(in, c.in), append(want, strings.Fields(strings.ReplaceAll(c.want, "\u00a0", "\x00"))...)
		}
		space := []string{" ; ", "\n;\n", " ;\t"}[r.IntN(3)]
		text := strings.Join(in, space)
		got := strings.ReplaceAll(texts(token.Append(nil, text, token.Options{})), "\u00a0", "\x00")
		if got := withoutSemicolons(got); got != withoutSemicolons(strings.Join(want, " ")) {
			t.Fatalf("%q\n got %q\nwant %q", text, got, strings.Join(want, " "))
		}
	}
}

// joinable says whether a text means the same before " ;": no abbreviation ends it, and no sign looks for its end.
func joinable(s string) bool {
	for _, end := range []string{"etc.", "p.m.", ":)"} {
		if strings.HasSuffix(s, end) {
			return false
		}
	}
	return strings.TrimSpace(s) != "" && !strings.Contains(s, "\xff")
}

func withoutSemicolons(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(" "+s+" ", " ; ", " ")), " ")
}

// obeys checks the laws of places: ascending, apart, whole characters, and all that is no space is in a token.
func obeys(t *testing.T, s string, o token.Options) {
	t.Helper()
	end, last := 0, text.Token{End: -1}
	for _, k := range token.Append(nil, s, o) {
		if k == last && k.Text == "\uFFFD" && !o.Repaired {
			last = text.Token{}
			continue // the other half of a character
		}
		if k.Start < end || k.End <= k.Start || k.End > len(s) {
			t.Fatalf("%q: token %v begins before %d or is empty", s, k, end)
		}
		if !utf8.RuneStart(s[k.Start]) && utf8.ValidString(s) || k.Text == "" {
			t.Fatalf("%q: token %v cuts a character or is empty", s, k)
		}
		gap(t, s, s[end:k.Start])
		end, last = k.End, k
	}
	gap(t, s, s[end:])
}

// gap checks what stands between two tokens.
func gap(t *testing.T, s, between string) {
	t.Helper()
	for _, r := range strings.ReplaceAll(between, "&nbsp;", "") {
		if !unicode.IsSpace(r) && !strings.ContainsRune("\u007f\u180e\u200b\u200e\u200f\ufeff\u202a\u202b\u202c\u202d\u202e", r) {
			t.Fatalf("%q: %q is in no token", s, r)
		}
	}
}

func FuzzPlacesOfTokens(f *testing.F) {
	for _, c := range table {
		f.Add(c.in)
	}
	f.Add("a&nbsp;b \u0092n\u0092 1 2 ’ll ’N’ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 <a b='c'")
	f.Fuzz(func(t *testing.T, s string) {
		obeys(t, s, token.Options{})
		obeys(t, s, token.Options{Repaired: true})
		if !utf8.ValidString(s) || strings.Contains(s, "\uFFFD") {
			return
		}
		for _, k := range token.Append(nil, s, token.Options{Repaired: true}) {
			if strings.Contains(k.Text, "\uFFFD") {
				t.Fatalf("%q: %v is half a character", s, k)
			}
		}
	})
}

func ExampleAppend() {
	for _, t := range token.Append(nil, "I can't, “Bob”.", token.Options{}) {
		fmt.Println(t.Start, t.End, t.Text)
	}
	// Output:
	// 0 1 I
	// 2 4 ca
	// 4 7 n't
	// 7 8 ,
	// 9 12 ``
	// 12 15 Bob
	// 15 18 ''
	// 18 19 .
}
