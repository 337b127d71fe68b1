package text_test

import (
	"strings"
	"testing"

	"laundromat/text"
)

// piece is a block, with what keeps it apart from the one before it.
type piece struct {
	gap   string
	kind  text.Kind
	level int
	text  string
}

func articleOf(pieces ...piece) *text.Article {
	a := &text.Article{}
	for _, p := range pieces {
		a.Text += p.gap
		from := len(a.Text)
		a.Text += p.text
		a.Blocks = append(a.Blocks, text.Block{Span: text.Span{Start: from, End: len(a.Text)}, Kind: p.kind, Level: p.level})
	}
	return a
}

func TestBlocksAreMarkdown(t *testing.T) {
	const apart = "\n\n"
	for _, c := range []struct {
		name   string
		pieces []piece
		want   string
	}{
		{"paragraphs", []piece{{"", text.Paragraph, 0, "one"}, {apart, text.Paragraph, 0, "two"}}, "one\n\ntwo\n"},
		{"headings", []piece{{"", text.Heading, 1, "A"}, {apart, text.Heading, 6, "B #"}}, "# A\n\n###### B \\#\n"},
		{"a heading of two lines", []piece{{"", text.Heading, 2, "A\nB"}}, "## A B\n"},
		{"a list", []piece{{"", text.ListItem, 0, "a"}, {"\n", text.ListItem, 0, "b"}}, "- a\n- b\n"},
		{"two lists", []piece{{"", text.ListItem, 0, "a"}, {apart, text.ListItem, 0, "b"}}, "- a\n\n- b\n"},
		{"lines in an item", []piece{{"", text.ListItem, 0, "a\nb"}}, "- a\\\n  b\n"},
		{"a table", []piece{{"", text.TableCell, 0, "a"}, {"\t", text.TableCell, 0, "b|c"}, {"\n", text.TableCell, 0, "1"}},
			"| a | b\\|c |\n| --- | --- |\n| 1 |  |\n"},
		{"two tables", []piece{{"", text.TableCell, 0, "a"}, {apart, text.TableCell, 0, "b"}}, "| a |\n| --- |\n\n| b |\n| --- |\n"},
		{"a paragraph after a table", []piece{{"", text.TableCell, 0, "a"}, {apart, text.Paragraph, 0, "b"}}, "| a |\n| --- |\n\nb\n"},
		{"code", []piece{{"", text.Code, 0, "a *b*\n  <c>"}}, "```\na *b*\n  <c>\n```\n"},
		{"code with a fence", []piece{{"", text.Code, 0, "```\nx\n````"}}, "`````\n```\nx\n````\n`````\n"},
		{"a quotation", []piece{{"", text.Quotation, 0, "a\nb"}}, "> a\\\n> b\n"},
		{"verse", []piece{{"", text.Paragraph, 0, "a\nb\nc"}}, "a\\\nb\\\nc\n"},
		{"signs", []piece{{"", text.Paragraph, 0, "*a* _b_ `c` [d](e) <f> &amp; \\ ~g~"}},
			"\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f\\> \\&amp; \\\\ \\~g\\~\n"},
		{"what would begin a block", []piece{{"", text.Paragraph, 0, "# a\n- b\n+ c\n1. d\n2) e\n=== f\n12 g"}},
			"\\# a\\\n\\- b\\\n\\+ c\\\n1\\. d\\\n2\\) e\\\n\\=== f\\\n12 g\n"},
		{"an indent", []piece{{"", text.Paragraph, 0, "    a"}}, "&#32;&#32;&#32;&#32;a\n"},
		{"other blocks", []piece{{"", text.Navigation, 0, "Home"}, {"\n", text.Footer, 0, "(c)"}}, "Home\n\n(c)\n"},
		{"nothing", nil, ""},
	} {
		if got := string(articleOf(c.pieces...).AppendMarkdown(nil)); got != c.want {
			t.Errorf("%s:\n%q, not\n%q", c.name, got, c.want)
		}
	}
}

func TestLinksAndTitlesAreMarkdown(t *testing.T) {
	a := articleOf(piece{"", text.Paragraph, 0, "see here and http://b.example/ now"}, piece{"\n\n", text.Paragraph, 0, "more of it"})
	a.Title = "On *boats*"
	a.Links = []text.Link{
		{URL: "http://title.example/", InTitle: true},
		{Span: text.Span{Start: 4, End: 8}, URL: "http://a.example/x y(z)_w"},
		{Span: text.Span{Start: 13, End: 30}, URL: "http://b.example/"},
		{Span: text.Span{Start: 31, End: 40}, URL: "http://c.example/"}, // over two blocks
		{Span: text.Span{Start: 41, End: 41}, URL: "http://d.example/"},
	}
	want := "# On \\*boats\\*\n\nsee [here](http://a.example/x%20y%28z%29\\_w) and <http://b.example/> [now](http://c.example/)\n\n" +
		"[more](http://c.example/) [](http://d.example/)of it\n"
	if got := string(a.AppendMarkdown(nil)); got != want {
		t.Errorf("%q, not\n%q", got, want)
	}
	a = articleOf(piece{"", text.Heading, 1, "Boats"})
	a.Title = "Boats"
	if got := string(a.AppendMarkdown(nil)); got != "# Boats\n" {
		t.Errorf("%q", got)
	}
}

// plainOf reads a paragraph of Markdown in which nothing but escapes may mean something.
func plainOf(markdown string) string {
	var b strings.Builder
	for i := 0; i < len(markdown); i++ {
		switch {
		case markdown[i] == '\\' && i+1 < len(markdown):
			i++
			b.WriteByte(markdown[i])
		case strings.HasPrefix(markdown[i:], "&#32;"):
			b.WriteByte(' ')
			i += len("&#32;") - 1
		default:
			b.WriteByte(markdown[i])
		}
	}
	return b.String()
}

// A paragraph of any text is read as that text, and no line of it begins a block.
func FuzzTextIsPlainInMarkdown(f *testing.F) {
	for _, s := range []string{"a", "*a*", "# b\n1. c", "a\nb", "&lt;", "  x", "[a](b)", "\\", "-", "10)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.Join(strings.Fields(s), " ") // a paragraph of one line
		got := strings.TrimSuffix(string(articleOf(piece{"", text.Paragraph, 0, s}).AppendMarkdown(nil)), "\n")
		if plainOf(got) != s {
			t.Errorf("%q is read as %q", s, plainOf(got))
		}
		if len(got) > 0 && strings.IndexByte("#>-+=*_`~|<[:", got[0]) >= 0 {
			t.Errorf("%q begins a block: %q", s, got)
		}
	})
}
