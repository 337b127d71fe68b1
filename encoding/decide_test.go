package encoding_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/simplifiedchinese"

	"laundromat/encoding"
	"laundromat/internal/fault"
)

// encode writes text in an encoding; false if that lacks a character of it.
func encode(t testing.TB, name, text string) ([]byte, bool) {
	t.Helper()
	var order binary.AppendByteOrder = binary.LittleEndian
	if strings.HasSuffix(name, "be") {
		order = binary.BigEndian
	}
	var out []byte
	switch name {
	case "utf-8":
		return []byte(text), true
	case "utf-16le", "utf-16be":
		for _, u := range utf16.Encode([]rune(text)) {
			out = order.AppendUint16(out, u)
		}
		return out, true
	case "utf-32le", "utf-32be":
		for _, r := range text {
			out = order.AppendUint32(out, uint32(r))
		}
		return out, true
	}
	enc, _ := ianaindex.IANA.Encoding(name)
	switch {
	case name == "gb18030":
		enc = simplifiedchinese.GBK
	case name == "ibm850":
		enc = charmap.CodePage850
	case enc == nil:
		enc, _ = htmlindex.Get(name)
	}
	if enc == nil {
		t.Fatalf("no encoder for %s", name)
	}
	out, err := enc.NewEncoder().Bytes([]byte(text))
	return out, err == nil
}

// document makes a Turtle document of labels; the encoding lacks a few of their
// characters now and then (’), which are left out.
func document(labels []string) string {
	var b strings.Builder
	b.WriteString("@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n")
	for i, label := range labels {
		fmt.Fprintf(&b, "<http://example.org/item/%d> rdfs:label \"%s\" .\n", i, label)
	}
	return b.String()
}

// wash reads raw as a stage would: presume, read, and decide if refuted.
func wash(t testing.TB, raw []byte, h encoding.Hints) (text string, c encoding.Choice, notices []fault.Notice) {
	t.Helper()
	c, notices = encoding.Presume(raw[:min(len(raw), 64<<10)], h)
	read := func(opt encoding.Options) error {
		r, err := encoding.NewReader(bytes.NewReader(raw), c.Name, opt)
		if err != nil {
			return err
		}
		out, err := io.ReadAll(r)
		text = string(out)
		return err
	}
	err := read(encoding.Options{Notice: func(n fault.Notice) { notices = append(notices, n) }})
	if errors.Is(err, encoding.ErrRefuted) {
		var more []fault.Notice
		var tolerate bool
		c, tolerate, more, err = encoding.Decide(context.Background(), iotest.HalfReader(bytes.NewReader(raw)), c, h)
		if err != nil {
			t.Fatal(err)
		}
		notices = append(notices, more...)
		err = read(encoding.Options{Tolerate: tolerate, Notice: func(n fault.Notice) { notices = append(notices, n) }})
	}
	if err != nil {
		t.Fatalf("reading as %s: %v", c.Name, err)
	}
	return text, c, notices
}

func TestUndeclaredEncodingsComeRight(t *testing.T) {
	right, all := 0, 0
	for _, test := range encodings {
		for _, name := range test.in {
			text := document(languages[test.language])
			raw, ok := encode(t, name, text)
			if !ok {
				text = strings.NewReplacer("’", "'", "ё", "е").Replace(text)
				if raw, ok = encode(t, name, text); !ok {
					t.Fatalf("%s can't be written in %s", test.language, name)
				}
			}
			all++
			got, c, _ := wash(t, raw, encoding.Hints{})
			if got == text {
				right++
			} else {
				t.Errorf("%s in %s: read as %s, evidence %v: %s", test.language, name, c.Name, c.Evidence, got[56:min(len(got), 300)])
			}
		}
	}
	t.Logf("right text: %d of %d", right, all)
}

// Texts with the byte order mark of UTF-16 in them speak for no encoding: what is wrong is said where they are.
func TestAByteOrderMarkWithinAWordSpeaksForNoEncoding(t *testing.T) {
	for _, c := range []struct{ text, name string }{
		{"k\xFF\xFEappa xi", "utf-8"},
		{"X\xFF\xFEi rho kappa", "utf-8"},
		{"v\xFF\xFE:Town", "utf-8"},
		{"caf\xE9", "windows-1252"},
		{"h\xE2te", "windows-1252"},
		{"S\xC3O Paulo", "windows-1252"},
		{"\xF1\xE8\xFF\xFE", "windows-1251"}, // сияю
	} {
		_, got, notices := wash(t, []byte(`<http://example.org/item> rdfs:label "`+c.text+`" .`+"\n"), encoding.Hints{})
		mixed := slices.ContainsFunc(notices, func(n fault.Notice) bool { return n.Code == fault.EncodingMixed })
		if got.Name != c.name || mixed != (c.name == "utf-8") {
			t.Errorf("%q: read as %s, notices %v", c.text, got.Name, notices)
		}
	}
}
