package clean_test

import (
	"bytes"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/rdf"
	"laundromat/rdf/clean"
)

func TestSoundIRIsPassAsTheyAre(t *testing.T) {
	for _, value := range []string{
		"http://example.org/", "http://example.org", "https://example.org/a/b?c=d#e", "http://example.org/A/B.../.c/..d",
		"http://example.org:8080/", "https://example.org:80/", "http://user@example.org/", "http://[2001:db8::7]:8080/",
		"http://[v1.a:b]/", "http://sub_domain.example.org/", "urn:isbn:0", "mailto:a@b.c", "file:///etc/", "file:///C:/a", "file:/etc",
		"file://host/share/a", "example:y", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "mailto:?to=a", "doi:10.1000/182",
		"http://127.0.0.1/", "http://localhost:3000/", "http://xn--bcher-kva.example/", "http://example.org./", "http://123.example/",
		"http://e/?u=http%253A%252F%252Fx", "http://e/%2F%25",
		"tag:a,2000:b", "ni:///sha-256;f4", "http://example.org/%20%C3%A9", "http://é.example/ü?ö#ä", "data:image/png,%89PNG",
		"http://xn--bcher-kva.example:8080/", "http://r3---sn-a.example/", "http://straße.example/", "http://דוגמה.example/",
		"http://_a.é.example./", "http://e/می\u200Cخواهم", "http://e/?\uE000",
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
		{"1http://e/", "", "drop iri/no-reference"},
		{"http ://e/", "", "drop iri/no-reference"},
		{"_:e", "", "drop blank-node/place"},
		{"http://e/\x01", "", "drop iri/forbidden"},
		{"http://e/a\tb", "", "drop iri/forbidden"},
		{"http://e/a\nb", "", "drop iri/forbidden"},
		{"http://e/\x7F", "", "drop iri/forbidden"},
		{"http://e/\u0085a", "", "drop iri/forbidden"},
		{"http://e/\u0085", "http://e/", "repair iri/trimmed"},
		{"\u00A0http://e/\u3000", "http://e/", "repair iri/trimmed"},
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
		{"http://[::g]/", "", "drop iri/host"},
		{"http://[1.2.3.4]/", "", "drop iri/host"},
		{"http://[::1]x/", "", "drop iri/host"},
		{"http://[bad/a", "", "drop iri/host"},
		{"http://[bad]/a", "", "drop iri/host"},
		{"http://[]/", "", "drop iri/host"},
		{"http://[", "", "drop iri/host"},
		{"http://[::1/a", "", "drop iri/host"},
		{"http://[::1]:8080/", "http://[::1]:8080/", ""},
		{"http://u[x@example.org/", "", "drop iri/host"},
		{"http://u:p]@example.org/", "", "drop iri/host"},
		{"ftp://[bad/a", "", "drop iri/host"},
		{"x://[bad/a", "", "drop iri/host, warning iri/unregistered-scheme"},
		{"http://[::1][::2]/", "", "drop iri/host"},
		{"http://http://e/", "http://http://e/", "warning iri/authority"},
		{"http://https//e/", "http://https//e/", "warning iri/authority"},
		{"http://a..b/", "http://a..b/", "warning iri/authority"},
		{"http://.a/", "http://.a/", "warning iri/authority"},
		{"http://-a.b/", "http://-a.b/", "warning iri/authority"},
		{"http://a-.b/", "http://a-.b/", "warning iri/authority"},
		{"http://1.2.3.256/", "http://1.2.3.256/", "warning iri/authority"},
		{"http://1.2.3/", "http://1.2.3/", "warning iri/authority"},
		{"http://e:65536/", "http://e:65536/", "warning iri/authority"},
		{"http://" + strings.Repeat("a", 64) + ".b/", "http://" + strings.Repeat("a", 64) + ".b/", "warning iri/authority"},
		{"http://e:80/", "http://e:80/", "warning iri/port"},
		{"https://e:443/", "https://e:443/", "warning iri/port"},
		{"http://e:/", "http://e:/", "warning iri/port"},
		{"http://e:08080/", "http://e:08080/", "warning iri/port"},
		{"http://e:0/", "http://e:0/", ""},
		{"http://[2001:DB8::1]/", "http://[2001:DB8::1]/", "warning iri/case"},
		{"http://[2001:db8::1]/", "http://[2001:db8::1]/", ""},
		{"http://e/%C3%A9_é/ü?q=%20a", "http://e/%C3%A9_é/ü?q=%20a", ""},
		{"http://u:p@e/", "http://u:p@e/", "warning iri/password"},
		{"HTTP://e/", "HTTP://e/", "warning iri/case"},
		{"http://Example.org/", "http://Example.org/", "warning iri/case"},
		{"URN:isbn:0", "URN:isbn:0", "warning iri/case"},
		{"http://e/a/../b", "http://e/a/../b", "warning iri/dot-segment"},
		{"http://e/./b", "http://e/./b", "warning iri/dot-segment"},
		{"http://e/..", "http://e/..", "warning iri/dot-segment"},
		{"http://e/%7Ea", "http://e/%7Ea", "warning iri/percent-form"},
		{"http://e/%c3%89", "http://e/%c3%89", "warning iri/percent-form"},
		{"http://%C3%89/", "http://%C3%89/", "warning iri/percent-form"},
		{"http://e/a%20", "http://e/a%20", "warning iri/percent-control"},
		{"http://e/a%0Ab", "http://e/a%0Ab", "warning iri/percent-control"},
		{"http://e/a%2520b", "http://e/a%2520b", "warning iri/percent-twice"},
		{"http://e/%25C3%25A9", "http://e/%25C3%25A9", "warning iri/percent-twice"},
		{"http://e/e\u0301", "http://e/e\u0301", "warning iri/not-nfc"},
		{"htp://e/", "htp://e/", "warning iri/unregistered-scheme"},
		{"dbo:Person", "dbo:Person", "warning iri/unregistered-scheme"},
		{"foaf:name", "foaf:name", "warning iri/unresolved-prefix"},
		{"C:/data/a.ttl", "C:/data/a.ttl", "warning iri/windows-path"},
		{"C:\\data", "C:%5Cdata", "repair iri/character, warning iri/windows-path"},
		{"x://e/", "x://e/", "warning iri/unregistered-scheme"},
		{"file://C:/a", "file://C:/a", "warning iri/windows-path"},
		{"file:C:/a", "file:C:/a", "warning iri/windows-path"},
		{"file:a/b", "file:a/b", "warning iri/scheme-syntax"},
		{"file://e:8080/a", "file://e:8080/a", "warning iri/scheme-syntax"},
		{"file://-a.b/c", "file://-a.b/c", "warning iri/authority"},
		{"urn:x", "urn:x", "warning iri/scheme-syntax"},
		{"urn:x:", "urn:x:", "warning iri/scheme-syntax"},
		{"urn:uuid:1", "urn:uuid:1", "warning iri/scheme-syntax"},
		{"mailto://a@b", "mailto://a@b", "warning iri/scheme-syntax"},
		{"mailto:a", "mailto:a", "warning iri/scheme-syntax"},
		{"http:", "http:", "warning iri/empty"},
		{"urn:", "urn:", "warning iri/empty"},
		{"http://e/%zz", "http://e/%zz", "warning iri/percent-encoding"},
		{"http://e/100%", "http://e/100%", "warning iri/percent-encoding"},
		{"http://e/%2", "http://e/%2", "warning iri/percent-encoding"},
		{"http://e/a\u200Eb", "http://e/a\u200Eb", "warning iri/bidi"},
		{"http://e/a\u2066b", "http://e/a\u2066b", "warning iri/bidi"},
		{"http://e/%E9", "http://e/%E9", "warning iri/percent-octets"},
		{"http://e/?q=caf%E9&r", "http://e/?q=caf%E9&r", "warning iri/percent-octets"},
		{"http://e/%C3%A9%C3", "http://e/%C3%A9%C3", "warning iri/percent-octets"},
		{"http://e/%A9", "http://e/%A9", "warning iri/percent-octets"},
		{"http://e/%C3é%A9", "http://e/%C3é%A9", "warning iri/percent-octets"},
		{"http://e/%ED%A0%80", "http://e/%ED%A0%80", "warning iri/percent-octets"},
		{"http://e/%C0%AF", "http://e/%C0%AF", "warning iri/percent-octets"},
		{"http://e/%F0%9F%98%80%20%E2%82%AC", "http://e/%F0%9F%98%80%20%E2%82%AC", ""},
		{"http://%E9.example/", "http://%E9.example/", "warning iri/percent-form, warning iri/percent-octets"},
		{"http://e/.well-known/genid/%FF", "http://e/.well-known/genid/%FF", ""},
		{"http://e/a\u00A0b", "http://e/a\u00A0b", "warning iri/white-space"},
		{"http://e/a\u00A0", "http://e/a\u00A0", "warning iri/white-space"},
		{"http://e/a\u2003b", "http://e/a\u2003b", "warning iri/white-space"},
		{"http://e/a\u3000b", "http://e/a\u3000b", "warning iri/white-space"},
		{"http://e/a\u2028b", "http://e/a\u2028b", "warning iri/white-space"},
		{"http://e/a\u00ADb", "http://e/a\u00ADb", "warning iri/white-space"},
		{"http://e/\uFEFFa", "http://e/\uFEFFa", "warning iri/white-space"},
		{"http://e/a\u200Bb", "http://e/a\u200Bb", "warning iri/white-space"},
		{"http://e\u00A0f/", "http://e\u00A0f/", "warning iri/white-space"},
		{"http://xn--/", "http://xn--/", "warning iri/authority"},
		{"http://xn--a.example/", "http://xn--a.example/", "warning iri/host-name"},
		{"http://a.xn--zz--.example/", "http://a.xn--zz--.example/", "warning iri/authority"},
		{"http://a.XN--BCHER-KVA.example/", "http://a.XN--BCHER-KVA.example/", "warning iri/case"},
		{"http://bücher℀.example/", "http://bücher℀.example/", "warning iri/host-name"},
		{"http://Ü.example/", "http://Ü.example/", "warning iri/host-name"},
		{"http://例え。jp/", "http://例え。jp/", "warning iri/host-name"},
		{"http://aא.example/", "http://aא.example/", "warning iri/host-name"},
		{"http://\u0301a.example/", "http://\u0301a.example/", "warning iri/host-name"},
		{"http://u\u0308.example/", "http://u\u0308.example/", "warning iri/not-nfc"},
		{"http://" + strings.Repeat("ü", 60) + ".example/", "http://" + strings.Repeat("ü", 60) + ".example/", "warning iri/host-name"},
		{"ftp://Ü.example/", "ftp://Ü.example/", "warning iri/host-name"},
		{"file://Ü/a", "file://Ü/a", "warning iri/host-name"},
		{" http://e/ ", "http://e/", "repair iri/trimmed"},
		{" http://e/a b% ", "http://e/a%20b%", "repair iri/trimmed, repair iri/space, warning iri/percent-encoding"},
		{"ar:a b", "ar:a%20b", "repair iri/space"},
		{"ar:[", "ar:%5B", "repair iri/bracket"},
		{"ar:\U00100000", "ar:%F4%80%80%80", "repair iri/private-use"},
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

// What was found good must not vouch for what is not.
func TestGoodIRIsVouchForTheirLikeOnly(t *testing.T) {
	for _, c := range []struct{ good, bad, found string }{
		{"ftp://e/a", "ftp:a", "warning iri/authority"},
		{"tag:a,2000:b", "tag:a b", "repair iri/space"},
		{"http://example.org/a", "http://example.org:80/a", "warning iri/port"},
		{"http://example.org/a", "http://example.org/../a", "warning iri/dot-segment"},
		{"http://http/", "http://http//e/", "warning iri/authority"},
		{"http://localhost:3000/a", "http://localhost:3000/a b", "repair iri/space"},
		{"urn:ex:y", "urn:ex", "warning iri/scheme-syntax"},
		{"http://bücher.example/%C3%A9", "http://bücher.example/%C3", "warning iri/percent-octets"},
		{"http://bücher.example/a", "http://bücher.example/a\u00ADb", "warning iri/white-space"},
		{"http://bücher.example/a", "http://Bücher.example/a", "warning iri/case"},
		{"http://bücher.example/a", "http://bÜcher.example/a", "warning iri/host-name"},
	} {
		for _, quads := range [][]rdf.Quad{
			{of(iri(c.good)), of(iri(c.bad))},
			{quad(iri(c.good), iri("http://e/p"), iri("http://e/o")), quad(iri(c.bad), iri("http://e/p"), iri("http://e/o"))},
			{quad(iri("http://e/s"), iri(c.good), iri("http://e/o")), quad(iri("http://e/s"), iri(c.bad), iri("http://e/o"))},
		} {
			if w := wash(t, clean.Options{}, append(quads, quads...)...); w.found() != c.found+", "+c.found {
				t.Errorf("%q, %q: got %s", c.good, c.bad, w.found())
			}
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
	for _, seed := range []string{"http://example.org/a#b", "https://a.b/?c#d#e", "http://e:80/%41", "urn:x", "http://é/ [x]", " a:b ",
		"http://[::1]/", "x://y z/", "http://é.a/%C3%A9", "http://xn--a/%E9", "https://é\u0301/\u00AD"} {
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
			if bytes.ContainsAny([]byte(out), " <>\"{}|\\^`\x00\x01\n") || !rfc3986.IsAbsolute([]byte(out)) {
				t.Fatalf("%q: wrote %q", value, out)
			}
		}
	})
}
