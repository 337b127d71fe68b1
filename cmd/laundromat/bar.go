package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/docker/go-units"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// bar is the live progress of wash and check on a terminal; off it, and with
// --quiet, it shows nothing. A nil bar works and shows nothing.
type bar struct {
	container *mpb.Progress
	stderr    io.Writer
	reached   *reached

	mu         sync.Mutex
	name       string
	bytes      int64
	size       int64
	statements int64
	notices    int64
	start      time.Time
	line       *mpb.Bar
}

// newBar shows progress on stderr if that is a terminal and the data do not go to
// the same one. The run is one that reads documents.
func (u *ui) newBar(output string) *bar {
	u.reached = &reached{unit: "document", output: output}
	b := &bar{stderr: u.err, start: time.Now(), reached: u.reached}
	if u.quiet || !isTerminal(u.err) || output == "" && isTerminal(u.out) {
		return b
	}
	b.container = mpb.New(mpb.WithOutput(u.err), mpb.WithWidth(40), mpb.WithRefreshRate(200*time.Millisecond))
	b.line = b.container.New(0, mpb.BarStyle().Rbound("|"),
		mpb.PrependDecorators(decor.Any(b.left)),
		mpb.AppendDecorators(decor.Any(b.right)),
	)
	return b
}

func (b *bar) left(decor.Statistics) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf("%.40s ", b.name)
}

func (b *bar) right(decor.Statistics) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	seconds := time.Since(b.start).Seconds()
	rate := float64(b.bytes) / max(seconds, 0.001)
	text := fmt.Sprintf(" %s  %d statements  %d notices  %s/s", units.BytesSize(float64(b.bytes)), b.statements, b.notices,
		units.BytesSize(rate))
	if b.size > b.bytes && rate > 0 {
		left := time.Duration(float64(b.size-b.bytes) / rate * float64(time.Second))
		text += fmt.Sprintf("  %s left", left.Round(time.Second))
	}
	return text
}

// progress shows how far a document is read; the washer calls it.
func (b *bar) progress(name string, bytes, size, statements, notices int64) {
	b.reached.begin(name)
	if b.line == nil {
		return
	}
	b.mu.Lock()
	if b.name != name {
		b.name, b.start = name, time.Now()
	}
	b.bytes, b.size, b.statements, b.notices = bytes, size, statements, notices
	b.mu.Unlock()
	b.line.SetTotal(max(size, bytes+1), false)
	b.line.SetCurrent(bytes)
}

// say names what is done when all documents are read.
func (b *bar) say(what string) {
	b.reached.write()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.name = what
}

// aside writes to stderr without disturbing the bar.
func (b *bar) aside(write func(io.Writer)) {
	if b.container == nil {
		write(b.stderr)
		return
	}
	write(b.container)
}

// stop takes the bar away.
func (b *bar) stop() {
	if b.line != nil {
		b.line.Abort(true)
		b.container.Wait()
	}
}
