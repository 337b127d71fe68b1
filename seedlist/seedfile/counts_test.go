package seedfile_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf/statistics"
	"laundromat/seedlist/seedfile"
)

func TestWhatIsHeldOfCleanFilesIsBounded(t *testing.T) {
	var counts seedfile.Counts
	big := &statistics.Terms{Labels: []statistics.Label{{Text: strings.Repeat("x", seedfile.MostHeld/4)}}}
	for n := range 40 {
		counts.Keep(fmt.Sprint(n), big)
	}
	held := 0
	for n := range 40 {
		if counts.Lately(seedfile.Lists, fmt.Sprint(n)) != nil {
			held++
		}
	}
	if held < 1 || held > 10 || counts.Lately(seedfile.Lists, "39") != big {
		t.Errorf("%d are held", held)
	}
	if (*seedfile.Counts)(nil).Lately(seedfile.Lists, "1") != nil {
		t.Error("nothing holds something")
	}
}

func TestWhatIsHeldOfACleanFileIsForgottenOnceAllHaveAsked(t *testing.T) {
	small := &statistics.Terms{}
	var counts seedfile.Counts
	for range 3 { // of a file that is written again, it is held again
		counts.Keep("1", small)
		for _, by := range []seedfile.Reader{seedfile.Lists, seedfile.Lists, seedfile.Searches} {
			if counts.Lately(by, "1") != small {
				t.Fatalf("%d is given nothing", by)
			}
		}
		if counts.Lately(seedfile.Lists, "1") != nil || counts.Lately(seedfile.Searches, "1") != nil {
			t.Error("it is held although all have asked")
		}
	}
}
