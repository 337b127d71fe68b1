package rfc3986_test

import (
	"testing"

	"laundromat/internal/rfc3986"
)

func TestOctetsAreReadBackAsTheyAreWritten(t *testing.T) {
	for c := range 256 {
		text := rfc3986.AppendOctet([]byte("x"), byte(c))
		if got, ok := rfc3986.Octet(text[1:]); !ok || got != byte(c) || len(text) != 4 {
			t.Errorf("%s: %d %v", text, got, ok)
		}
	}
	for _, test := range []struct {
		text string
		want byte
		ok   bool
	}{
		{"%c3%a9", 0xC3, true}, {"%Af", 0xAF, true}, {"%2Fx", '/', true}, {"", 0, false}, {"%", 0, false}, {"%4", 0, false},
		{"%4g", 0, false}, {"%g4", 0, false}, {"%%41", 0, false}, {"x%41", 0, false}, {"%:0", 0, false}, {"%@1", 0, false},
	} {
		if got, ok := rfc3986.Octet(test.text); got != test.want || ok != test.ok {
			t.Errorf("%q: %d %v", test.text, got, ok)
		}
	}
}
