package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"laundromat/encoding"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// mixture is a way to bring bytes that are not UTF-8 into a document of UTF-8.
type mixture struct {
	what string
	// labels are those that are written otherwise, in bytes; want says what each must be
	// read as.
	labels func(r *rand.Rand, names map[string][]string) (raw [][]byte, want []string)
}

// singleBytes are the languages whose texts are in some encoding of one byte a character.
func singleBytes() (found [][2]string) {
	for _, l := range languages {
		for name := range strings.FieldsSeq(l.encodings) {
			if name != "utf-8" && name != "windows-1258" && encoding.SingleByte(name)('A') == 'A' {
				found = append(found, [2]string{l.name, name})
			}
		}
	}
	return found
}

// foreign writes so many labels of one language in one encoding.
func foreign(r *rand.Rand, names map[string][]string, language, name string, n int) (raw [][]byte, want []string) {
	for tries := 0; len(raw) < n && tries < 1000; tries++ {
		label := names[language][r.IntN(len(names[language]))]
		if b, ok := encode(name, label); ok && !utf8.Valid(b) {
			raw, want = append(raw, b), append(want, label)
		}
	}
	return raw, want
}

func inOne(n int) func(*rand.Rand, map[string][]string) ([][]byte, []string) {
	pages := singleBytes()
	return func(r *rand.Rand, names map[string][]string) ([][]byte, []string) {
		page := pages[r.IntN(len(pages))]
		return foreign(r, names, page[0], page[1], n)
	}
}

// inWestern is the same in the encodings that most data is in which is not UTF-8.
func inWestern(n int) func(*rand.Rand, map[string][]string) ([][]byte, []string) {
	return func(r *rand.Rand, names map[string][]string) ([][]byte, []string) {
		language := []string{"French", "German", "Spanish", "Portuguese", "Italian", "Swedish", "Danish"}[r.IntN(7)]
		return foreign(r, names, language, []string{"windows-1252", "iso-8859-1"}[r.IntN(2)], n)
	}
}

// inSeveral has labels of three languages, each in an encoding of its own.
func inSeveral(n int) func(*rand.Rand, map[string][]string) ([][]byte, []string) {
	return func(r *rand.Rand, names map[string][]string) (raw [][]byte, want []string) {
		for range 3 {
			b, w := inOne(n)(r, names)
			raw, want = append(raw, b...), append(want, w...)
		}
		return raw, want
	}
}

// damaged are labels in UTF-8 in which something is broken: nobody can know what was there.
func damaged(n int, damage func(r *rand.Rand, label []byte, at int) []byte) func(*rand.Rand, map[string][]string) ([][]byte, []string) {
	return func(r *rand.Rand, names map[string][]string) (raw [][]byte, want []string) {
		for tries := 0; len(raw) < n && tries < 1000; tries++ {
			all := names[languages[r.IntN(len(languages))].name]
			label := []byte(all[r.IntN(len(all))])
			var high []int
			for i, b := range label {
				if b >= 0xC0 {
					high = append(high, i)
				}
			}
			if len(high) == 0 {
				continue
			}
			if broken := damage(r, label, high[r.IntN(len(high))]); !utf8.Valid(broken) {
				raw, want = append(raw, broken), append(want, string(label))
			}
		}
		return raw, want
	}
}

var mixtures = []mixture{
	{"1 label in windows-1252 or ISO-8859-1", inWestern(1)},
	{"30 labels in windows-1252 or ISO-8859-1", inWestern(30)},
	{"1 label in an encoding of one byte", inOne(1)},
	{"3 labels in an encoding of one byte", inOne(3)},
	{"30 labels in an encoding of one byte", inOne(30)},
	{"100 labels in an encoding of one byte", inOne(100)},
	{"10 labels in each of three encodings", inSeveral(10)},
	{"texts cut within a character", damaged(10, func(_ *rand.Rand, label []byte, at int) []byte {
		_, size := utf8.DecodeRune(label[at:])
		return label[:at+size-1]
	})},
	{"a byte of a character lost", damaged(10, func(r *rand.Rand, label []byte, at int) []byte {
		_, size := utf8.DecodeRune(label[at:])
		at += r.IntN(size)
		return append(bytes.Clone(label[:at]), label[at+1:]...)
	})},
	{"a byte of a character changed", damaged(10, func(r *rand.Rand, label []byte, at int) []byte {
		_, size := utf8.DecodeRune(label[at:])
		broken := bytes.Clone(label)
		broken[at+r.IntN(size)] ^= 1 << r.IntN(8)
		for i, b := range broken {
			if b == '"' || b == '\\' || b < ' ' {
				broken[i] = 'x'
			}
		}
		return broken
	})},
	{"a byte put in at random", damaged(10, func(r *rand.Rand, label []byte, _ int) []byte {
		at := r.IntN(len(label) + 1)
		return append(append(bytes.Clone(label[:at]), byte(0x80+r.IntN(0x80))), label[at:]...)
	})},
}

// mixedTable measures what becomes of bytes that are not UTF-8 in documents that are. Each
// document has 300 labels in UTF-8, a third of them outside ASCII.
func mixedTable(w io.Writer, names map[string][]string, o options) error {
	fmt.Fprint(w, mixedHead)
	const each = 100
	for _, m := range mixtures {
		r := rand.New(rand.NewPCG(o.seed, 7))
		all, right, wrong, unread := 0, 0, 0, 0
		shown := 0
		for range each {
			raw, want := m.labels(r, names)
			doc := mixedDocument(r, names, raw)
			got, err := readMixed(doc)
			if err != nil {
				return err
			}
			for i, label := range want {
				all++
				text, isRead := got[i]
				switch {
				case !isRead:
					unread++
				case sameText(text, label):
					right++
				default:
					wrong++
				}
				if isRead && !sameText(text, label) && shown < o.show {
					shown++
					fmt.Fprintf(w, "%s: %q as %q, not %q\n", m.what, raw[i], text, label)
				}
			}
		}
		share := func(n int) float64 { return 100 * float64(n) / float64(max(1, all)) }
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %.1f |\n", m.what, all, share(right), share(wrong), share(unread))
	}
	return nil
}

// mixedDocument spreads raw labels among those in UTF-8.
func mixedDocument(r *rand.Rand, names map[string][]string, raw [][]byte) []byte {
	var b bytes.Buffer
	at := 0
	const sound = 300
	for i := range sound {
		for at < len(raw) && at*sound <= i*len(raw) {
			fmt.Fprintf(&b, "<http://example.org/foreign/%d> <http://www.w3.org/2000/01/rdf-schema#label> \"%s\" .\n", at, raw[at])
			at++
		}
		label := fmt.Sprintf("item %d", i)
		if i%3 == 0 {
			all := names[languages[r.IntN(len(languages))].name]
			label = all[r.IntN(len(all))]
		}
		fmt.Fprintf(&b, "<http://example.org/resource/%d> <http://www.w3.org/2000/01/rdf-schema#label> \"%s\" .\n", i, label)
	}
	for ; at < len(raw); at++ {
		fmt.Fprintf(&b, "<http://example.org/foreign/%d> <http://www.w3.org/2000/01/rdf-schema#label> \"%s\" .\n", at, raw[at])
	}
	return b.Bytes()
}

// readMixed washes a document, and gives the labels of the foreign statements that are
// written.
func readMixed(raw []byte) (map[int]string, error) {
	ctx := context.Background()
	choice, _ := encoding.Presume(raw[:min(len(raw), 64<<10)], encoding.Hints{})
	r, err := encoding.NewReader(bytes.NewReader(raw), choice.Name, encoding.Options{})
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	tolerate := false
	if errors.Is(err, encoding.ErrRefuted) {
		choice, tolerate, _, err = encoding.Decide(ctx, bytes.NewReader(raw), choice, encoding.Hints{})
	}
	if err != nil {
		return nil, err
	}
	text, err := encoding.NewReader(bytes.NewReader(raw), choice.Name, encoding.Options{Tolerate: tolerate})
	if err != nil {
		return nil, err
	}
	labels := map[int]string{}
	sink := &labelled{labels: labels}
	var o clean.Options
	if choice.Strays != nil {
		o.ReadStray = choice.Strays.Read
	}
	first, _ := clean.Chain(o, clean.EachLine(sink.line), nil)
	_, err = format.Parse(ctx, format.NTriples, text, format.Options{}, first)
	return labels, err
}

// labelled takes the labels of foreign statements out of clean lines.
type labelled struct{ labels map[int]string }

func (l *labelled) line(line []byte) error {
	var n int
	if _, err := fmt.Sscanf(string(line), "<http://example.org/foreign/%d>", &n); err != nil {
		return nil
	}
	_, literal, _ := strings.Cut(string(line), "\"")
	literal = literal[:strings.LastIndexByte(literal, '"')]
	l.labels[n] = literal
	return nil
}

const mixedHead = `
## Other encodings within UTF-8

Documents of 300 labels in UTF-8, a third of them outside ASCII, into which labels of the same sources were put that are not: in
encodings of one byte a character, or broken. A hundred documents of each kind. *Read back* is the share, in percent, of these labels that come out as they
were; *read otherwise* is the share that comes out as something else, and *lost* that of statements dropped, with a notice.
Of texts that are broken nobody can tell what stood there; to lose them is right.

    go -C bench run ./encodings -mixed      # this table alone

| what is not UTF-8 | labels | read back | read otherwise | lost |
|---|--:|--:|--:|--:|
`
