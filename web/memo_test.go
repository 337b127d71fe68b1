package web

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestAnAnswerIsKeptWhileNothingChanges also holds that it is a second old at most while something does. A
// failure is never kept, and there is a bound to what is.
func TestAnAnswerIsKeptWhileNothingChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m memo[int]
		made := 0
		get := func(name string, revision uint64) int {
			t.Helper()
			n, err := m.get(name, revision, func() (int, error) { made++; return made, nil })
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		first := get("a", 1)
		time.Sleep(time.Hour)
		if get("a", 1) != first {
			t.Error("it was made again, though nothing had changed")
		}
		second := get("a", 2)
		if second == first || get("a", 3) != second {
			t.Error("it is made anew after a change, once a second")
		}
		time.Sleep(mostMemoed)
		if get("a", 3) == second {
			t.Error("it is older than a second")
		}
		if get("b", 3) == get("a", 3) {
			t.Error("two questions have one answer")
		}
		trouble := errors.New("trouble")
		if _, err := m.get("c", 3, func() (int, error) { return 0, trouble }); err != trouble {
			t.Error(err)
		}
		get("c", 3)
		for i := range 3 * mostMemo {
			get(string(rune(0x4e00+i)), 3)
		}
		if len(m.entries) > mostMemo {
			t.Errorf("%d answers are kept", len(m.entries))
		}
	})
}
