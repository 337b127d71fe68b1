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

	"laundromat/text"
)

// Keys are the keys by which articles may be equal, in the order of counts.
var Keys = [...]string{"C", "HC", "HT", "HTC", "TC", "U", "UC", "UT", "UTC"}

// Entry is what is kept of an article to find its repeats.
type Entry struct {
	exact    [len(Keys)]uint64
	hasExact [len(Keys)]bool
	bands    [bands]uint64
	// signature is a byte of each MinHash; hasWords says that there is one.
	signature [hashes]byte
	hasWords  bool
}

// Look looks at an article. It may be called from several goroutines.
func Look(a *text.Article) *Entry {
	e := &Entry{}
	host := hostOf(a.URL)
	parts := map[byte]uint64{'C': hashOf(a.Text)}
	for letter, s := range map[byte]string{'T': a.Title, 'U': a.URL, 'H': host} {
		if s != "" {
			parts[letter] = hashOf(s)
		}
	}
	for i, key := range Keys {
		sum, ok := uint64(0), true
		for j := range len(key) {
			part, known := parts[key[j]]
			sum, ok = mix(sum^part), ok && known
		}
		e.exact[i], e.hasExact[i] = sum, ok
	}
	e.hasWords = sign(a.Text, &e.bands, &e.signature)
	return e
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
