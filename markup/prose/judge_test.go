package prose_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/markup/prose"
)

// told writes findings as kind(detail).
func told(text, language string) string {
	var all []string
	for _, f := range prose.Judge([]byte(text), []byte(language)) {
		all = append(all, kinds[f.Kind]+"("+f.Detail+")")
	}
	return strings.Join(all, " ")
}

func TestFaultsOfTexts(t *testing.T) {
	for _, c := range []struct{ text, language, want string }{
		{"MÃ¼nchen", "", "mojibake(read as windows-1252, it is München)"},
		{"mã¼nchen", "", "mojibake(read as windows-1252 and written in small letters, it is münchen)"},
		{"MÃƒÂ¼nchen", "", "mojibake(read as windows-1252, twice, it is München)"},
		{"donâ€™t", "", "mojibake(read as windows-1252, it is don’t)"},
		{"ÐŸÑ€Ð¸Ð²ÐµÑ‚", "", "mojibake(read as windows-1252, it is Привет)"},
		{"РџСЂРёРІРµС‚", "", "mojibake(read as windows-1251, it is Привет)"},
		{"п÷я─п╦п╡п╣я┌", "", "mojibake(read as koi8-r, it is Привет)"},
		{"caf├й cr├иme", "", "mojibake(read as code page 866, it is café crème)"},
		{"caf√©", "", "mojibake(read as mac-roman, it is café)"},
		{"caf├⌐", "", "mojibake(read as code page 437, it is café)"},
		{"caf├®", "", "mojibake(read as code page 850, it is café)"},
		{"cafĂ©", "", "mojibake(read as windows-1250, it is café)"},
		{"München und KÃ¶ln", "", "mojibake(read as windows-1252, it is München und Köln)"},
		{"20 Â°C, 5 Â£", "", "mojibake(read as windows-1252, it is 20 °C, 5 £)"},
		{"a\uFFFDb", "", "replacement()"},
		{"?????? ????", "ru", "questions(in ??????)"},
		{"??? ?? ???", "ja", "questions(in ???)"},
		{"M?nchen", "de", "questions(in M?nchen)"},
		{"Universit?t Z?rich", "de-ch", "questions(in Universit?t)"},
		{"a\x00b", "", "control(U+0000, which no xsd:string has)"},
		{"a\x1Bb", "", "control(U+001B)"},
		{"a\x7Fb", "", "control(U+007F)"},
		{"don\u0092t", "", "control(U+0092, which is ’ in windows-1252)"},
		{"a\uFFFEb", "", "control(U+FFFE, which no xsd:string has)"},
		{"\uFEFFa", "", "control(U+FEFF)"},
		{"a\uE001b", "", "private(U+E001)"},
		{"a\U000F0001b", "", "private(U+F0001)"},
		{"Caf&eacute;", "", "entity(&eacute;)"},
		{"a &amp; b", "", "entity(&amp;)"},
		{"&#233;t&#xe9;", "", "entity(&#233;)"},
		{"a<br>b", "", "tag(<br>)"},
		{"a<br />b", "", "tag(<br />)"},
		{"<b>a</b>", "", "tag(</b>)"},
		{`see <a href="x">here`, "", `tag(<a href="x">)`},
		{" a", "", "blank(at the beginning)"},
		{"a\n", "", "blank(at the end)"},
		{"\u00A0a\u3000", "", "blank(at both ends)"},
		{" ", "", "blank(at both ends)"},
		{"e\u0301", "", "nfc()"},
		{"\u212B", "", "nfc()"},
		{" caf&eacute;<br>", "", "entity(&eacute;) tag(<br>) blank(at the beginning)"},
	} {
		if got := told(c.text, c.language); got != c.want {
			t.Errorf("%q@%s: got %s, want %s", c.text, c.language, got, c.want)
		}
	}
}

func TestGoodTextsAreLetBe(t *testing.T) {
	for _, c := range []struct{ text, language string }{
		{"", ""}, {"a", ""}, {"München", "de"}, {"Ångström", "sv"}, {"naïve façade", "fr"}, {"« Liberté »", "fr"},
		{"Liberté\u00A0», dit-il", "fr"},
		{"die „SPÖ“", "de"}, {"SPÖ–Chef", "de"}, {"AMANHÃ…", "pt"}, {"amanhã…", "pt"}, {"“AMANHÔ", "pt"}, {"PÃO", "pt"}, {"MĂŞTI", "ro"},
		{"WSPÓŁPRACA PÓŁNOC", "pl"}, {"ŻÓŁĆ", "pl"}, {"Привет", "ru"}, {"Її", "uk"}, {"Ні", "uk"}, {"фински", "sr"}, {"удачна.", "ru"},
		{"日本語", "ja"}, {"한국어", "ko"}, {"ภาษาไทย", "th"}, {"हिन्दी", "hi"}, {"العربية", "ar"}, {"עברית", "he"}, {"Ελληνικά", "el"},
		{"Tiếng Việt", "vi"}, {"ΟΎΤΕ", "el"}, {"5 µm ± 2 °C", ""}, {"├── a", ""}, {"√2 ≈ 1.41", ""}, {"½ × ¾", ""}, {"Â", ""}, {"Ã", ""},
		{"â", "ro"},
		{"🙂 👨‍👩‍👧", ""}, {"AT&T; R&D", ""}, {"a & b", ""}, {"?a=1&b=2", ""}, {"a < b > c", ""}, {"press <i> to insert", ""},
		{"List<String>", ""},
		{"<http://example.org/>", ""}, {"<p> is a placeholder", ""}, {"see <title>", ""}, {"What???", "en"}, {"???", ""}, {"Was?", "de"},
		{"Что????", "ru"},
		{"wer?was=wo", "de"}, {"http://e/a?b", "de"}, {"datei?.txt", "de"}, {"SELECT ?x WHERE", "de"}, {"¿qué?", "es"}, {"OK?", "ru"},
		{"line\nline\ttab", ""}, {"ÄÖÜ", "de"}, {"Škoda", "cs"}, {"Ťažký", "sk"}, {"ĒŖ", "lv"}, {"İŞLEM", "tr"}, {"ЁЖ", "ru"}, {"ћ’", "sr"},
	} {
		if got := told(c.text, c.language); got != "" {
			t.Errorf("%q@%s: %s", c.text, c.language, got)
		}
	}
}

func TestEveryOddByteIsSeen(t *testing.T) {
	for n := range 20 {
		for b := range 128 {
			for at := range n {
				text := []byte(strings.Repeat("x", n))
				text[at] = byte(b)
				inside := at > 0 && at < n-1
				sound := b > ' ' && b < 0x7F && !strings.ContainsRune("&<?", rune(b)) || inside && strings.ContainsRune(" \n\t\r", rune(b))
				if prose.IsSound(text) != sound {
					t.Fatalf("%q: %v", text, !sound)
				}
			}
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, text := range []string{"MÃ¼nchen", "mã¼nchen", "a&amp;<br>", "?????", " \uFEFFe\u0301", "РџСЂРёРІРµС‚", "â€™"} {
		f.Add(text, "de")
	}
	f.Fuzz(func(t *testing.T, text, language string) {
		if !utf8.ValidString(text) {
			return
		}
		last := prose.Kind(0)
		for _, finding := range prose.Judge([]byte(text), []byte(language)) {
			if finding.Kind <= last || !utf8.ValidString(finding.Detail) {
				t.Fatalf("%q: %+v", text, finding)
			}
			last = finding.Kind
		}
		if prose.IsSound([]byte(text)) && last != 0 {
			t.Fatalf("%q is sound", text)
		}
	})
}

func TestGoodTextsAreJudgedWithoutAllocation(t *testing.T) {
	for _, text := range []string{"A text of some length", "München", "Привет, мир", "日本語のテキスト", "What? <that> & this"} {
		value := []byte(text)
		prose.Judge(value, nil)
		if n := testing.AllocsPerRun(100, func() { prose.Judge(value, nil) }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	for name, text := range map[string]string{
		"ascii":   "A text of some length, as a comment has it, in English",
		"german":  "Die Universität Zürich ist eine Hochschule in der Schweiz",
		"russian": "Российская Федерация", "japanese": "日本国の首都である東京", "vietnamese": "Tiếng Việt là ngôn ngữ",
		"lines": "one line\nand another\n\nthat is all",
	} {
		b.Run(name, func(b *testing.B) {
			value := []byte(text)
			b.SetBytes(int64(len(value)))
			b.ReportAllocs()
			for b.Loop() {
				prose.Judge(value, nil)
			}
		})
	}
}

func ExampleJudge() {
	for _, f := range prose.Judge([]byte("MÃ¼nchen"), nil) {
		fmt.Println(f.Kind == prose.Mojibake, f.Detail)
	}
	// Output: true read as windows-1252, it is München
}
