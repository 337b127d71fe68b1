package spelling_test

import (
	"strings"
	"testing"

	"laundromat/internal/spelling"
)

func TestNearestIsTheNameOfFewestOtherLetters(t *testing.T) {
	known := []string{"state", "format", "host", "notice", "parsed", "parsing", "failed"}
	for _, row := range []struct{ name, want string }{
		{"stat", "state"}, {"STATE", "state"}, {"foramt", "format"}, {"hots", "host"}, {"parsd", "parsed"},
		{"parsin", "parsing"}, {"faild", "failed"}, {"zzz", ""}, {"", ""}, {"washed", ""}, {"noitce", "notice"},
	} {
		if got := spelling.Nearest(row.name, known...); got != row.want {
			t.Errorf("%q: %q, want %q", row.name, got, row.want)
		}
	}
}

func TestApartComparesLongNamesByWhatDiffers(t *testing.T) {
	long := "http://example.org/" + strings.Repeat("x", 200)
	for _, row := range []struct {
		a, b string
		want int
	}{
		{long + "a.nt", long + "b.nt", 1}, {long, long, 0}, {long, long + "/", 1}, {"http" + long[5:], "https" + long[5:], 1},
		{long, strings.Repeat("y", 300), spelling.MaxCompared},
	} {
		if got := spelling.Apart(row.a, row.b); got != row.want {
			t.Errorf("%.40q and %.40q: %d, want %d", row.a, row.b, got, row.want)
		}
	}
}
