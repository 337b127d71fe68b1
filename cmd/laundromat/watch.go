package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/docker/go-units"
	"github.com/rs/zerolog"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"laundromat/internal/logfile"
	"laundromat/seedlist"
	"laundromat/states/daemon"
	"laundromat/storage"
	"laundromat/web"
	"laundromat/web/story"
)

// watch shows how far "serve --until-idle" has come: a bar on a terminal, a plain
// line now and then elsewhere.
type watch struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// watchEvery is the pause between two plain lines.
const watchEvery = 10 * time.Second

func startWatch(u *ui, seeds seedlist.List, runner *daemon.Runner, log *logfile.Log, untilIdle bool) *watch {
	ctx, cancel := context.WithCancel(context.Background())
	w := &watch{cancel: cancel}
	if u.quiet || !untilIdle {
		return w
	}
	if !isTerminal(u.err) {
		w.done.Go(func() { watchPlainly(ctx, seeds, runner, log.Logger) })
		return w
	}
	w.done.Go(func() { watchBar(ctx, u, seeds, log) })
	return w
}

func (w *watch) stop() {
	w.cancel()
	w.done.Wait()
}

// hostsInProgress is how many of the hosts that seeds wait for a line of progress names, and
// waitsEvery how often a bar looks for them.
const (
	hostsInProgress = 3
	waitsEvery      = 2 * time.Second
)

// lookForWaits says what can't be worked on now; nothing where that can't be read.
func lookForWaits(ctx context.Context, seeds seedlist.Hosts) []string {
	waits, err := seeds.Waits(ctx, hostsInProgress)
	if err != nil {
		return nil
	}
	return story.Waits(waits)
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

func watchPlainly(ctx context.Context, seeds seedlist.List, runner *daemon.Runner, log zerolog.Logger) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s := look(ctx, seeds)
		log.Info().Int64("seeds", s.all).Int64("at_rest", s.rest).Int64("at_work", runner.Progress().Busy).
			Int64("statements", s.statements).Int64("notices", s.notices).Int64("bytes", s.byteSum).Strs("waits",
			lookForWaits(ctx, seeds)).Msg("progress")
		for _, pause := range runner.Pauses() {
			log.Warn().Str("stage", string(pause.Stage)).Time("since", pause.Since).Str("trouble", seedlist.ShownIn(pause.Why.Error())).Msg(
				"paused")
		}
	}
}

// noteWashers logs how many documents other versions of the program washed, as soon as the lists know that.
func noteWashers(ctx context.Context, folder *storage.Folder, log zerolog.Logger) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for folder.Views.AsOf().Building {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	for _, one := range web.OtherWashers(ctx, folder.Views, version().String()) {
		log.Info().Str("washer", one.Washer).Int64("documents", one.Seeds).Msg(one.String() +
			": \"laundromat seed rewash\" washes them again, with --dry-run --sample 100 some of them beside")
	}
}

func watchBar(ctx context.Context, u *ui, seeds seedlist.List, log *logfile.Log) {
	progress := mpb.New(mpb.WithOutput(u.err), mpb.WithWidth(40))
	defer log.Lift(progress, mpb.ErrDone)()
	var mu sync.Mutex
	var now sums
	var waits []string
	var lookedForWaits time.Time
	start := time.Now()
	bar := progress.New(0, mpb.BarStyle().Rbound("|"),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d seeds ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			mu.Lock()
			defer mu.Unlock()
			seconds := max(time.Since(start).Seconds(), 0.001)
			text := fmt.Sprintf(" %s  %d statements  %d notices  %.0f seeds/s", units.BytesSize(float64(now.byteSum)), now.statements,
				now.notices, float64(now.rest)/seconds)
			if left := now.all - now.rest; left > 0 && now.rest > 0 {
				text += fmt.Sprintf("  %s left", (time.Duration(seconds*float64(left)/float64(now.rest)) * time.Second).Round(time.Second))
			}
			if len(waits) > 0 {
				text += "  waiting: " + waits[0]
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
		if time.Since(lookedForWaits) > waitsEvery {
			lookedForWaits = time.Now()
			found := lookForWaits(context.WithoutCancel(ctx), seeds)
			mu.Lock()
			waits = found
			mu.Unlock()
		}
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

// writeSummary is the table of what happened: a line for each seed, if they are few, and
// the counts.
func writeSummary(u *ui, folder *storage.Folder) error {
	counts, err := folder.Seeds.Counts(context.Background())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(u.out)
	if dirty := counts.Seeds - counts.States[seedlist.Cleaned]; dirty <= summaryRows && !u.json {
		if err := listSeeds(out, folder.Seeds); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if u.json {
		return encodeTo(u.out, counts)
	}
	return errors.Join(story.WriteCounts(u.out, counts), showLeft(u, folder.Seeds, &counts))
}

// showLeft says what waits for people, where a daemon came to its end all the same.
func showLeft(u *ui, seeds seedlist.List, counts *seedlist.Counts) error {
	waits, err := seeds.Waits(context.Background(), hostsInProgress)
	if err != nil {
		return err
	}
	held, err := seeds.Held(context.Background())
	if err != nil {
		return err
	}
	if n := waitingIn(counts); n > 0 && len(held) > 0 {
		for i := range held {
			held[i] = heldWords(held[i])
		}
		if _, err := fmt.Fprintf(u.out, "waits       %s; paused by people: %s; \"laundromat resume\" goes on\n", counted(int(n), "seed", "seeds"),
			strings.Join(held, ", ")); err != nil {
			return err
		}
		waits.Later = 0 // the same seeds, put off
	}
	return showWaits(u, waits)
}

// waitingIn is how many seeds are ready for a stage.
func waitingIn(counts *seedlist.Counts) int64 {
	n := -counts.Relative - counts.Fragments
	for _, stage := range seedlist.Stages() {
		n += counts.States[stage.Ready()]
	}
	return n
}

// summaryRows is the most seeds that are listed one by one.
const summaryRows = 100

// listSeeds writes a line for each seed.
func listSeeds(out io.Writer, seeds seedlist.Reader) error {
	all, _, err := seeds.List(context.Background(), seedlist.Filter{Limit: 2 * summaryRows})
	if err != nil {
		return err
	}
	for i := range all {
		if err := seeds.FillOutcomes(context.Background(), &all[i]); err != nil {
			return err
		}
	}
	return story.WriteTable(out, all)
}
