package encoding

import (
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// nameReadings are the encodings of names of files in old archives. MS-DOS wrote them in the
// code page of its country, and most programs for archives still do.
var nameReadings = sync.OnceValue(func() (all []*reading) {
	for _, p := range []struct {
		name  string
		prior float64
	}{
		{"ibm437", 0}, {"ibm850", -0.5}, {"ibm866", -0.5}, {"shift_jis", -0.5}, {"gb18030", -0.5},
		{"windows-1252", -0.5}, {"windows-1251", -1.5}, {"big5", -1}, {"euc-kr", -1}, {"ibm852", -1}, {"windows-1250", -2},
		{"ibm855", -4}, {"ibm857", -2}, {"ibm862", -2}, {"ibm865", -2}, {"windows-1253", -2}, {"windows-1254", -2},
		{"windows-1255", -2.5}, {"windows-1256", -2}, {"windows-874", -2}, {"euc-jp", -3}, {"koi8-r", -4}, {"macintosh", -4},
	} {
		c, _ := lookup(p.name)
		all = append(all, newReading(c, p.prior))
	}
	return all
})

// FileNames reads the names of files of one archive that are not UTF-8. All are read in the
// encoding in which they are likeliest together: code page 437 where nothing favours
// another. For a name with bytes that are no character in it, ok is false.
func FileNames(names []string) func(name string) (text string, ok bool) {
	s := &sample{}
	for _, name := range names {
		s.write([]byte("\n" + name + "\n"))
	}
	s.close()
	for _, w := range weigh(nameReadings(), s.words.texts()) {
		isRead := true
		for _, name := range names {
			_, ok := fileName(w.name, name)
			isRead = isRead && ok
		}
		if isRead {
			return func(name string) (string, bool) { return fileName(w.name, name) }
		}
	}
	return func(name string) (string, bool) { return fileName("ibm437", name) }
}

func fileName(encoding, name string) (text string, ok bool) {
	r, err := NewReader(strings.NewReader(name), encoding, Options{})
	if err != nil {
		return "", false
	}
	b, err := io.ReadAll(r)
	isSign := func(c rune) bool { return c != utf8.RuneError && (c < ' ' || !unicode.IsControl(c)) }
	return string(b), err == nil && r.Bad() == 0 && strings.IndexFunc(string(b), func(c rune) bool { return !isSign(c) }) < 0
}

// FileNameBytes are the byte strings that an archive may use for a file's name that is
// shown as text, where it is not UTF-8. The likeliest is first.
func FileNameBytes(text string) (ways []string) {
	seen := map[string]bool{text: true}
	for _, r := range nameReadings() {
		encode, ok := NewEncoder(r.name)
		if !ok || encode == nil {
			continue
		}
		if b, err := encode(nil, []byte(text)); err == nil && !seen[string(b)] {
			seen[string(b)] = true
			ways = append(ways, string(b))
		}
	}
	return ways
}
