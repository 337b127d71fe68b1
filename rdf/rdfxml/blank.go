package rdfxml

import (
	"bytes"
	"context"
	"strconv"
)

// content is what an element holds apart from comments and processing instructions.
type content uint8

const (
	otherContent content = iota
	blankContent         // white space
	noContent
	longContent // what is seen of it is not enough to decide
)

// contentBehind is the content of the element whose start tag is asked about.
func (p *parser) contentBehind(ctx context.Context) (content, error) {
	const first, most = 32, 64 << 10 // the comments may be long
	for size := first; size <= most; size *= 8 {
		b, err := p.x.Behind(ctx, size)
		if err != nil {
			return otherContent, err
		}
		if is := contentOf(b); is != longContent {
			return is, nil
		}
		if len(b) < size {
			break
		}
	}
	return otherContent, nil
}

// contentOf is the content that b begins with.
func contentOf(b []byte) content {
	is := noContent
	for len(b) > 0 {
		switch {
		case b[0] == ' ' || b[0] == '\n' || b[0] == '\t' || b[0] == '\r':
			is = blankContent
			b = b[1:]
		case bytes.HasPrefix(b, endLess):
			return is
		case b[0] == '&':
			const longest = 16
			n := bytes.IndexByte(b[:min(len(b), longest)], ';')
			if n < 0 && len(b) < longest {
				return longContent
			}
			if n < 0 || !isBlankReference(b[:n]) {
				return otherContent
			}
			is = blankContent
			b = b[n+1:]
		case b[0] == '<' && len(b) < len(cdata):
			return longContent
		case bytes.HasPrefix(b, cdata):
			n := bytes.Index(b, cdataEnd)
			if n < 0 {
				return longContent
			}
			inside := b[len(cdata):n]
			if len(bytes.TrimLeft(inside, " \t\r\n")) > 0 {
				return otherContent
			}
			if len(inside) > 0 {
				is = blankContent
			}
			b = b[n+len(cdataEnd):]
		case bytes.HasPrefix(b, comment), bytes.HasPrefix(b, instruction):
			begin, end := comment, commentEnd
			if b[1] == '?' {
				begin, end = instruction, instructionEnd
			}
			n := bytes.Index(b[len(begin):], end)
			if n < 0 {
				return longContent
			}
			b = b[len(begin)+n+len(end):]
		default:
			return otherContent
		}
	}
	return longContent
}

// isBlankReference says that a reference without its semicolon is one to a character of white space.
func isBlankReference(b []byte) bool {
	digits, isNumber := bytes.CutPrefix(b, []byte("&#"))
	if !isNumber {
		return false
	}
	base := 10
	if hex, ok := bytes.CutPrefix(digits, []byte("x")); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	return err == nil && (n == ' ' || n == '\t' || n == '\n' || n == '\r')
}

var (
	comment, commentEnd         = []byte("<!--"), []byte("-->")
	instruction, instructionEnd = []byte("<?"), []byte("?>")
	cdata, cdataEnd             = []byte("<![CDATA["), []byte("]]>")
)
