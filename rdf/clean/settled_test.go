package clean

import (
	"testing"

	"laundromat/markup/prose"
)

// TestSettledPathsHaveNoFault holds for each character that the quick look at an IRI lets pass what the close one does.
func TestSettledPathsHaveNoFault(t *testing.T) {
	f := newIRIs(nil)
	settled := 0
	for r := rune(0x80); r <= 0x10FFFF; r++ {
		if path := "/a" + string(r); prose.IsSettled([]byte(path)) {
			settled++
			if faults := f.judge(object, []byte("http://e.org"+path)); faults != 0 {
				t.Errorf("%U: %b", r, faults)
			}
		}
	}
	if settled < 40_000 {
		t.Errorf("only %d characters are settled", settled)
	}
}
