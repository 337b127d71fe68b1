package encoding_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/saintfish/chardet"

	"laundromat/encoding"
)

// chardet is the detector that a reader of Go would look for first. It is not used:
// this prints how often each gives back the right text of the tables of this package.
//
//	go test -v -run TestOwnModelsReadMoreThanChardet ./encoding
//
// Three ways are compared: chardet over the whole document, chardet over the words with
// bytes of 0x80 and more, and our own. The second is used only where the document is not
// UTF-8, which improves every detector. The tables are what our own must read without a
// miss, so its share here says nothing of other data. That of chardet does: these are plain
// words in encodings that it knows by name, most of them.
func TestOwnModelsReadMoreThanChardet(t *testing.T) {
	detector := chardet.NewTextDetector()
	best := func(raw []byte) string {
		result, err := detector.DetectBest(raw)
		if err != nil {
			return ""
		}
		switch name := strings.ToLower(result.Charset); name {
		case "gb-18030":
			return "gb18030"
		case "iso-8859-8-i":
			return "iso-8859-8"
		default:
			return name
		}
	}
	// decoded is the text in an encoding that chardet names, "" if that is no text.
	decoded := func(raw []byte, name string) string {
		r, err := encoding.NewReader(bytes.NewReader(raw), name, encoding.Options{})
		if err != nil {
			if name != "" {
				t.Logf("%s is not known here", name)
			}
			return ""
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return ""
		}
		return string(text)
	}
	var all, whole, words, own int
	for _, c := range encodings {
		for _, name := range c.in {
			text := document(languages[c.language])
			raw, ok := encode(t, name, text)
			if !ok {
				text = strings.NewReplacer("’", "'", "ё", "е").Replace(text)
				raw, _ = encode(t, name, text)
			}
			all++
			if decoded(raw, best(raw)) == text {
				whole++
			}
			if decoded(raw, "utf-8") == text || decoded(raw, best(wordsBeyondASCII(raw))) == text {
				words++
			}
			if got, _, _ := wash(t, raw, encoding.Hints{}); got == text {
				own++
			}
		}
	}
	t.Logf("right text of %d documents: chardet %d, chardet over words beyond ASCII %d, own %d", all, whole, words, own)
	if own <= max(whole, words) {
		t.Errorf("own models read %d of %d, chardet %d and %d: it would earn its place", own, all, whole, words)
	}
}

// wordsBeyondASCII are the words of raw, between spaces and quotes, that hold a byte of 0x80 or more.
func wordsBeyondASCII(raw []byte) (found []byte) {
	for _, word := range strings.FieldsFunc(string(raw), func(r rune) bool { return strings.ContainsRune(" \n\"<>", r) }) {
		if slices.ContainsFunc([]byte(word), func(b byte) bool { return b >= 0x80 }) {
			found = append(append(found, word...), ' ')
		}
	}
	return found
}
