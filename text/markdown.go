package text

import (
	"sort"
	"strings"
)

// AppendMarkdown appends the article as CommonMark, with tables as GitHub has them. Headings, items of lists,
// cells, code and quotations are written as such, links with their texts; all other blocks are paragraphs. A title
// that no heading of the text says is a heading before it. What would mean something in the text is escaped.
func (a *Article) AppendMarkdown(dst []byte) []byte {
	w := &markdownWriter{article: a, out: dst, start: len(dst), links: a.Links}
	if a.Title != "" && !a.hasHeading(a.Title) {
		w.out = append(w.out, "# "...)
		w.inline(strings.Join(strings.Fields(a.Title), " "))
		w.out = append(w.out, '\n')
	}
	for i := range a.Blocks {
		w.block(i)
	}
	w.endTable()
	return w.out
}

func (a *Article) hasHeading(title string) bool {
	for i := range a.Blocks {
		if b := &a.Blocks[i]; b.Kind == Heading && a.Text[b.Start:b.End] == title {
			return true
		}
	}
	return false
}

type markdownWriter struct {
	article *Article
	out     []byte
	start   int    // where the article begins in it
	links   []Link // those that are not written yet, or that go on in the next block
	prefix  string // of each further line of the block
	// rows are the cells of the table at hand, in which each is written already.
	rows [][]string
}

// gap is the text between a block and the one before it.
func (w *markdownWriter) gap(i int) string {
	if i == 0 {
		return ""
	}
	a := w.article
	return a.Text[min(a.Blocks[i-1].End, a.Blocks[i].Start):a.Blocks[i].Start]
}

func (w *markdownWriter) block(i int) {
	b := &w.article.Blocks[i]
	gap := w.gap(i)
	if b.Kind == TableCell {
		w.cell(b, gap)
		return
	}
	w.endTable()
	isNext := i > 0 && b.Kind == ListItem && w.article.Blocks[i-1].Kind == ListItem && gap == "\n"
	if len(w.out) > w.start && !isNext {
		w.out = append(w.out, '\n')
	}
	w.prefix = ""
	switch b.Kind {
	case Code:
		w.code(w.article.Text[b.Start:b.End])
		return
	case Heading:
		level := min(max(b.Level, 1), 6)
		w.out = append(w.out, "######"[:level]...)
		w.out = append(w.out, ' ')
	case ListItem:
		w.out = append(w.out, "- "...)
		w.prefix = "  "
	case Quotation:
		w.out = append(w.out, "> "...)
		w.prefix = "> "
	}
	w.span(b.Span, b.Kind == Heading)
	w.out = append(w.out, '\n')
}

// code writes a fence that is longer than any in it.
func (w *markdownWriter) code(text string) {
	longest, run := 2, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	w.out = append(w.out, fence...)
	w.out = append(append(append(w.out, '\n'), text...), '\n')
	w.out = append(append(w.out, fence...), '\n')
}

// cell takes a cell: a tab is before one of the same row, a newline before one of the next.
func (w *markdownWriter) cell(b *Block, gap string) {
	if len(w.rows) > 0 && gap != "\t" && gap != "\n" {
		w.endTable()
	}
	if len(w.rows) == 0 || gap != "\t" {
		w.rows = append(w.rows, nil)
	}
	from := len(w.out)
	w.span(b.Span, true)
	text := string(w.out[from:])
	w.out = w.out[:from]
	last := len(w.rows) - 1
	w.rows[last] = append(w.rows[last], text)
}

// endTable writes the table at hand. Its first row is the head.
func (w *markdownWriter) endTable() {
	if len(w.rows) == 0 {
		return
	}
	if len(w.out) > w.start {
		w.out = append(w.out, '\n')
	}
	width := 0
	for _, row := range w.rows {
		width = max(width, len(row))
	}
	for i, row := range w.rows {
		for j := range width {
			w.out = append(w.out, '|', ' ')
			if j < len(row) {
				w.out = append(w.out, row[j]...)
			}
			w.out = append(w.out, ' ')
		}
		w.out = append(w.out, '|', '\n')
		if i == 0 {
			w.out = append(w.out, strings.Repeat("| --- ", width)...)
			w.out = append(w.out, '|', '\n')
		}
	}
	w.rows = w.rows[:0]
}

// span writes a stretch of the text with its links. On one line, line ends are spaces.
func (w *markdownWriter) span(s Span, oneLine bool) {
	text := func(from, to int) {
		part := w.article.Text[from:to]
		if oneLine {
			part = strings.ReplaceAll(part, "\n", " ")
		}
		w.inline(part)
	}
	if !w.isOrdered() {
		w.links = w.ordered()
	}
	for len(w.links) > 0 && (w.links[0].InTitle || w.links[0].End < s.Start || w.links[0].End == s.Start && w.links[0].Start < s.Start) {
		w.links = w.links[1:]
	}
	at := s.Start
	for _, l := range w.links {
		if l.Start >= s.End && !(l.Start == l.End && l.Start == s.End) {
			break
		}
		from, to := max(l.Start, at), min(l.End, s.End)
		if l.InTitle || from > to || from == to && l.Start != l.End {
			continue
		}
		text(at, from)
		if at = to; l.URL == w.article.Text[from:to] && isAutolink(l.URL) {
			w.out = append(append(append(w.out, '<'), l.URL...), '>')
			continue
		}
		w.out = append(w.out, '[')
		text(from, to)
		w.out = append(w.out, ']', '(')
		w.out = appendDestination(w.out, l.URL)
		w.out = append(w.out, ')')
	}
	text(at, s.End)
	for len(w.links) > 0 && !w.links[0].InTitle && w.links[0].End <= s.End {
		w.links = w.links[1:]
	}
}

func (w *markdownWriter) isOrdered() bool {
	return sort.SliceIsSorted(w.links, func(i, j int) bool { return w.links[i].Start < w.links[j].Start })
}

func (w *markdownWriter) ordered() []Link {
	links := append([]Link(nil), w.links...)
	sort.SliceStable(links, func(i, j int) bool { return links[i].Start < links[j].Start })
	return links
}

func isAutolink(url string) bool {
	return (strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")) && !strings.ContainsAny(url, " <>\n\t|")
}

// appendDestination appends a URL as the destination of a link.
func appendDestination(dst []byte, url string) []byte {
	for i := range len(url) {
		switch c := url[i]; {
		case c <= ' ', c == 0x7F, strings.IndexByte("()<>\\|", c) >= 0:
			dst = append(dst, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		case c == '&', c == '*', c == '_', c == '`', c == '[', c == ']':
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// inline writes text so that nothing in it has a meaning. A line end within a block is one that is shown.
func (w *markdownWriter) inline(s string) {
	isStart := len(w.out) == 0 || w.out[len(w.out)-1] == '\n' || w.isAfterMark()
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\n':
			if n := len(w.out); n > 0 && w.out[n-1] != '\n' && i+1 < len(s) && s[i+1] != '\n' {
				w.out = append(w.out, '\\')
				w.out = append(append(w.out, '\n'), w.prefix...)
			} else if i+1 < len(s) {
				w.out = append(append(w.out, " \n"...), w.prefix...)
				w.out = append(w.out, "&#32;"...) // a line without text would end the block
			}
			isStart = true
			continue
		case isStart && (c == ' ' || c == '\t'):
			w.out = append(w.out, "&#32;"...) // white space is not kept at the beginning of a line
			continue
		case strings.IndexByte("\\`*_[]<>&~|$#", c) >= 0, isStart && startsBlock(s[i:]):
			w.out = append(w.out, '\\', c)
		case isStart && '0' <= c && c <= '9':
			i = w.number(s, i)
		default:
			w.out = append(w.out, c)
		}
		isStart = false
	}
}

// isAfterMark says that the mark of a block has been written, and nothing of its text.
func (w *markdownWriter) isAfterMark() bool {
	line := w.out[strings.LastIndexByte(string(w.out[max(0, len(w.out)-16):]), '\n')+1+max(0, len(w.out)-16):]
	return strings.Trim(string(line), "#->[ ") == ""
}

// startsBlock says that a sign at the beginning of a line begins a block, or makes one of the line before.
func startsBlock(s string) bool { return strings.IndexByte("+-=:", s[0]) >= 0 }

// number writes the digits at the beginning of a line, which a period or a bracket makes an item of a list. It
// returns the offset of the last byte that it took.
func (w *markdownWriter) number(s string, i int) int {
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		w.out = append(w.out, s[i])
	}
	if i < len(s) && (s[i] == '.' || s[i] == ')') {
		w.out = append(w.out, '\\', s[i])
		return i
	}
	return i - 1
}
