// Package near finds articles that repeat others: that are equal by a key, or nearly so by their words.
//
//	run := near.New(near.Options{})
//	defer run.Close()
//	run.Input("news.f5")
//	for … {
//		number, err := run.Add(near.Look(article))
//	}
//	repeats, err := run.Finish(ctx)
//	first, likeness, ok := repeats.Of(number)
//
// # Keys
//
// Two articles are equal by a key if they are equal in all of its letters: the text (C), the title (T), the URL (U),
// the host of the URL (H). An article that lacks one of them has no such key.
//
// # Likeness
//
// The words of an article are taken five at a time. Of each of 112 functions, the least value over all of these is
// its MinHash; the share of equal values of two articles is the likeness of their sets of words. The values are cut
// into 14 bands of 8: articles that agree in a whole band are compared. With a likeness of 0.8, 92 % of pairs are;
// with 0.5, 5 %.
//
// # Groups
//
// Articles with the same text, and those whose likeness in a common band is [Least] or more, are of one group, and
// so are those that others join. All of a group but its first one repeat that. Which groups there are does not
// depend on the order of the articles.
//
// Keys and bands are lines of an external sort. So memory has eight bytes for each article, and the disk less than
// 448: the signature that likeness is found by has 112.
package near

import (
	"crypto/sha256"
	"encoding/binary"
	"net/url"
	"strings"
	"unicode"

	"laundromat/text"
)

// Keys are the keys by which articles may be equal, in the order of counts.
var Keys = [...]string{"C", "HC", "HT", "HTC", "TC", "U", "UC", "UT", "UTC"}

// letters are those of keys: the text, the host, the title, the URL.
const letters = "CHTU"

// Entry is what is kept of an article to find its repeats.
type Entry struct {
	exact    [len(Keys)]uint64
	hasExact [len(Keys)]bool
	bands    [bands]uint64
	// signature is a byte of each MinHash; hasWords says that there is one.
	signature [hashes]byte
	hasWords  bool
	blocks    []uint64 // of each block with its host; 0 where there is no word in it
}

// Look looks at an article. It may be called from several goroutines.
func Look(a *text.Article) *Entry {
	e := &Entry{}
	host := hostOf(a.URL)
	var parts [4]uint64
	texts := [4]string{a.Text, host, a.Title, a.URL}
	for i, s := range texts {
		if s != "" {
			parts[i] = hashOf(s)
		}
	}
	for i, key := range Keys {
		e.hasExact[i] = true
		for j := range len(key) {
			part := strings.IndexByte(letters, key[j])
			e.exact[i] = mix(e.exact[i] ^ parts[part])
			e.hasExact[i] = e.hasExact[i] && texts[part] != ""
		}
	}
	e.hasWords = sign(a.Text, &e.bands, &e.signature)
	return e
}

// LookAtBlocks looks at the blocks of an article, too. Those of an article without a host are on no page but its own.
func (e *Entry) LookAtBlocks(a *text.Article) {
	host := hostOf(a.URL)
	if host == "" {
		return
	}
	of := hashOf(host)
	e.blocks = make([]uint64, len(a.Blocks))
	for i := range a.Blocks {
		s := a.Text[a.Blocks[i].Start:a.Blocks[i].End]
		if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			e.blocks[i] = mix(of^hashOf(s)) | 1
		}
	}
}

func hashOf(s string) uint64 {
	sum := sha256.Sum256([]byte(s))
	return binary.LittleEndian.Uint64(sum[:])
}

// hostOf is the host of a URL, in small letters; empty if it has none.
func hostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
