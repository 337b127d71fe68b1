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
		if counts.Lately(fmt.Sprint(n)) != nil {
			held++
		}
	}
	if held < 1 || held > 10 || counts.Lately("39") != big {
		t.Errorf("%d are held", held)
	}
	if (*seedfile.Counts)(nil).Lately("1") != nil {
		t.Error("nothing holds something")
	}
}
