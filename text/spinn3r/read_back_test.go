package spinn3r_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/text/spinn3r"
)

// Where a record is read back, links and quotes keep the text that they were at, in both forms.
func TestPlacesMoveWithTextThatIsReadBack(t *testing.T) {
	for _, c := range []struct{ name, read, want string }{
		{"a link after it", "U:http://a/\tC:joã£o nã£o come\tL:11:4:http://b/", "U:http://a/\tC:joão não come\tL:9:4:http://b/"},
		{"a link on it", "C:joã£o nã£o\tL:6:4:http://b/", "C:joão não\tL:5:3:http://b/"},
		{"a link without text", "C:joã£o nã£o\tL:6:0:http://b/", "C:joão não\tL:5:0:http://b/"},
		{"a link of the title", "T:joã£o\tF:joã£o\tC:nã£o\tL:::http://b/ã¼", "T:joão\tF:joão\tC:não\tL:::http://b/ü"},
		{"a quote", "C:`` joã£o '' nã£o\tQ:3:5:joã£o", "C:`` joão '' não\tQ:3:4:joão"},
		{"a quote without a length", "C:`` joã£o '' nã£o\tQ:3:joã£o", "C:`` joão '' não\tQ:3:joão"},
		{"the end", "C:nã£o\tL:4:0:http://b/", "C:não\tL:3:0:http://b/"},
		{"three bytes", "C:â\u0080\u0093 x\tL:4:1:http://b/", "C:– x\tL:2:1:http://b/"},
		{"four bytes", "C:ð\u009f\u0098\u0080 x\tL:5:1:http://b/", "C:😀 x\tL:2:1:http://b/"},
		{"a place that is none", "C:nã£o\tL:x:http://b/", "C:não\tL:x:http://b/"},
		{"a place outside", "C:nã£o\tL:99:4:http://b/", "C:não\tL:99:4:http://b/"},
		{"the address stays", "U:http://a/ã¼\tC:nã£o", "U:http://a/ã¼\tC:não"},
		{"the source", "H:<b>nã£o</b>*NL*\tC:nã£o", "H:<b>não</b>*NL*\tC:não"},
		{"the other form", "U\thttp://a/\nC\tjoã£o nã£o come\nL\t11\t4\thttp://b/\nL\t-1\t-1\thttp://c/\n",
			"U\thttp://a/\nC\tjoão não come\nL\t9\t4\thttp://b/\nL\t-1\t-1\thttp://c/\n"},
	} {
		form := spinn3r.F5
		if strings.Contains(c.read, "\n") {
			form = spinn3r.Full5
		}
		record, err := spinn3r.NewReader(strings.NewReader(c.read+"\n"), form, func(fault.Notice) {}).Next()
		if err != nil {
			t.Fatal(c.name, err)
		}
		record.ReadBack()
		if got := string(record.Append(nil, form, spinn3r.Options{})); got != c.want+"\n" {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// A record in Latin-1 becomes UTF-8, and its places stay.
func TestLatin1IsRead(t *testing.T) {
	in := "C:jo\xe3o n\xe3o\tL:5:3:http://b/\n"
	record, err := spinn3r.NewReader(strings.NewReader(in), spinn3r.F5, nil).Next()
	if err != nil || !record.ReadLatin1() {
		t.Fatal(err)
	}
	if got := string(record.Append(nil, spinn3r.F5, spinn3r.Options{})); got != "C:joão não\tL:5:3:http://b/\n" {
		t.Errorf("%q", got)
	}
	if record.ReadLatin1() {
		t.Error("twice")
	}
}
