package reconcile

import (
	"bytes"
	"testing"
)

// TestPiecesAreReadAsTheyWereAdded adds pieces of all lengths, some longer than two bytes say, to memory and to a file.
func TestPiecesAreReadAsTheyWereAdded(t *testing.T) {
	for _, limit := range []int{1 << 24, 1000} {
		p := &pieces{arena: arena{temp: t.TempDir(), limit: limit}}
		defer p.close()
		var want [][]byte
		for n := range 100 {
			length := n * n % 97
			if n%33 == 5 {
				length = longPiece - 1 + n%3
			}
			want = append(want, bytes.Repeat([]byte{byte(n)}, length))
			if err := p.append(want[n]); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.seal(); err != nil {
			t.Fatal(err)
		}
		var buffer []byte
		for n := len(want) - 1; n >= 0; n-- {
			if got, err := p.get(uint32(n), &buffer); err != nil || !bytes.Equal(got, want[n]) {
				t.Errorf("piece %d of %d bytes is read as %d: %v", n, len(want[n]), len(got), err)
			}
		}
	}
}
