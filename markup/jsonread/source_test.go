package jsonread

import (
	"math/rand/v2"
	"testing"
)

// TestBeginningOfALineIsFoundByteByByte holds that lineAt finds what a look at each byte finds, at any place and with
// line ends anywhere before it.
func TestBeginningOfALineIsFoundByteByByte(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []byte("x\n\r \t\x0B\x0C\x8A\x8D\xFF")
	for range 50_000 {
		s := &source{window: make([]byte, random.IntN(2*lookback))}
		for i := range s.window {
			s.window[i] = 'x'
			if random.IntN(40) == 0 {
				s.window[i] = letters[random.IntN(len(letters))]
			}
		}
		at := random.IntN(len(s.window) + 1)
		begin, isFound := max(0, at-lookback), at <= lookback
		for i := at; i > max(0, at-lookback); i-- {
			if b := s.window[i-1]; b == '\n' || b == '\r' {
				begin, isFound = i, true
				break
			}
		}
		// A line that begins where the lookback ends is not known to begin there.
		if at > lookback && begin == at-lookback {
			isFound = false
		}
		wantFirst, wantIndent := false, int64(0)
		if isFound {
			i := begin
			for i < at && (s.window[i] == ' ' || s.window[i] == '\t') {
				i++
			}
			wantFirst, wantIndent = i == at, int64(i-begin+1)
		}
		if first, indent := s.lineAt(at); first != wantFirst || indent != wantIndent {
			t.Fatalf("%q at %d: %v %d, want %v %d", s.window, at, first, indent, wantFirst, wantIndent)
		}
	}
}
