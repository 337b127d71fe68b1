package states

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf/clean"
)

// However much is written, and in whatever pieces, what is hashed during the reading is what is
// hashed at once.
func TestHashingBesideTheReadingFindsTheSame(t *testing.T) {
	text := bytes.Repeat([]byte("<s> <p> \"o\" .\n"), 50_000)
	for _, size := range []int{0, 1, hashedHere - 1, hashedHere, hashedHere + 1, 3*hashBlock + 5, len(text)} {
		for _, piece := range []int{1000, hashBlock, len(text)} {
			h := newHashing(ForRecord, nil)
			for rest := text[:size]; len(rest) > 0; {
				n := min(piece, len(rest))
				if written, err := h.Write(rest[:n]); written != n || err != nil {
					t.Fatal(written, err)
				}
				rest = rest[n:]
			}
			want := digest.NewHasher()
			want.Write(text[:size])
			if got := h.content(); got != want.Content() {
				t.Errorf("%d bytes in pieces of %d: %+v, want %+v", size, piece, got, want.Content())
			}
		}
	}
}

// The MD5 is given up only where it is not needed; the length is known in any case.
func TestHashingForAKeyIsGivenUpWithoutBlankNodes(t *testing.T) {
	text := bytes.Repeat([]byte("<s> <p> \"o\" .\n"), hashedInVain/14+hashedHere)
	for _, test := range []struct {
		what   Hashes
		needed bool
		size   int
		hashed bool
	}{
		{ForKey, false, hashedInVain, true},
		{ForKey, false, len(text), false},
		{ForKey, true, len(text), true},
		{ForNothing, true, 10, false},
		{ForNothing, true, len(text), false},
	} {
		h := newHashing(test.what, func() bool { return test.needed })
		for rest := text[:test.size]; len(rest) > 0; {
			n := min(hashBlock+1, len(rest))
			h.Write(rest[:n])
			rest = rest[n:]
		}
		whole := digest.NewHasher()
		whole.Write(text[:test.size])
		want := digest.Content{NumberOfBytes: int64(test.size)}
		if test.hashed {
			want.MD5 = whole.Content().MD5
		}
		if got := h.content(); got != want {
			t.Errorf("%+v: %+v, want %+v", test, got, want)
		}
	}
}

// The daemon has the hashes of a document from its download. A reading takes none that nobody asks for.
func TestAReadingHashesNothingUnasked(t *testing.T) {
	text := strings.Repeat("<http://example.org/s> <http://example.org/p> _:b .\n", 3)
	sum := md5.Sum([]byte(text))
	for _, test := range []struct {
		opt    ParseOptions
		md5    string
		sha256 bool
	}{
		{opt: ParseOptions{}},
		{opt: ParseOptions{Hashes: ForNothing}},
		{opt: ParseOptions{Hashes: ForKey}, md5: hex.EncodeToString(sum[:])},
		{opt: ParseOptions{Hashes: ForRecord}, md5: hex.EncodeToString(sum[:]), sha256: true},
	} {
		document := Document{Name: "a.nt", Size: int64(len(text)), Base: "http://example.org/",
			Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
		guessed, err := Guess(t.Context(), document, Given{})
		if err != nil {
			t.Fatal(err)
		}
		reading, err := Parse(t.Context(), document, guessed, test.opt, Output{Begin: func() (clean.Lines, func(fault.Notice), error) {
			return func([]byte, int) error { return nil }, func(fault.Notice) {}, nil
		}})
		got := reading.Bytes
		if err != nil || got.MD5 != test.md5 || (got.SHA256 != "") != test.sha256 || got.NumberOfBytes != int64(len(text)) {
			t.Errorf("hashes %d: %+v, %v; want MD5 %q", test.opt.Hashes, got, err, test.md5)
		}
	}
}
