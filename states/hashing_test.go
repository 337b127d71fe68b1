package states

import (
	"bytes"
	"testing"

	"laundromat/internal/content"
)

// However much is written, and in whatever pieces, what is hashed beside the
// reading is what is hashed at once.
func TestHashingBesideTheReadingFindsTheSame(t *testing.T) {
	text := bytes.Repeat([]byte("<s> <p> \"o\" .\n"), 50_000)
	for _, size := range []int{0, 1, hashedHere - 1, hashedHere, hashedHere + 1, 3*hashBlock + 5, len(text)} {
		for _, piece := range []int{1000, hashBlock, len(text)} {
			h := newHashing()
			for rest := text[:size]; len(rest) > 0; {
				n := min(piece, len(rest))
				if written, err := h.Write(rest[:n]); written != n || err != nil {
					t.Fatal(written, err)
				}
				rest = rest[n:]
			}
			want := content.NewHasher()
			want.Write(text[:size])
			if got := h.content(); got != want.Content() {
				t.Errorf("%d bytes in pieces of %d: %+v, want %+v", size, piece, got, want.Content())
			}
		}
	}
}
