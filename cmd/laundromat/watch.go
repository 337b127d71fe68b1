package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/docker/go-units"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"laundromat/seedlist"
	"laundromat/states/daemon"
	"laundromat/web/story"
)

// logWriter is where the log goes: to stderr, or above a live bar.
type logWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (l *logWriter) set(to io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.to = to
}

func (l *logWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(p)
}

// watch shows how far "serve --until-idle" has come: a bar on a terminal, a plain
// line now and then elsewhere.
type watch struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// watchEvery is the pause between two plain lines.
const watchEvery = 10 * time.Second

func (p *program) watch(seeds seedlist.Reader, runner *daemon.Runner, untilIdle bool) *watch {
	ctx, cancel := context.WithCancel(context.Background())
	w := &watch{cancel: cancel}
	if p.quiet || !untilIdle {
		return w
	}
	if !isTerminal(p.err) {
		w.done.Go(func() { p.watchPlainly(ctx, seeds, runner) })
		return w
	}
	w.done.Go(func() { p.watchBar(ctx, seeds) })
	return w
}

func (w *watch) stop() {
	w.cancel()
	w.done.Wait()
}

// sums are what a watcher shows.
type sums struct {
	rest, all                    int64
	statements, notices, byteSum int64
}

func look(ctx context.Context, seeds seedlist.Reader) sums {
	counts, err := seeds.Counts(ctx)
	if err != nil {
		return sums{}
	}
	var s sums
	for state, n := range counts.States {
		if state == seedlist.Cleaned {
			continue
		}
		s.all += n
		if state.IsFinal() {
			s.rest += n
		}
	}
	s.rest += counts.Relative + counts.Fragments
	for _, found := range counts.Notices {
		s.notices += found.Times
	}
	s.statements, s.byteSum = counts.Statements.Written, counts.Bytes
	return s
}

func (p *program) watchPlainly(ctx context.Context, seeds seedlist.Reader, runner *daemon.Runner) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s := look(ctx, seeds)
		fmt.Fprintf(p.err, "laundromat: %d of %d seeds at rest, %d at work; %d statements, %d notices, %d bytes\n",
			s.rest, s.all, runner.Progress().Busy, s.statements, s.notices, s.byteSum)
		for _, pause := range runner.Pauses() {
			fmt.Fprintf(p.err, "laundromat: %s is paused: %s\n", pause.Stage, seedlist.ShownIn(pause.Why.Error()))
		}
	}
}

func (p *program) watchBar(ctx context.Context, seeds seedlist.Reader) {
	progress := mpb.New(mpb.WithOutput(p.err), mpb.WithWidth(40))
	p.logTo.set(progress) // what is logged is above the bar
	defer p.logTo.set(p.err)
	var mu sync.Mutex
	var now sums
	start := time.Now()
	bar := progress.New(0, mpb.BarStyle().Rbound("|"),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d seeds ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			mu.Lock()
			defer mu.Unlock()
			seconds := max(time.Since(start).Seconds(), 0.001)
			text := fmt.Sprintf(" %s  %d statements  %d notices  %.0f seeds/s", units.BytesSize(float64(now.byteSum)), now.statements, now.notices, float64(now.rest)/seconds)
			if left := now.all - now.rest; left > 0 && now.rest > 0 {
				text += fmt.Sprintf("  %s left", (time.Duration(seconds*float64(left)/float64(now.rest)) * time.Second).Round(time.Second))
			}
			return text
		})))
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		s := look(context.WithoutCancel(ctx), seeds)
		mu.Lock()
		now = s
		mu.Unlock()
		bar.SetTotal(s.all+1, false)
		bar.SetCurrent(s.rest)
		select {
		case <-ctx.Done():
			bar.Abort(true)
			progress.Wait()
			return
		case <-tick.C:
		}
	}
}

// summary is the table of what happened: a line for each seed, if they are few, and
// the counts.
func (p *program) summary(h *house) error {
	counts, err := h.seeds.Counts(context.Background())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.out)
	if dirty := counts.Seeds - counts.States[seedlist.Cleaned]; dirty <= summaryRows && !p.json {
		if err := p.summaryTable(out, h.seeds); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if p.json {
		return encodeTo(p.out, counts)
	}
	return p.showStats(counts)
}

// summaryRows is the most seeds that are listed one by one.
const summaryRows = 100

func (p *program) summaryTable(out *bufio.Writer, seeds seedlist.Reader) error {
	all, _, err := seeds.List(context.Background(), seedlist.Filter{Limit: 2 * summaryRows})
	if err != nil {
		return err
	}
	for i := range all {
		if err := seeds.FillOutcomes(context.Background(), &all[i]); err != nil {
			return err
		}
	}
	names := map[string]string{}
	for _, seed := range all {
		name := story.NameOf(seed)
		if parent, ok := names[seed.Parent]; ok && seed.Archive != nil {
			name = parent + "!/" + seed.Archive.Entry
		}
		names[seed.Hash] = name
	}
	all = slices.DeleteFunc(all, func(seed seedlist.Seed) bool { return seed.Status == seedlist.Cleaned })
	fmt.Fprintf(out, "%-9s %-9s %10s %8s %8s  %s\n", "state", "format", "statements", "repaired", "dropped", "seed")
	for _, seed := range all {
		s := statements(seed)
		why := ""
		if seed.Error != nil {
			why = fmt.Sprintf("  (%s: %s)", seed.Error.Code, seed.Error.Message)
		}
		fmt.Fprintf(out, "%-9s %-9s %10d %8d %8d  %s%s\n", story.StateOf(seed), seed.Format, s.Written, s.Repaired, s.Dropped, names[seed.Hash], why)
	}
	fmt.Fprintln(out)
	return nil
}
