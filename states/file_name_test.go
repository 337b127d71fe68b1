package states_test

import (
	"testing"

	"laundromat/states"
)

// TestAHostIsNoFileName: the ending of a file is that of the path's last segment, whatever the host ends in.
func TestAHostIsNoFileName(t *testing.T) {
	for uri, want := range map[string]string{
		"http://h.org":                 "",
		"http://h.org/":                "",
		"http://h.md?a=b.txt":          "",
		"http://h.org:8080/#x.txt":     "",
		"http://h.org/a":               "a",
		"http://h.org/a.ttl?x=/b.html": "a.ttl",
		"http://h.org/v1.md/":          "",
		"http://h.org/a/README.md#top": "README.md",
		"ftp://u@h.org/a.nt.gz":        "a.nt.gz",
		"file:///d/e.nq":               "e.nq",
		"dns:example.org":              "",
		"urn:x:a.txt":                  "",
		"a/b.trig":                     "b.trig",
	} {
		if got := states.FileNameIn(uri); got != want {
			t.Errorf("%s: %q, want %q", uri, got, want)
		}
	}
}
