package rfc3986_test

import (
	"testing"

	"laundromat/internal/rfc3986"
)

func TestTwoIRIsInOnePlaceAreNoticed(t *testing.T) {
	for text, want := range map[string]string{
		"http://e/a http://e/b":                        "http://e/b",
		"https://e/a  https://e/b":                     "https://e/b",
		"http://e/a\nhttp://e/b":                       "http://e/b",
		"http://e/a\thttp://e/b":                       "http://e/b",
		"http://e/a | http://e/b":                      "http://e/b",
		"http://e/a|http://e/b":                        "http://e/b",
		"http://e/a, http://e/b":                       "http://e/b",
		"http://e/a; http://e/b":                       "http://e/b",
		"http://e/a and http://e/b":                    "http://e/b",
		"http://e/a or https://e/b or https://e/c":     "https://e/b or https://e/c",
		"http://e/a & http://e/b":                      "http://e/b",
		"http://e/a?id=1 http://e/a?id=2":              "http://e/a?id=2",
		"http://e/a?id=1 and http://e/a?id=2":          "http://e/a?id=2",
		"http://e/a <http://e/b>":                      "http://e/b>",
		"http://e/a> <http://e/b":                      "http://e/b",
		"http://e/a\" \"http://e/b":                    "http://e/b",
		"http://e/a urn:isbn:0451450523":               "urn:isbn:0451450523",
		"urn:isbn:0451450523 http://e/a":               "http://e/a",
		"http://e/a mailto:a@e":                        "mailto:a@e",
		"http://e/a with words between http://e/b":     "http://e/b",
		"http://a http://b":                            "http://b",
		"mailto:a@e mailto:b@e":                        "mailto:b@e",
		"http://e/a HTTP://e/b":                        "HTTP://e/b",
		"http://e/a":                                   "",
		"":                                             "",
		"http://e/a b":                                 "",
		"http://e/a b: c":                              "",
		"http://e/Star Trek: The Next Generation":      "",
		"http://e/a|b":                                 "",
		"http://e/a%20http://e/b":                      "",
		"http://web.archive.org/web/2010/http://e/a":   "",
		"http://e/r?to=http://e/b&x=a b":               "",
		"http://e/?status=Reading this now http://e/b": "",
		"http://e/?q=see the page | http://e/b":        "",
		"http://e/a b://":                              "",
		"http://e/a ://e/b":                            "",
		`URI("http://e/a")`:                            "",
		"http://e/<http://e/b>":                        "",
		" http://e/a ":                                 "",
		"< http://e/a":                                 "",
		"http://e/note: urn":                           "",
	} {
		got := ""
		if i := rfc3986.SecondIRI([]byte(text)); i > 0 {
			got = text[i:]
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
