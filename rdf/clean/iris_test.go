package clean_test

import (
	"bytes"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
)

func TestSoundIRIsPassAsTheyAre(t *testing.T) {
	for _, value := range []string{
		"http://example.org/", "http://example.org", "https://example.org/a/b?c=d#e", "HTTP://EXAMPLE.org/./a/../b",
		"http://example.org:8080/", "http://example.org:/", "http://user:pw@example.org/", "http://[2001:db8::7]:80/",
		"http://[v1.a:b]/", "http://sub_domain.example.org/", "urn:isbn:0", "mailto:a@b.c", "file:///etc/", "x:y",
		"tag:a,2000:b", "ni:///sha-256;f4", "http://example.org/%20%e9", "http://é.example/ü?ö#ä", "http://e/?\uE000",
		"http://例え.jp/", "http://e/𠀋", "http://e/'()*!$&,;=~@:", "ftp://e/", "example://", "http://e/a?b?c/d#e?f/g",
	} {
		w := wash(t, clean.Options{}, quad(iri(value), iri(value), iri(value), iri(value)), of(text("x", value)))
		want := "<" + value + "> <" + value + "> <" + value + "> <" + value + "> ."
		if len(w.notices) != 0 || len(w.lines) != 2 || w.lines[0] != want {
			t.Errorf("%q: got %q, %s", value, w.lines, w.found())
		}
	}
}

func TestFaultsOfIRIs(t *testing.T) {
	for _, c := range []struct{ in, want, found string }{ // want "" if lost
		{"", "", "drop iri/no-base"},
		{"a/b", "", "drop iri/no-base"},
		{"//e/a", "", "drop iri/no-base"},
		{"1http://e/", "", "drop iri/no-base"},
		{"http ://e/", "", "drop iri/no-base"},
		{"http://e/\x01", "", "drop iri/forbidden"},
		{"http://e/a\tb", "", "drop iri/forbidden"},
		{"http://e/a\nb", "", "drop iri/forbidden"},
		{"http://e/\x7F", "", "drop iri/forbidden"},
		{"http://e/\u0085", "", "drop iri/forbidden"},
		{"http://e/\uFFFD", "", "drop iri/forbidden"},
		{"http://e/\uFFFE", "", "drop iri/forbidden"},
		{"http://e/\uFDD0", "", "drop iri/forbidden"},
		{"http://e/\U0001FFFF", "", "drop iri/forbidden"},
		{"http://e/\U000E0001", "", "drop iri/forbidden"},
		{"http://e x/", "", "drop iri/host"},
		{"http://{host}/", "", "drop iri/host"},
		{"http://e[0]/", "", "drop iri/host"},
		{"http://\uE000/", "", "drop iri/host"},
		{"http://", "http://", "warning iri/authority"},
		{"http:///a", "http:///a", "warning iri/authority"},
		{"http:/a", "http:/a", "warning iri/authority"},
		{"https:a", "https:a", "warning iri/authority"},
		{"http://:80/", "http://:80/", "warning iri/authority"},
		{"http://e:8o/", "http://e:8o/", "warning iri/authority"},
		{"http://a@b@c/", "http://a@b@c/", "warning iri/authority"},
		{"http://[::g]/", "http://[::g]/", "warning iri/authority"},
		{"http://[1.2.3.4]/", "http://[1.2.3.4]/", "warning iri/authority"},
		{"http://[::1]x/", "http://[::1]x/", "warning iri/authority"},
		{"http://http://e/", "http://http://e/", ""},
		{"http:", "http:", "warning iri/empty"},
		{"urn:", "urn:", "warning iri/empty"},
		{"http://e/%zz", "http://e/%zz", "warning iri/percent-encoding"},
		{"http://e/100%", "http://e/100%", "warning iri/percent-encoding"},
		{"http://e/%2", "http://e/%2", "warning iri/percent-encoding"},
		{"http://e/a\u200Eb", "http://e/a\u200Eb", "warning iri/bidi"},
		{" http://e/ ", "http://e/", "repair iri/trimmed"},
		{" http://e/a b% ", "http://e/a%20b%", "repair iri/trimmed, repair iri/space, warning iri/percent-encoding"},
		{"x:a b", "x:a%20b", "repair iri/space"},
		{"x:[", "x:%5B", "repair iri/bracket"},
		{"x:\U00100000", "x:%F4%80%80%80", "repair iri/private-use"},
	} {
		w := wash(t, clean.Options{}, of(iri(c.in)))
		got := ""
		if len(w.lines) == 1 {
			got = strings.Trim(object(w.lines[0]), "<>")
		}
		if got != c.want || w.found() != c.found {
			t.Errorf("%q: got %q, %s; want %q, %s", c.in, got, w.found(), c.want, c.found)
		}
	}
}

func TestNoticeOfAnIRIKnowsItsPlace(t *testing.T) {
	o := iri("http://e/a b")
	o.Pos = fault.Pos{Line: 7, Column: 21, Offset: 300}
	w := wash(t, clean.Options{}, of(o))
	if len(w.notices) != 1 || w.notices[0].Pos != o.Pos || w.notices[0].Excerpt != "http://e/a b" || w.notices[0].Message == "" {
		t.Errorf("got %+v", w.notices)
	}
}

// The quick look must never find an IRI good that the close look does not, and
// what is written must be good.
func FuzzQuickAndCloseLookAgree(f *testing.F) {
	for _, seed := range []string{"http://example.org/a#b", "https://a.b/?c#d#e", "http://e:80/%41", "urn:x", "http://é/ [x]", " a:b ", "http://[::1]/", "x://y z/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		close := wash(t, clean.Options{}, of(iri(value)), quad(iri(value), iri("http://e/p"), iri("http://e/o")))
		if clean.IsPlainIRI([]byte(value)) && len(close.notices) > 0 {
			t.Fatalf("%q is plain, but %s", value, close.found())
		}
		if len(close.lines) != 0 && len(close.lines) != 2 {
			t.Fatalf("%q: subject and object are not judged alike: %q", value, close.lines)
		}
		for _, line := range close.lines[:min(1, len(close.lines))] {
			out := strings.TrimSuffix(strings.TrimPrefix(object(line), "<"), ">")
			again := wash(t, clean.Options{}, of(iri(out)))
			if len(again.lines) != 1 || again.lines[0] != line {
				t.Fatalf("%q: %q is not stable: %q", value, line, again.lines)
			}
			for _, n := range again.notices {
				if n.Severity != fault.Warning {
					t.Fatalf("%q: second wash finds %s", value, again.found())
				}
			}
			if bytes.ContainsAny([]byte(out), " <>\"{}|\\^`\x00\x01\n") || !rdf.IsAbsolute([]byte(out)) {
				t.Fatalf("%q: wrote %q", value, out)
			}
		}
	})
}
