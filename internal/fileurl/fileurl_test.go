package fileurl

import "testing"

func TestAPathIsPercentEncoded(t *testing.T) {
	for path, want := range map[string]string{
		"/a/b.nt":        "file:///a/b.nt",
		"/a b/ü?#%.nt":   "file:///a%20b/%C3%BC%3F%23%25.nt",
		"C:/data/b.nt":   "file:///C:/data/b.nt",
		"/a//b/../c":     "file:///a//b/../c",
		"/a;b=c&d+e@f:g": "file:///a;b=c&d+e@f:g",
	} {
		if got := Of(path).String(); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
