package clean_test

import (
	"testing"

	"laundromat/rdf/clean"
)

func TestLanguageTags(t *testing.T) {
	for _, c := range []struct{ in, want, found string }{ // want "" if lost
		{"en", "en", ""},
		{"en-gb", "en-gb", ""},
		{"EN", "en", "note language/case"},
		{"zh-Hans-CN", "zh-hans-cn", "note language/case"},
		{"i-klingon", "i-klingon", ""},
		{"x-private", "x-private", ""},
		{"e", "e", "warning language/ill-formed"},
		{"english-language-x", "english-language-x", "warning language/ill-formed"},
		{"Toolonglanguage", "toolonglanguage", "note language/case, warning language/ill-formed"},
		{"en_US", "en-us", "repair language/underscore"},
		{" en_US ", "en-us", "repair language/space, repair language/underscore"},
		{" ", "", "drop language/invalid"},
		{"-", "", "drop language/invalid"},
		{"en-", "", "drop language/invalid"},
		{"en--ltr", "", "drop language/invalid"},
		{"_en", "", "drop language/invalid"},
		{"12", "", "drop language/invalid"},
		{"e2", "", "drop language/invalid"},
		{"en us", "", "drop language/invalid"},
		{"français", "", "drop language/invalid"},
	} {
		w := wash(t, clean.Options{}, of(tagged("x", c.in)), of(tagged("x", c.in)))
		if c.want == "" {
			if len(w.lines) != 0 || w.tally.Dropped != 2 || w.found() != c.found+", "+c.found {
				t.Errorf("%q: got %q, %s", c.in, w.lines, w.found())
			}
			continue
		}
		found := c.found
		if found != "" {
			found += ", " + found
		}
		if len(w.lines) != 2 || object(w.lines[1]) != `"x"@`+c.want || w.found() != found {
			t.Errorf("%q: got %q, %s", c.in, w.lines, w.found())
		}
	}
}

func TestWellFormedLanguageTags(t *testing.T) {
	for tag, want := range map[string]bool{
		"de": true, "fra": true, "de-at": true, "es-419": true, "sl-rozaj-biske": true, "de-ch-1996": true,
		"zh-yue": true, "zh-cmn-hans-cn": true, "sr-latn-rs": true, "hy-latn-it-arevela": true, "aaaa": true, "abcdefgh": true,
		"en-a-myext-b-another": true, "de-ch-x-phonebk": true, "x-whatever": true, "zh-min-nan": true, "en-gb-oed": true,
		"sgn-be-fr": true, "en-u-ca-gregory": true, "qaa-qaaa-qm-x-southern": true, "ar-a-aaa-b-bbb-a-ccc": true,

		"": false, "a": false, "abcdefghi": false, "de-419-de": false, "a-de": false, "en-": false, "en-a": false,
		"x": false, "x-": false, "en-x": false, "en-x-123456789": false, "de-a-b": false, "en-latn-latn": false,
		"en-gb-gb": false, "en--gb": false, "i-nonsense": false, "aaaa-bbb": false, "en-b-": false,
	} {
		if got := clean.IsWellFormed([]byte(tag)); got != want {
			t.Errorf("%q: got %v", tag, got)
		}
	}
}
