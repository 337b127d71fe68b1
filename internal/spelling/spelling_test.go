package spelling_test

import (
	"strings"
	"testing"

	"laundromat/internal/spelling"
)

func TestDistanceCountsLettersWhateverTheirCapitals(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"about", "about", 0}, {"ABOUT", "about", 0}, {"", "ab", 2},
		{"abot", "about", 1}, {"aabout", "about", 1}, {"abxut", "about", 1}, {"abuot", "about", 1}, {"baout", "about", 1},
		{"resource", "resuorse", 2}, {"ca", "abc", 3}, {"@id", "`id", 1}, {"li", "Description", 10},
		{strings.Repeat("a", spelling.MaxCompared+1), "a", spelling.MaxCompared},
	} {
		if got := spelling.Distance([]byte(row.a), []byte(row.b)); got != row.want {
			t.Errorf("%q and %q: %d letters, want %d", row.a, row.b, got, row.want)
		}
		if there, back := spelling.Distance([]byte(row.a), []byte(row.b)), spelling.Distance([]byte(row.b), []byte(row.a)); there != back {
			t.Errorf("%q and %q: %d letters there, %d back", row.a, row.b, there, back)
		}
		if got := spelling.Nearly([]byte(row.a), row.b); got != (row.want <= 1) {
			t.Errorf("%q is nearly %q: %v", row.a, row.b, got)
		}
	}
}
