package daemon

import (
	"sync"

	"laundromat/internal/digest"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/seedlist"
)

// brokenOff holds the downloads that broke off, by seed, until the next try goes on
// with them. They last as long as a run.
type brokenOff struct {
	mu    sync.Mutex
	parts map[string]*partial
	ended bool
}

// maxBroken is how many are held: each is an open file.
const maxBroken = 64

// partial is a download on its way, over one or more tries.
type partial struct {
	pending files.Pending
	measure *digest.Measure
	part    *fetch.Part // nil: it begins
	// exchanges are those of the tries before.
	exchanges []seedlist.Exchange
	// head is what came, as long as that is no more than is taken on at once.
	head []byte
}

func newPartial(pending files.Pending) *partial {
	return &partial{pending: pending, measure: digest.NewMeasure()}
}

func (p *partial) Write(data []byte) (int, error) {
	n, err := p.pending.Write(data)
	p.measure.Write(data[:n])
	if int(p.pending.Size()) == len(p.head)+n && len(p.head)+n <= mostChained {
		p.head = append(p.head, data[:n]...)
	}
	return n, err
}

// small is what came, if it is taken on at once; else nil.
func (p *partial) small() []byte {
	if int64(len(p.head)) != p.pending.Size() {
		return nil
	}
	return p.head
}

func (p *partial) restart() error {
	p.part, p.measure, p.head = nil, digest.NewMeasure(), p.head[:0]
	return p.pending.Restart()
}

// keep holds what came of a seed; false if there is no room.
func (b *brokenOff) keep(hash string, p *partial) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended || len(b.parts) >= maxBroken || b.parts[hash] != nil || p.part.Bytes != p.pending.Size() {
		return false
	}
	if b.parts == nil {
		b.parts = map[string]*partial{}
	}
	b.parts[hash] = p
	return true
}

// take gives what came of a seed to who goes on with it; nil if nothing did.
func (b *brokenOff) take(hash string) *partial {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.parts[hash]
	delete(b.parts, hash)
	return p
}

// abort gives all up, at the end of a run.
func (b *brokenOff) abort() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.parts {
		p.pending.Abort()
	}
	b.parts, b.ended = nil, true
}
