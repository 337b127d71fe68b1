package block

import (
	"bytes"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/text"
)

// kept writes preformatted text that stands at a place of the document. Its lines end in LF.
func (b *builder) kept(p *piece, raw string, source int) {
	if b.lineStart && raw != "" {
		b.lineStart = false
		n := len(raw)
		raw = strings.TrimPrefix(strings.TrimPrefix(raw, "\r"), "\n")
		source += n - len(raw)
	}
	for len(raw) > 0 {
		n := strings.IndexAny(raw, "&\r\x00")
		if n < 0 {
			n = len(raw)
		}
		if n > 0 {
			b.write(p, raw[:n], source, n)
		}
		if n < len(raw) {
			skip := b.special(p, raw[n:], source+n)
			n += skip
		}
		raw = raw[n:]
		source += n
	}
}

// special writes what preformatted text has not as it stands, and returns its length.
func (b *builder) special(p *piece, raw string, source int) int {
	switch {
	case raw[0] == 0:
		return 1
	case strings.HasPrefix(raw, "\r\n"):
		b.write(p, "\n", source, 2)
		return 2
	case raw[0] == '\r':
		b.write(p, "\n", source, 1)
		return 1
	case !p.Plain:
		if decoded, n, again, ok := reference(raw, b.twice && !b.contexts[p.ctx].code); ok {
			b.again(again, raw[:n], source)
			b.write(p, decoded, source, n)
			return n
		}
	}
	b.write(p, raw[:1], source, 1)
	return 1
}

func (b *builder) again(is bool, raw string, source int) {
	if !is {
		return
	}
	if b.result.CountAgain == 0 {
		b.result.Again, b.result.AgainAt = raw, source
	}
	b.result.CountAgain++
}

// write appends text that is no white space to be put together. It stands in so many bytes of the document from
// source; length 0 is for what stands there not.
func (b *builder) write(p *piece, s string, source, length int) {
	if b.lineEnds > 1 {
		b.close()
	}
	if b.block < 0 {
		b.begin(p)
	} else if len(b.out) > b.result.Blocks[b.block].Start {
		switch {
		case b.lineEnds > 0:
			b.out = append(b.out, '\n')
		case b.space:
			b.out = append(b.out, ' ')
		}
	}
	b.space, b.lineEnds = false, 0
	at := len(b.out)
	b.visible = b.visible || !isBlank(s)
	for b.visible && b.waiting < b.seen {
		if a := &b.result.Anchors[b.waiting].Span; a.Start < 0 {
			*a = text.Span{Start: at, End: at}
			b.touch(b.waiting)
		}
		b.waiting++
	}
	b.out = append(b.out, s...)
	if p.link > 0 {
		a := &b.result.Anchors[p.link-1].Span
		if a.End <= a.Start {
			a.Start = at
		}
		a.End = len(b.out)
		b.touch(int(p.link) - 1)
	}
	if length > 0 {
		b.result.Places = b.result.Places.Append(text.Run{Text: at, Length: len(s), Source: source, SourceLength: length})
	}
}

// quote begins or ends an element q. The place of the outermost is known at its end.
func (b *builder) quote(kind pieceKind) {
	quotes := b.result.Quotes
	switch last := len(quotes) - 1; {
	case kind == quoteStart:
		if b.quotes++; b.quotes == 1 {
			b.result.Quotes = append(quotes, text.Span{Start: len(b.out), End: -1})
		}
	case b.quotes > 0:
		if b.quotes--; b.quotes == 0 {
			quotes[last].End = len(b.out)
		}
	}
}

// finishQuotes takes off the space around quotations, and leaves out those without text.
func (b *builder) finishQuotes() {
	kept := b.result.Quotes[:0]
	for _, q := range b.result.Quotes {
		q.End = min(q.End, len(b.out))
		for q.Start < q.End && isSpace(b.out[q.Start]) {
			q.Start++
		}
		for q.Start < q.End && isSpace(b.out[q.End-1]) {
			q.End--
		}
		if q.Start < q.End {
			kept = append(kept, q)
		}
	}
	b.result.Quotes = kept
}

// touch notes that the place of an anchor is in the open block.
func (b *builder) touch(anchor int) {
	if n := len(b.touched); n == 0 || b.touched[n-1] != int32(anchor) {
		b.touched = append(b.touched, int32(anchor))
	}
}

// begin begins a block.
func (b *builder) begin(p *piece) {
	b.open = &b.contexts[p.ctx]
	if n := len(b.closed); n > 0 {
		b.out = append(b.out, separator(b.closed[n-1], b.open)...)
	}
	b.block = len(b.result.Blocks)
	b.touched, b.visible = b.touched[:0], false
	b.result.Blocks = append(b.result.Blocks, text.Block{Span: text.Span{Start: len(b.out)}, Kind: b.open.kind, Level: b.open.level})
}

// separator is what stands between two blocks.
func separator(a, b *context) string {
	switch {
	case a.row != 0 && a.row == b.row && a.cell != b.cell:
		return "\t"
	case a.table != 0 && a.table == b.table && a.row != b.row:
		return "\n"
	case a.kind == text.ListItem && b.kind == text.ListItem && a.cell != b.cell:
		return "\n"
	}
	return "\n\n"
}

// close ends the open block. One that holds nothing but space is none.
func (b *builder) close() {
	b.space, b.lineEnds = false, 0
	if b.block < 0 {
		return
	}
	block := &b.result.Blocks[b.block]
	kept := bytes.TrimRight(b.out[block.Start:], " \t\n\r\f")
	if !b.visible {
		end := 0
		if b.block > 0 {
			end = b.result.Blocks[b.block-1].End
		}
		b.result.Blocks = b.result.Blocks[:b.block]
		b.truncate(end)
	} else {
		b.truncate(block.Start + len(kept))
		block.End = len(b.out)
		block.Bytes = b.result.Places.Source(block.Span)
		b.closed = append(b.closed, b.open)
		b.result.Within = append(b.result.Within, b.open.node)
	}
	b.block = -1
}

// isBlank says that a text shows nothing.
func isBlank(s string) bool {
	if len(s) > 0 && ' ' < s[0] && s[0] < utf8.RuneSelf {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && r != '\u00ad' && r != '\u200b' && r != '\ufeff' && r != '\u2060' && r != '\u200c' && r != '\u200d'
	}) < 0
}

// truncate takes back what was written last.
func (b *builder) truncate(n int) {
	if n == len(b.out) {
		return
	}
	b.out = b.out[:n]
	places := b.result.Places
	for i := len(places) - 1; i >= 0 && places[i].Text+places[i].Length > n; i-- {
		if places[i].Text >= n {
			places = places[:i]
			continue
		}
		places[i].Length = n - places[i].Text
		places[i].SourceLength = places[i].Length
	}
	b.result.Places = places
	for _, i := range b.touched {
		a := &b.result.Anchors[i].Span
		switch {
		case a.Start >= n:
			*a = text.Span{Start: -1, End: -1}
			b.waiting = min(b.waiting, int(i))
		case a.End > n:
			a.End = n
		}
	}
}

// finish ends the text.
func (b *builder) finish() {
	b.close()
	b.finishQuotes()
	anchors := b.result.Anchors
	for i := range anchors {
		a := &anchors[i].Span
		if a.Start < 0 {
			a.Start = min(b.result.Places.Text(anchors[i].Source), len(b.out))
			a.End = a.Start
		}
		for a.Start < a.End && isSpace(b.out[a.End-1]) {
			a.End--
		}
		for a.Start < len(b.out) && isSpace(b.out[a.Start]) {
			a.Start++
		}
		a.End = max(a.Start, a.End)
	}
	sort.SliceStable(anchors, func(i, j int) bool { return anchors[i].Source < anchors[j].Source })
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
