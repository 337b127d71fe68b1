package encoding_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"laundromat/encoding"
	"laundromat/internal/fault"
)

func TestPresumption(t *testing.T) {
	for _, test := range []struct {
		name, prefix string
		hints        encoding.Hints
		want         string
		evidence     string
		codes        string
	}{
		{"nothing", "", encoding.Hints{}, "utf-8", "", ""},
		{"plain", "<a> <b> <c> .", encoding.Hints{}, "utf-8", "", ""},
		{"mark", "\xEF\xBB\xBF<a>", encoding.Hints{}, "utf-8", "bom=utf-8", ""},
		{"mark against header", "\xEF\xBB\xBF<a>", encoding.Hints{ContentType: "text/turtle; charset=ISO-8859-1"}, "utf-8",
			"bom=utf-8 http=ISO-8859-1", "encoding/declaration-refuted"},
		{"mark of UTF-16", "\xFF\xFE<\x00a\x00>\x00", encoding.Hints{}, "utf-16le", "bom=utf-16le", ""},
		{"mark of UTF-32", "\xFF\xFE\x00\x00<\x00\x00\x00", encoding.Hints{}, "utf-32le", "bom=utf-32le", ""},
		{"header", "<a>", encoding.Hints{ContentType: `text/plain;charset="windows-1252"`}, "utf-8", "http=windows-1252", ""},
		{"header of UTF-16, but ASCII", "<a> <b> <c> .", encoding.Hints{ContentType: "text/plain; charset=utf-16"}, "utf-8", "http=utf-16",
			"encoding/declaration-refuted"},
		{"XML declaration", `<?xml version="1.0" encoding='ISO-8859-2'?><a/>`, encoding.Hints{}, "utf-8", "xml=ISO-8859-2", ""},
		{"XML declaration in UTF-16 without a mark", utf16le(`<?xml version="1.0" encoding="UTF-16"?><a/>`), encoding.Hints{}, "utf-16le",
			"bytes=utf-16le xml=UTF-16", ""},
		{"XML declaration of UTF-16, but ASCII", `<?xml version="1.0" encoding="UTF-16"?><a/>`, encoding.Hints{}, "utf-8", "xml=UTF-16",
			"encoding/declaration-refuted"},
		{"XML declaration without encoding", `<?xml version="1.0"?><a encoding="x"/>`, encoding.Hints{}, "utf-8", "", ""},
		{"two declarations", `<?xml version="1.0" encoding="koi8-r"?><a/>`,
			encoding.Hints{ContentType: "application/xml; charset=windows-1251"}, "utf-8", "xml=koi8-r http=windows-1251", ""},
		{"EBCDIC", "\x4C\x6F\xA7\x94\x93\x40\xA5\x85\x99\xA2\x89\x96\x95\x7E\x7F\xF1\x4B\xF0\x7F\x40\x85\x95\x83\x96\x84\x89\x95\x87\x7E\x7F\xC9\xC2\xD4\xF0\xF3\xF7\x7F\x6F\x6E",
			encoding.Hints{}, "ibm037", "xml=IBM037", ""},
		{"meta", `<html><!-- <meta charset="no"> --><META name=x charset=utf-8><meta charset=y>`, encoding.Hints{}, "utf-8", "html=utf-8",
			""},
		{"meta http-equiv", `<!DOCTYPE html><meta content="text/html; charset=Shift_JIS" http-equiv='Content-Type'>`, encoding.Hints{},
			"utf-8", "html=Shift_JIS", ""},
		{"meta, before text that is not UTF-8", "<html><head><META charset='windows-1251'></head><body>\xCF\xF0\xE8\xE2\xE5\xF2",
			encoding.Hints{}, "utf-8", "html=windows-1251", ""},
		{"css", `@charset "iso-8859-1"; a {}`, encoding.Hints{}, "utf-8", "css=iso-8859-1", ""},
		{"7-bit, declared", "<a> <b> \"\x1B$B$\"\x1B(B\" .", encoding.Hints{ContentType: "text/plain; charset=ISO-2022-JP"}, "iso-2022-jp",
			"http=ISO-2022-JP", ""},
		{"7-bit, seen", "<a> <b> \"\x1B$B$\"\x1B(B\" .", encoding.Hints{}, "iso-2022-jp", "bytes=iso-2022-jp", ""},
		{"HZ, seen", "<a> <b> \"~{VPND~}\" .", encoding.Hints{}, "hz-gb-2312", "bytes=hz-gb-2312", ""},
		{"no HZ", "<a> <b> \"~{n~}\" .", encoding.Hints{}, "utf-8", "", ""},
		{"HZ, declared", "<a> <b> \"~{VP~}\" .", encoding.Hints{ContentType: "text/plain; charset=hz-gb-2312"}, "hz-gb-2312",
			"http=hz-gb-2312", ""},
		{"refused later, with its escapes", "\x1B$)C<a>", encoding.Hints{ContentType: "text/plain; charset=iso-2022-cn-ext"},
			"iso-2022-cn-ext", "http=iso-2022-cn-ext", ""},
		{"refused, but ASCII", "<a> <b> <c> .", encoding.Hints{ContentType: "text/plain; charset=iso-2022-cn-ext"}, "utf-8",
			"http=iso-2022-cn-ext", ""},
		{"Korean of 7 bits, seen", "\x1B$)C<a> \x0E1\x0F", encoding.Hints{}, "iso-2022-kr", "bytes=iso-2022-kr", ""},
		{"7-bit, declared, but UTF-8", "<a> <b> \"é\" .", encoding.Hints{ContentType: "text/plain; charset=iso-2022-kr"}, "utf-8",
			"http=iso-2022-kr", "encoding/declaration-refuted"},
		{"given", "\xEF\xBB\xBF<a>", encoding.Hints{Given: "CP1252", ContentType: "text/plain; charset=utf-8"}, "windows-1252",
			"given=CP1252", ""},
		{"given UTF-16", "\x00<\x00a\x00>\x00 ", encoding.Hints{Given: "utf-16"}, "utf-16be", "given=utf-16", ""},
		{"zeros that aren't text", "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00", encoding.Hints{}, "utf-8", "", ""},
	} {
		c, notices := encoding.Presume([]byte(test.prefix), test.hints)
		if got := words(c); c.Name != test.want || got != test.evidence || codes(notices) != test.codes {
			t.Errorf("%s: %s, evidence %q, notices %v; want %s, %q, %q", test.name, c.Name, got, notices, test.want, test.evidence,
				test.codes)
		}
	}
}

func utf16le(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(string(r) + "\x00")
	}
	return b.String()
}

func words(c encoding.Choice) string {
	var all []string
	for _, e := range c.Evidence {
		all = append(all, e.From+"="+e.Value)
	}
	return strings.Join(all, " ")
}

func codes(notices []fault.Notice) string {
	var all []string
	for _, n := range notices {
		all = append(all, string(n.Code))
	}
	return strings.Join(all, " ")
}

func TestWhatIsProvedDisagreesWithOtherDeclarations(t *testing.T) {
	for _, test := range []struct {
		in, contentType string
		ascii           bool
		want            string
	}{
		{"<a> <b> \"é\" .", "text/plain", false, ""},
		{"<a> <b> \"é\" .", "text/plain; charset=UTF8", false, ""},
		{"<a> <b> \"é\" .", "text/plain; charset=iso-8859-1", false, "encoding/disagreement"},
		{"<a> <b> \"é\" .", "text/plain; charset=no-such", false, "encoding/disagreement"},
		{"<a> <b> \"e\" .", "text/plain; charset=iso-8859-1", true, ""},
		{"<?xml version='1.0' encoding='big5'?><a>é</a>", "text/xml; charset=koi8-r", false, "encoding/disagreement encoding/disagreement"},
	} {
		c, notices := encoding.Presume([]byte(test.in), encoding.Hints{ContentType: test.contentType})
		if got := codes(append(notices, c.Proved(test.ascii)...)); got != test.want {
			t.Errorf("%s, %s: %q, want %q", test.in, test.contentType, got, test.want)
		}
	}
}

func TestDecisions(t *testing.T) {
	latin := "<a> <b> \"caf\xE9 de la gare\" .\n"
	russian, _ := encode(t, "windows-1251", document(languages["Russian"]))
	proper := strings.Repeat("<a> <b> \"é à ü\" .\n", 10)
	for _, test := range []struct {
		name, in string
		hints    encoding.Hints
		want     string
		tolerate bool
		codes    string
	}{
		{"undeclared", latin, encoding.Hints{}, "windows-1252", false, "encoding/guessed"},
		{"declared", latin, encoding.Hints{ContentType: "text/plain; charset=iso-8859-1"}, "iso-8859-1", false, ""},
		{"declared, with bytes of the code page", latin + "\x93x\x94", encoding.Hints{ContentType: "text/plain; charset=iso-8859-1"},
			"windows-1252", false, "encoding/declaration-refuted encoding/guessed"},
		{"declared UTF-8", latin, encoding.Hints{ContentType: "text/plain; charset=utf-8"}, "windows-1252", false,
			"encoding/declaration-refuted encoding/guessed"},
		{"a default that the words refute", string(russian), encoding.Hints{ContentType: "text/plain; charset=iso-8859-1"}, "windows-1251",
			false, "encoding/disagreement"},
		{"declared and true", string(russian), encoding.Hints{ContentType: "text/plain; charset=windows-1251"}, "windows-1251", false, ""},
		{"header against document", `<?xml version="1.0" encoding="windows-1251"?>` + string(russian),
			encoding.Hints{ContentType: "text/xml; charset=koi8-r"}, "windows-1251", false, "encoding/disagreement"},
		{"mixed", proper + latin, encoding.Hints{}, "utf-8", true, "encoding/mixed"},
		{"mixed, against a declaration", proper + latin, encoding.Hints{ContentType: "text/plain; charset=iso-8859-1"}, "utf-8", true,
			"encoding/disagreement encoding/mixed"},
		{"mixed, half and half", strings.Repeat("<a> <b> \"Malmö\" .\n"+latin, 10), encoding.Hints{}, "utf-8", true, "encoding/mixed"},
		{"with a mark", "\xEF\xBB\xBF" + latin, encoding.Hints{}, "utf-8", true, "encoding/mixed"},
		{"given", latin, encoding.Hints{Given: "utf-8"}, "utf-8", true, "encoding/mixed"},
		{"surrogates", "<a> <b> \"\xED\xA0\xBD\xED\xB8\x80\" .", encoding.Hints{}, "utf-8", true, "encoding/mixed"},
	} {
		presumed, notices := encoding.Presume([]byte(test.in), test.hints)
		if presumed.Name != "utf-8" {
			t.Errorf("%s: presumed %s", test.name, presumed.Name)
		}
		c, tolerate, more, err := encoding.Decide(context.Background(), strings.NewReader(test.in), presumed, test.hints)
		if err != nil || c.Name != test.want || tolerate != test.tolerate || codes(append(notices, more...)) != test.codes {
			t.Errorf("%s: %s, tolerate %v, %v, %v; want %s, %s", test.name, c.Name, tolerate, append(notices, more...), err, test.want,
				test.codes)
		}
		for _, e := range c.Evidence {
			if e.Confidence < 0 || e.Confidence > 1 {
				t.Errorf("%s: %+v", test.name, e)
			}
		}
	}
}

func TestTheWholeDocumentDecidesNotItsBeginning(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("<a> <b> \"Caf\xE9\" .\n")
	for i := range 20000 {
		fmt.Fprintf(&b, "<http://example.org/%d> <b> \"ASCII alone %d\" .\n", i, i)
	}
	russian, _ := encode(t, "windows-1251", document(languages["Russian"]))
	b.Write(russian)
	if _, c, _ := wash(t, b.Bytes(), encoding.Hints{}); c.Name != "windows-1251" {
		t.Errorf("read as %s", c.Name)
	}
}

func TestTheSampleComesFromTheWhole(t *testing.T) {
	// Far more words than a sample holds; the few Czech ones at the beginning say little.
	var b bytes.Buffer
	for i := range 30000 {
		raw, _ := encode(t, "iso-8859-2", fmt.Sprintf("<a> <b> \"Łódź%d świętokrzyskie%d żółw%d\" .\n", i, i, i))
		b.Write(raw)
	}
	text, c, _ := wash(t, b.Bytes(), encoding.Hints{})
	if c.Name != "iso-8859-2" || !strings.Contains(text, "żółw29999") {
		t.Errorf("read as %s", c.Name)
	}
}

func TestCancelledDecisionEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, _, err := encoding.Decide(ctx, strings.NewReader("\xE9"), encoding.Choice{Name: "utf-8"}, encoding.Hints{}); fault.KindOf(
		err) != fault.Stopped {
		t.Errorf("error %v", err)
	}
}

// Whatever the bytes and the hints, a choice is made that can be read to the end,
// or the encoding is refused.
func FuzzDecide(f *testing.F) {
	f.Add([]byte("<a> <b> \"caf\xE9\" ."), "text/plain; charset=koi8-r")
	f.Add([]byte("<?xml encoding='x'?>"), "")
	f.Add([]byte("<meta charset=big5>\xA4\xA4"), "")
	f.Fuzz(func(t *testing.T, in []byte, contentType string) {
		h := encoding.Hints{ContentType: contentType}
		c, _ := encoding.Presume(in, h)
		if _, err := encoding.NewReader(bytes.NewReader(in), c.Name, encoding.Options{}); err != nil {
			return
		}
		if c.Name == "utf-8" {
			wash(t, in, h)
		}
	})
}
