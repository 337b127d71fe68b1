package pages

import (
	"os/exec"
	"testing"
	"time"
)

func TestWhatCantBeSeenIsShown(t *testing.T) {
	for _, row := range []struct{ text, want, plain string }{
		{"plain, Ünïcode 漢字 🙂", "plain, Ünïcode 漢字 🙂", "plain, Ünïcode 漢字 🙂"},
		{"a\x00b", `a<span class="control">U+0000</span>b`, "a[U+0000]b"},
		{"a\u202e<b>", `a<span class="control">U+202E</span>&lt;b&gt;`, "a[U+202E]<b>"},
		{"\xff\xfe", `<span class="control">0xFF</span><span class="control">0xFE</span>`, "[0xFF][0xFE]"},
		{"a\u00a0b\u200bc\ufeff",
			`a<span class="control">U+00A0</span>b<span class="control">U+200B</span>c<span class="control">U+FEFF</span>`,
			"a[U+00A0]b[U+200B]c[U+FEFF]"},
		{"tab\tline\n", `tab<span class="control">U+0009</span>line<span class="control">U+000A</span>`, "tab[U+0009]line[U+000A]"},
		{"\U000e0041", `<span class="control">U+E0041</span>`, "[U+E0041]"},
		{"\u3164\u115f", `<span class="control">U+3164</span><span class="control">U+115F</span>`, "[U+3164][U+115F]"},
		{"�", "�", "�"},
	} {
		if got := string(shown(row.text)); got != row.want {
			t.Errorf("%q is shown as %s, not %s", row.text, got, row.want)
		}
		if got := plainly(row.text); got != row.plain {
			t.Errorf("%q is plainly %s, not %s", row.text, got, row.plain)
		}
	}
}

// FuzzShellTakesTheWord holds that a shell takes a quoted word for what it was.
func FuzzShellTakesTheWord(f *testing.F) {
	for _, text := range []string{"", "plain", "-n", "~", "it's", "$(id)", "a b", `\'"`, "a\u202eb'\\", "\xff", "\x1b[31m", "!", "*", "#",
		"=ls", "é"} {
		f.Add(text)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		f.Skip("there is no bash")
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range []byte(text) {
			if c == 0 {
				return // no word of a shell holds one
			}
		}
		got, err := exec.Command(bash, "-c", "printf %s. "+quoted(text)).Output()
		if err != nil || string(got) != text+"." {
			t.Errorf("%q, quoted %s, is taken for %q (%v)", text, quoted(text), got, err)
		}
	})
}

func TestNumbersAreForPeople(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567"} {
		if got := number(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1 kB", 1234: "1.23 kB", 999_499: "999 kB", 999_500: "1 MB",
		57_100_000_000: "57.1 GB", 5e15: "5000 TB"} {
		if got := bytesOf(n); got != want {
			t.Errorf("%d bytes are %s, not %s", n, got, want)
		}
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	if got := moment(at); got != `<time datetime="2026-01-02T02:04:05Z">2026-01-02 02:04:05&nbsp;UTC</time>` {
		t.Error(got)
	}
}
