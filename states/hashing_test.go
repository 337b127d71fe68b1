package states

import (
	"bytes"
	"testing"

	"laundromat/internal/digest"
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
