package xmltext

import (
	"bytes"
	"context"

	"laundromat/internal/fault"
)

// Pass skips the n bytes that follow the token, which the caller reads by
// itself. Only after a start tag that is in no entity and is not empty may it be called.
func (r *Reader) Pass(ctx context.Context, n int) error {
	r.clear()
	if r.cur.offset <= r.offset(r.pos) {
		r.mark = r.cur
	}
	r.start = r.pos
	if err := r.need(ctx, n); err != nil {
		return err
	}
	r.pos = min(r.start+n, r.end)
	r.fresh, r.indent = false, -1
	return nil
}

// takeProlog learns what Options.Prolog declares.
func (r *Reader) takeProlog() {
	opt := r.opt
	opt.Prolog, opt.Guide, opt.Comments = nil, nil, false
	p := NewReader(bytes.NewReader(r.opt.Prolog), opt, unheard{})
	for {
		// The text is in memory, and no longer than one that was read before.
		if kind, err := p.Next(context.Background()); err != nil || kind == End {
			break
		}
	}
	r.entities, r.defaults, r.declared, r.external = p.entities, p.defaults, p.declared, p.external
}

// unheard is reported what was reported before.
type unheard struct{}

func (unheard) Notice(fault.Notice) {}
