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
		{"i-klingon", "i-klingon", "warning language/deprecated"},
		{"x-private", "x-private", ""},
		{"English", "english", "note language/case, warning language/unregistered"},
		{"eng", "eng", "warning language/unregistered"},
		{"en-UK", "en-uk", "note language/case, warning language/unregistered"},
		{"en_UK", "en-uk", "repair language/underscore, warning language/unregistered"},
		{"iw", "iw", "warning language/deprecated"},
		{"zh-cmn", "zh-cmn", "warning language/deprecated"},
		{"i-lux", "i-lux", "warning language/deprecated"},
		{"en-latn-gb", "en-latn-gb", "warning language/script"},
		{"fr-1901", "fr-1901", "warning language/prefix"},
		{"de-1901-1901", "de-1901-1901", "warning language/repeated"},
		{"de-ch-1901", "de-ch-1901", ""},
		{"en-u-ca-gregory", "en-u-ca-gregory", ""},
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
