package reconcile

import (
	"math/rand/v2"
	"testing"
)

// What likelierThan rules out must be less alike by the measure itself.
func TestTheBoundOfLikenessIsOne(t *testing.T) {
	coin := rand.New(rand.NewPCG(5, 5))
	text := func() string {
		b := make([]byte, 1+coin.IntN(9))
		for i := range b {
			b[i] = "abcde 1-"[coin.IntN(8)]
		}
		return string(b)
	}
	ruledOut := 0
	for range 200_000 {
		a, b := text(), text()
		for _, least := range [...]float64{.85, .9, .92} {
			if !likelierThan(a, b, least) {
				ruledOut++
				if q := jaroWinkler(a, b); q >= least {
					t.Fatalf("%q and %q are %.3f alike, and were ruled out at %.2f", a, b, q, least)
				}
			}
		}
	}
	if ruledOut == 0 {
		t.Error("nothing was ruled out")
	}
}
