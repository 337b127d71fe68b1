package xmltext_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

type listener struct{ notices []fault.Notice }

func (l *listener) Notice(n fault.Notice) { l.notices = append(l.notices, n) }

// tokens writes each token of a document; pieces of text that follow each other are joined.
func tokens(t testing.TB, r *xmltext.Reader) string {
	t.Helper()
	var b bytes.Buffer
	depth, inText := 0, false
	for {
		kind, err := r.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if kind != xmltext.Text && inText {
			b.WriteString("] ")
		}
		if kind == xmltext.Text && !inText {
			b.WriteString("[")
		}
		inText = kind == xmltext.Text
		switch kind {
		case xmltext.StartTag:
			depth++
			fmt.Fprintf(&b, "<%s", r.Local())
			for _, a := range r.Attrs() {
				fmt.Fprintf(&b, " %s=%q", a.Local, a.Value)
				if a.Lost != nil {
					b.WriteString("?")
				}
			}
			b.WriteString(" ")
		case xmltext.EndTag:
			if depth--; depth < 0 {
				t.Fatal("more end tags than start tags")
			}
			fmt.Fprintf(&b, "%s> ", r.Local())
		case xmltext.Text:
			b.Write(r.Text())
			if r.Lost() != nil {
				b.WriteString("?")
			}
		case xmltext.Comment, xmltext.Instruction:
			fmt.Fprintf(&b, "{%s|%s} ", r.Local(), r.Text())
		case xmltext.End:
			if depth != 0 {
				t.Fatalf("%d elements are left open", depth)
			}
			return strings.TrimSpace(b.String())
		default:
			fmt.Fprintf(&b, "%s ", r.Lost().Code)
		}
		if depth != r.Depth() {
			t.Fatalf("depth %d, want %d", r.Depth(), depth)
		}
	}
}

func TestTokensAreBalancedWhateverTheDocumentDoes(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"<a><b/>t</a>", "<a <b b> [t] a>"},
		{"<a><b></a>", "<a <b b> a>"},
		{"<a><b>", "<a <b b> a>"},
		{"</a><a></b></a></a>", "<a a>"},
		{"<a>x</b>y", "<a [x] a> [y]"},
		{"<a b='1'b=\"2\" c>", `<a b="1"? c=""? a>`},
		{"<a b=1 c='&#65;&lt;&amp;&quot;\n'/>", `<a b="1" c="A<&\" " a>`},
		{"<a b='x\" c=''>", `<a b=""? c="" a>`},
		{"<a b='&x;'>&y;z</a>", `<a b=""? [?z] a>`},
		{"a < b <", "[a < b <]"},
		{"<a><![CDATA[]]]]><![CDATA[>]]></a>", "<a []]>] a>"},
		{"<!DOCTYPE a [<!ENTITY b '<c>&d;</c>'><!ENTITY d 'e'>]><a>&b;</a>", "<a <c [e] c> a>"},
		{"<!DOCTYPE a [<!ENTITY b '<c>'>]><a>&b;</a>", "<a <c c> a>"},
		{"<!DOCTYPE a [<!ENTITY b '<c '>]><a>&b;</a>", "<a [?] a>"},
		{"<!DOCTYPE a [<!ENTITY b '", ""},
		{"<!DOCTYPE a SYSTEM '>'><a/>", "<a a>"},
		{"<a><b><c><d><e/></d></c></b></a>", "<a <b <c limit/nesting c> b> a>"},
		{"<a><!-- c --><?p  i?></a>", "<a {| c } {p|i} a>"},
		{"<?xml version='1.0'><a/>", "<a a>"},
		{"<A></a>", "<A A>"},
		{"<a></>", "<a a>"},
	} {
		opt := xmltext.Options{MaxDepth: 3, Comments: true}
		if have := tokens(t, xmltext.NewReader(strings.NewReader(row.text), opt, &listener{})); have != row.want {
			t.Errorf("%s\nhave %s\nwant %s", row.text, have, row.want)
		}
	}
}

func TestNamesAreThoseOfXML(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "_1": true, "a-b.c": true, "é": true, "a·": true, "a\u0301": true,
		"": false, "1": false, "-": false, "a:b": false, "a/b": false, "\u0301b": false, "a\xff": false, "×": false, "a b": false} {
		if xmltext.IsNCName([]byte(name)) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestScopeFindsTheInnermostDeclaration holds for few declarations and for many, which are indexed.
func TestScopeFindsTheInnermostDeclaration(t *testing.T) {
	for _, n := range []int{2, 100} {
		var s xmltext.Scope
		prefix := func(i int) []byte { return fmt.Append(nil, "p", i%n) }
		for depth := 1; depth <= 3; depth++ {
			for i := range n {
				s.Bind(prefix(i), fmt.Append(nil, depth), depth, false, false)
			}
		}
		s.Bind(prefix(0), []byte("again"), 3, false, false)
		for depth := 3; depth > 0; depth-- {
			for i := range n {
				want := fmt.Sprint(depth)
				if i == 0 && depth == 3 {
					want = "again"
				}
				if b := s.Find(prefix(i)); b == nil || string(b.IRI) != want {
					t.Fatalf("%d of %d at depth %d: %+v", i, n, depth, b)
				}
			}
			s.Leave(depth)
		}
		if b := s.Find(prefix(1)); b != nil {
			t.Errorf("left over: %+v", b)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add([]byte("<a b='c' d=e>&lt;&#65;<![CDATA[x]]><!-- y --><?z?></a>"))
	f.Add([]byte("<!DOCTYPE a [<!ENTITY b '<c>&d;</c>'><!ATTLIST a b CDATA 'x'>]><a>&b;</a>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		opt := xmltext.Options{MaxDepth: 10, MaxEntity: 1000, Comments: true}
		var whole, split listener
		a := tokens(t, xmltext.NewReader(bytes.NewReader(text), opt, &whole))
		b := tokens(t, xmltext.NewReader(iotest.OneByteReader(bytes.NewReader(text)), opt, &split))
		if a != b || fmt.Sprint(whole) != fmt.Sprint(split) {
			t.Errorf("in one piece: %s %v\nbyte by byte: %s %v", a, whole, b, split)
		}
	})
}

func ExampleReader() {
	r := xmltext.NewReader(strings.NewReader("<p class=note>Fish & chips</P>"), xmltext.Options{}, &listener{})
	for {
		kind, err := r.Next(context.Background())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		switch kind {
		case xmltext.StartTag:
			fmt.Printf("start %s %s=%s\n", r.Local(), r.Attrs()[0].Local, r.Attrs()[0].Value)
		case xmltext.Text:
			fmt.Printf("text %q\n", r.Text())
		case xmltext.EndTag:
			fmt.Println("end", string(r.Local()), r.Misnamed())
		case xmltext.End:
			return
		}
	}
	// Output:
	// start p class=note
	// text "Fish "
	// text "&"
	// text " chips"
	// end p true
}
