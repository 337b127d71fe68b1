package article

import (
	"bytes"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/text"
	"laundromat/text/link"
)

// FromText makes the article of a plain text, which is UTF-8. Its paragraphs are blocks; an empty line or a form feed
// ends one. White space in them stays, so that verse, lists and columns do; lines end in LF. It is nil if there is no
// text, which is told. A plain text says nothing of its date.
func FromText(source []byte, opt Options, to Listener) *text.Article {
	a := &text.Article{Source: opt.Source, URL: opt.URL}
	p := &plain{source: source, article: a, nul: -1, out: make([]byte, 0, len(source)+64)}
	for p.at < len(source) {
		p.line()
	}
	p.close()
	a.Text = string(p.out)
	if p.nul >= 0 {
		to.Notice(fault.Notice{Code: fault.TextNUL, Severity: fault.Warning, Pos: position(source, p.nul),
			Excerpt: fault.Excerpt(source[p.nul:min(len(source), p.nul+fault.MaxExcerpt)]),
			Message: fmt.Sprintf("the text holds the character U+0000, in all %d times; it is left out", bytes.Count(source, []byte{0}))})
	}
	tellControls(a, source, to)
	if len(a.Blocks) == 0 {
		to.Notice(fault.Notice{Code: fault.TextEmpty, Severity: fault.Note, Message: "the file has no text"})
		return nil
	}
	link.Complete(a, opt.URL)
	if opt.Key != nil {
		a.ID = opt.Key(firstOf(a.URL, opt.Source))
	}
	to.Notice(fault.Notice{Code: fault.TextNoDate, Severity: fault.Note, Message: "a plain text does not say when it was published"})
	return a
}

// plain cuts a plain text into paragraphs.
type plain struct {
	source  []byte
	article *text.Article
	out     []byte
	at      int
	open    bool
	nul     int // where the first U+0000 is; -1 for none
}

// line takes a line.
func (p *plain) line() {
	from := p.at
	end := len(p.source)
	p.at = end
	if n := bytes.IndexAny(p.source[from:], "\n\r\f"); n >= 0 {
		end, p.at = from+n, from+n+1
		if bytes.HasPrefix(p.source[end:], []byte("\r\n")) {
			p.at++
		}
	}
	line := p.source[from:end]
	if len(bytes.Trim(line, " \t\v\x00\u00a0\ufeff")) == 0 {
		p.noteNUL(line, from)
		p.close()
		return
	}
	if p.open {
		p.out = append(p.out, '\n')
	} else {
		if len(p.article.Blocks) > 0 {
			p.out = append(p.out, "\n\n"...)
		}
		p.article.Blocks = append(p.article.Blocks, text.Block{Span: text.Span{Start: len(p.out)}})
		p.open = true
	}
	p.noteNUL(line, from)
	for len(line) > 0 {
		n := bytes.IndexByte(line, 0)
		if n < 0 {
			n = len(line)
		}
		if n > 0 {
			p.article.Places = p.article.Places.Append(text.Run{Text: len(p.out), Length: n, Source: from, SourceLength: n})
			p.out = append(p.out, line[:n]...)
		}
		from += min(n+1, len(line))
		line = line[min(n+1, len(line)):]
	}
	if end < len(p.source) && p.source[end] == '\f' {
		p.close()
	}
}

func (p *plain) noteNUL(line []byte, from int) {
	if n := bytes.IndexByte(line, 0); n >= 0 && p.nul < 0 {
		p.nul = from + n
	}
}

// close ends the paragraph.
func (p *plain) close() {
	if !p.open {
		return
	}
	p.open = false
	b := &p.article.Blocks[len(p.article.Blocks)-1]
	b.End = len(p.out)
	b.Bytes = p.article.Places.Source(b.Span)
}
