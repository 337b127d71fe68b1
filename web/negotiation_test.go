package web_test

import (
	"testing"

	"laundromat/web"
)

// Content is negotiated as RFC 9110 §12.5.1 says, with its own examples among others.
func TestTheMediaTypeIsThatWhichIsWantedMost(t *testing.T) {
	const (
		html, turtle, nquads = "text/html", "text/turtle", "application/n-quads"
	)
	for _, one := range []struct {
		accept []string
		want   string
	}{
		{nil, turtle},
		{[]string{""}, turtle},
		{[]string{"*/*"}, turtle},
		{[]string{"*"}, turtle},
		{[]string{"text/*"}, turtle},
		{[]string{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}, html},
		{[]string{"application/n-quads, */*;q=0.1"}, nquads},
		{[]string{"text/turtle;q=0.5, application/n-quads;q=0.6"}, nquads},
		{[]string{"TEXT/HTML ; Q=0.9"}, html},
		{[]string{"*/*, text/turtle;q=0"}, html},
		{[]string{"text/*;q=0.3, text/html;q=0.7, */*;q=0.5"}, html},
		{[]string{"text/turtle;q=0.2", "application/n-quads"}, nquads},
		{[]string{`text/html;level="1";q=0.4, text/turtle;q=0.3`}, html},
		{[]string{"text/turtle;q=0.7;x=1;q=0.1, text/html;q=0.5"}, turtle},
		{[]string{"text/turtle;q=2, text/html;q=0.1"}, html},
		{[]string{"text/turtle;q=NaN, text/html;q=0.1"}, html},
		{[]string{"image/png"}, ""},
		{[]string{"*/*;q=0"}, ""},
		{[]string{"nonsense, text/html"}, html},
		{[]string{"*/turtle, text/html"}, html},
	} {
		if got := web.Negotiated(one.accept, turtle, html, nquads); got != one.want {
			t.Errorf("%q: %q, want %q", one.accept, got, one.want)
		}
	}
}
