package jsonread

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"laundromat/internal/fault"
	"laundromat/markup/jsontext"
)

// Sound reads the first value of a JSON text that may be broken. It returns it as JSON (RFC 8259)
// without a fault. What is read there is told to notice, a loss as a drop. The result is nil where
// nothing can be read.
//
// The value is held whole, in at most opt.MaxWeight bytes; one that takes more is an error
// of kind Limit. Of the other options it heeds Guide, Format and MaxDepth.
func Sound(ctx context.Context, text []byte, opt Options, notice func(fault.Notice)) ([]byte, error) {
	opt.MaxBytes = int64(len(text)) + 1
	p := newParser(newSource(ctx, bytes.NewReader(text), opt.MaxBytes, opt.Format), &opt)
	p.space()
	at := p.mark()
	v := p.value()
	if v == nil && p.err == nil && !p.deep {
		p.found, p.depth, p.deep = p.found[:0], 0, false
		p.rewind(at)
		m := mender{tokens: tokens{parser: &p}, last: at.pos}
		m.mend(at)
		m.each(func(one *Value) bool { v = one; return false })
	}
	switch {
	case p.err != nil:
		return nil, p.err
	case p.heavy:
		return nil, fault.New("jsonread.Sound", fault.Limit, fault.LimitMemory, "a broken JSON value that takes more than %d bytes "+
			"of memory", opt.MaxWeight)
	case p.deep:
		return nil, fault.New("jsonread.Sound", fault.Limit, fault.LimitNesting, "brackets are nested more than %d deep", p.maxDepth)
	}
	for _, n := range p.found {
		notice(n)
	}
	if v == nil || v.Kind == Lost {
		return nil, nil
	}
	p.space()
	if _, more := p.peek(); more {
		notice(fault.Notice{Code: fault.JSONSyntax, Severity: fault.Drop, Pos: p.pos(), Lost: 1, Excerpt: p.around(p.at),
			Message: "the text after the first value is not read"})
	}
	return v.appendJSON(nil), p.err
}

// One reads a text that is one value and must be sound, of at most opt.MaxBytes bytes. It returns what
// was found in it, too. The error says why it can't be read.
func One(ctx context.Context, text io.Reader, opt Options) (v *Value, found []fault.Notice, err error) {
	p := newParser(newSource(ctx, text, opt.MaxBytes, opt.Format), &opt)
	p.mark()
	v = p.value()
	switch {
	case p.err != nil:
		return nil, nil, p.err
	case p.long:
		return nil, nil, errors.New("it is too long")
	case v == nil:
		at := p.pos()
		return nil, nil, fmt.Errorf("it is not JSON in line %d, column %d", at.Line, at.Column)
	}
	return v, p.found, nil
}

// appendJSON appends the value as JSON. What was lost of an array is left out.
func (v *Value) appendJSON(dst []byte) []byte {
	switch v.Kind {
	case Array:
		dst = append(dst, '[')
		for _, item := range v.Items {
			if item.Kind == Lost {
				continue
			}
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = item.appendJSON(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsontext.AppendString(dst, v.Members[i].Name), ':')
			dst = v.Members[i].Value.appendJSON(dst)
		}
		return append(dst, '}')
	case Text:
		return jsontext.AppendString(dst, v.Text)
	case Number:
		if json.Valid([]byte(v.Text)) {
			return append(dst, v.Text...)
		}
		return jsontext.AppendString(dst, v.Text)
	case Boolean:
		return append(dst, v.Text...)
	default:
		return append(dst, "null"...)
	}
}
