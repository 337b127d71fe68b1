// Package quote finds quotations in a text. It knows all the pairs of marks that CLDR has, straight ones, and the
// backquotes and apostrophes of LaTeX. Quotations may be nested, and go over several paragraphs of which each opens
// again.
//
// A mark may be one that opens and one that closes: “ opens in English and closes in German, ’ is an apostrophe most
// often. What stands around it decides, then what is open before it, then the language, then its shape. Feet, inches,
// apostrophes and '90s are no marks.
package quote

import (
	"slices"
	"strings"
	"unicode/utf8"

	"laundromat/text"
	"laundromat/text/token"
)

// Options of a search.
type Options struct {
	Language string       // the document's, a tag of BCP 47, or empty
	Blocks   []text.Block // no quotation goes on beyond one; without any, an empty line ends a paragraph
}

// Result is what was found.
type Result struct {
	Quotes []text.Quote // in the order of their beginning
	Marks  []token.Mark // the marks of the quotes, in the order of the text
	// Unclosed are marks that open and have no other: places in the text. Those that may be an apostrophe are not told.
	Unclosed []text.Span
}

// Find finds the quotations of a text.
func Find(s string, o Options) *Result {
	f := finder{s: s, result: &Result{}, barren: map[string]bool{}, guillemets: shapesOf(o.Language)["«"] != 0}
	stretches := paragraphs(s, o.Blocks)
	all := make([][]mark, len(stretches))
	marks := make([]mark, 0, min(count(s), len(s)/20+8))
	ends := make([]int, len(stretches))
	for i, p := range stretches {
		marks = scan(marks, s, p)
		ends[i] = len(marks)
	}
	from := 0
	for i, end := range ends {
		all[i], from = marks[from:end], end
	}
	shape(all, shapesOf(o.Language))
	for i, p := range stretches {
		f.paragraph(p, all[i])
	}
	f.abandon()
	slices.SortStableFunc(f.result.Quotes, func(a, b text.Quote) int { return a.Start - b.Start })
	slices.SortFunc(f.result.Marks, func(a, b token.Mark) int { return a.Start - b.Start })
	f.result.Marks = slices.Compact(f.result.Marks)
	slices.SortFunc(f.result.Unclosed, func(a, b text.Span) int { return a.Start - b.Start })
	return f.result
}

// paragraphs are the stretches in which marks must find each other.
func paragraphs(s string, blocks []text.Block) (out []text.Span) {
	if len(blocks) > 0 {
		for _, b := range blocks {
			if b.Kind != text.Code {
				out = append(out, b.Span)
			}
		}
		return out
	}
	start := 0
	for start < len(s) {
		end := strings.Index(s[start:], "\n\n")
		if end < 0 {
			return append(out, text.Span{Start: start, End: len(s)})
		}
		out = append(out, text.Span{Start: start, End: start + end})
		start += end
		for start < len(s) && s[start] == '\n' {
			start++
		}
	}
	return out
}

// open is a mark that was taken as one that opens.
type open struct {
	mark
	closers []string
}

// finder goes through the paragraphs of a text.
type finder struct {
	s      string
	result *Result

	stack []open
	// guillemets says that the language quotes with them.
	guillemets bool
	// barren are the marks that open for which no other follows in this paragraph.
	barren map[string]bool
	// chain are the paragraphs of a quotation that each opened again and none closed so far.
	chain []open
	ends  []int // where each of them ends
}

// paragraph finds the quotations of one paragraph.
func (f *finder) paragraph(p text.Span, marks []mark) {
	f.stack = f.stack[:0]
	clear(f.barren)
	if len(f.chain) > 0 && (len(marks) == 0 || marks[0].start != p.Start+lead(f.s[p.Start:p.End]) || marks[0].text != f.chain[0].text) {
		f.abandon()
	}
	for i := range marks {
		f.judge(marks, i)
	}
	if len(f.stack) == 0 {
		return
	}
	// The outermost may go on in the next paragraph; the others are lost.
	for _, o := range f.stack[1:] {
		f.unclosed(o)
	}
	first := f.stack[0]
	if len(f.chain) > 0 && first.start != marks[0].start {
		f.unclosed(first)
		return
	}
	f.chain = append(f.chain, first)
	f.ends = append(f.ends, p.End)
}

// judge decides what a mark is.
func (f *finder) judge(marks []mark, i int) {
	m := &marks[i]
	m.settle(marks, i)
	level := f.closes(m)
	canClose := level >= 0 && m.mayClose && !f.isSign(marks, i, level) &&
		(m.text != "'" || !isPlain(m.left) || f.stack[level].text == "`")
	canOpen := m.mayOpen && closers[m.text] != nil
	switch {
	case canClose && canOpen:
		// Both are possible: the innermost that waits for it has it, but a mark that only opens by its shape opens.
		if level == len(f.stack)-1 && !(m.shape > 0 && f.stack[level].text == m.text) {
			f.close(m, level)
		} else if !f.elides(marks, i) {
			f.open(m)
		}
	case canClose:
		f.close(m, level)
	case canOpen && !f.elides(marks, i):
		f.open(m)
	}
}

// closes is the level of what a mark would close: the innermost that waits for it, or -1.
func (f *finder) closes(m *mark) int {
	for level := len(f.stack) - 1; level >= 0; level-- {
		if slices.Contains(f.stack[level].closers, m.text) {
			return level
		}
	}
	return -1
}

// isSign says whether what could close is an inch or an apostrophe, because another mark follows that could close and
// fits better.
func (f *finder) isSign(marks []mark, i, level int) bool {
	m := &marks[i]
	inch := m.straight() && m.afterDigit
	possessive := m.isApostrophe() && m.afterS && (m.beforeWord || m.beforeEnd)
	if !inch && !possessive {
		return false
	}
	if f.barren[f.stack[level].text] {
		return false
	}
	for j := i + 1; j < len(marks); j++ {
		next := &marks[j]
		next.settle(marks, j)
		opens := next.mayOpen && !next.mayClose
		fits := slices.Contains(f.stack[level].closers, next.text)
		switch {
		case opens && (fits || slices.Contains(closers[next.text], m.text)):
			return false // another quotation begins
		case fits && next.mayClose:
			return true
		case next.mayClose && level > 0 && slices.Contains(f.stack[level-1].closers, next.text):
			return false // what is around it ends
		}
	}
	f.barren[f.stack[level].text] = true
	return false
}

// deepest is how many quotations may be open at once.
const deepest = 64

func (f *finder) open(m *mark) {
	m.role = opens
	if len(f.stack) == deepest {
		f.unclosed(f.stack[0])
		f.stack = append(f.stack[:0], f.stack[1:]...)
	}
	f.stack = append(f.stack, open{*m, closers[m.text]})
}

// elides says whether a mark stands for letters that are left out, as in 'tis or the '90s. Some words may as well
// begin a quotation; then there is another mark that closes it.
func (f *finder) elides(marks []mark, i int) bool {
	m := &marks[i]
	switch m.elided() {
	case always:
		return true
	case perhaps:
		return !f.another(marks, i)
	}
	return false
}

// another says whether a mark follows that could close, and is neither an inch nor an apostrophe.
func (f *finder) another(marks []mark, i int) bool {
	opener := marks[i].text
	if f.barren[opener] {
		return false
	}
	for j := i + 1; j < len(marks); j++ {
		next := &marks[j]
		if !slices.Contains(closers[opener], next.text) {
			continue
		}
		next.settle(marks, j)
		if next.mayOpen && !next.mayClose {
			return false
		}
		if next.mayClose {
			return !(next.straight() && next.afterDigit) && !(next.isApostrophe() && next.afterS && next.beforeWord)
		}
	}
	f.barren[opener] = true
	return false
}

// close ends the quotation of a level. What is open within it has no end.
func (f *finder) close(m *mark, level int) {
	m.role = closes
	for _, o := range f.stack[level+1:] {
		f.unclosed(o)
	}
	o := f.stack[level]
	f.stack = f.stack[:level]
	if level == 0 && f.pages(o, m) {
		return
	}
	if level == 0 && len(f.chain) > 0 {
		if f.chain[0].text == o.text {
			for i, c := range f.chain {
				f.add(c.end, f.ends[i])
				f.mark(c.mark, true)
			}
			f.chain, f.ends = f.chain[:0], f.ends[:0]
		} else {
			f.abandon()
		}
	}
	f.add(o.end, m.start)
	f.mark(o.mark, true)
	f.mark(*m, false)
}

// pages says whether two guillemets are the arrows of a line such as « Previous 1 2 Next ». They have spaces inside and
// stand around all of a paragraph, without a sentence between them.
func (f *finder) pages(o open, m *mark) bool {
	if o.left != 0 || m.right != 0 || !isPlain(o.right) || !isPlain(m.left) || o.text != "«" && o.text != "‹" {
		return false
	}
	within := strings.TrimSpace(f.s[o.end:m.start])
	if end, _ := utf8.DecodeLastRuneInString(within); strings.ContainsRune(".,;:!?…", end) {
		return false
	}
	return !f.guillemets || strings.ContainsAny(within, "|0123456789")
}

// add adds a quotation without the space at its ends, unless it is empty.
func (f *finder) add(start, end int) {
	for start < end {
		r, size := utf8.DecodeRuneInString(f.s[start:end])
		if !isSpace(r) {
			break
		}
		start += size
	}
	for start < end {
		r, size := utf8.DecodeLastRuneInString(f.s[start:end])
		if !isSpace(r) {
			break
		}
		end -= size
	}
	if start < end {
		f.result.Quotes = append(f.result.Quotes, text.Quote{Span: text.Span{Start: start, End: end}, Text: f.s[start:end]})
	}
}

func (f *finder) mark(m mark, opens bool) {
	f.result.Marks = append(f.result.Marks, token.Mark{Start: m.start, End: m.end, Opens: opens, Single: single[m.text]})
}

// unclosed tells a mark that opens and has no other.
func (f *finder) unclosed(o open) {
	if !o.isApostrophe() && !o.apart {
		f.result.Unclosed = append(f.result.Unclosed, text.Span{Start: o.start, End: o.end})
	}
}

// abandon gives up what was open over several paragraphs.
func (f *finder) abandon() {
	for _, o := range f.chain {
		f.unclosed(o)
	}
	f.chain, f.ends = f.chain[:0], f.ends[:0]
}
