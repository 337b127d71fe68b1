package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"laundromat/internal/files/blobtest"
	"laundromat/internal/testkit/hosts"
	"laundromat/internal/testkit/link"
	"laundromat/seedlist/postgres/pgtest"
)

// workforce is many daemons that share a database and a bucket, each with ways of its own to both, which can be cut.
type workforce struct {
	t        *testing.T
	database *pgtest.Server
	store    *blobtest.Gateway
	web      *hosts.Web
	random   *rand.Rand
	began    time.Time
	workers  []*worker
	ended    chan *worker // those that have found nothing left to do
	wrong    chan error   // what is a fault of the program
	calm     chan struct{}

	mu  sync.Mutex
	log []string
}

// worker is one of the daemons. It is started again whenever it ends before all is done.
type worker struct {
	force       *workforce
	number      int
	folder      string
	toDatabase  *link.Link
	toStore     *link.Link
	mu          sync.Mutex
	process     *os.Process // nil while none runs
	incarnation int
	isTold      bool // to stop
}

func (l *workforce) note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log = append(l.log, fmt.Sprintf("%6.1f s  ", time.Since(l.began).Seconds())+fmt.Sprintf(format, args...))
}

const ourContact = "https://example.org/our-crawler"

// visiting are the flags of a daemon that visits the web.
func visiting(web *hosts.Web, data, contact string, more ...string) []string {
	return append([]string{
		"serve", "--until-idle", "--listen", "127.0.0.1:0", "--allow-private", "--contact", contact, "--data", data, "--catalog",
		web.Catalog(),
		"--host-delay", hostDelay.String(), "--robots-retry", robotsRetry.String(), "--tries", "4", "--retry-delay", "2s",
	}, more...)
}

const (
	hostDelay   = 200 * time.Millisecond
	robotsRetry = 5 * time.Second
)

// hire adds a worker and starts it.
func (l *workforce) hire(bucket string) {
	l.t.Helper()
	w := &worker{force: l, number: len(l.workers), folder: l.t.TempDir()}
	var err error
	if w.toDatabase, err = link.To(fmt.Sprint("127.0.0.1:", l.database.Port())); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(w.toDatabase.Close)
	if w.toStore, err = link.To(strings.TrimPrefix(l.store.Endpoint, "http://")); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(w.toStore.Close)
	l.workers = append(l.workers, w)
	go w.work(bucket)
}

// work runs the worker until it finds nothing left to do.
func (w *worker) work(bucket string) {
	l := w.force
	address, err := url.Parse(l.database.Address)
	if err != nil {
		l.wrong <- err
		return
	}
	address.Host = w.toDatabase.Address()
	for {
		w.mu.Lock()
		w.incarnation++
		w.isTold = false
		contact := fmt.Sprintf("%s?worker=%d.%d", ourContact, w.number, w.incarnation)
		command := process(l.t, w.folder, visiting(l.web, filepath.Join(w.folder, "data"), contact,
			"--store", address.String(), "--blobs", "s3://"+bucket+"?endpoint=http://"+w.toStore.Address(), "--log-events")...)
		said, err := os.Create(filepath.Join(w.folder, fmt.Sprint("said.", w.incarnation)))
		if err == nil {
			command.Stdout, command.Stderr = said, said
			err = command.Start()
		}
		if err != nil {
			w.mu.Unlock()
			l.wrong <- err
			return
		}
		w.process = command.Process
		w.mu.Unlock()
		err = command.Wait()
		said.Close()
		w.mu.Lock()
		w.process = nil
		isDone := err == nil && !w.isTold
		w.mu.Unlock()
		if isDone {
			l.note("worker %d has found nothing left to do", w.number)
			l.ended <- w
			return
		}
		if err := w.judgeEnd(said.Name(), err); err != nil {
			l.wrong <- err
			return
		}
		select {
		case <-time.After(time.Second): // as who watches over a service does
		case <-l.t.Context().Done():
			return
		}
	}
}

// judgeEnd holds how a worker ended that was killed, told to stop, or could not go on.
func (w *worker) judgeEnd(name string, ended error) error {
	text, _ := os.ReadFile(name)
	if bytes.Contains(text, []byte("panic:")) || bytes.Contains(text, []byte("goroutine ")) {
		return fmt.Errorf("worker %d: %s", w.number, text)
	}
	var exit *exec.ExitError
	if ended != nil && !errors.As(ended, &exit) {
		return ended
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	w.force.note("worker %d ended (%v): %s", w.number, ended, lines[len(lines)-1])
	return nil
}

// signal sends a signal to the worker, if it runs.
func (w *worker) signal(s os.Signal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.process != nil {
		w.process.Signal(s)
		w.isTold = true
	}
}

// disturb does something to one worker, or to a server, and waits for a while.
func (l *workforce) disturb(n int) error {
	w := l.workers[l.random.IntN(len(l.workers))]
	pause := time.Duration(1000+l.random.IntN(3000)) * time.Millisecond
	switch {
	case n%8 == 3:
		l.note("the database dies for %v", pause/2)
		l.database.Stop()
		time.Sleep(pause / 2)
		return l.database.Again()
	case n%16 == 7:
		l.note("the store dies for %v", pause/2)
		l.store.Stop()
		time.Sleep(pause / 2)
		return l.store.Again()
	}
	modes := []link.Mode{link.Refused, link.Frozen, link.Lost, link.Slow}
	mode := modes[l.random.IntN(len(modes))]
	lasts := time.Duration(500+l.random.IntN(10_000)) * time.Millisecond
	calm, isLong := l.calm, n%12 == 1
	if isLong {
		lasts, calm = 75*time.Second, nil // longer than a worker may be away
	}
	cut := func(what string, links ...*link.Link) {
		l.note("worker %d: its way to %s is %v for %v", w.number, what, mode, lasts)
		for _, one := range links {
			one.Set(mode)
		}
		go func() {
			select {
			case <-time.After(lasts):
			case <-calm:
			}
			for _, one := range links {
				one.Set(link.Whole)
			}
		}()
	}
	switch what := l.random.IntN(6); {
	case what == 0 || isLong && what < 3:
		cut("the database", w.toDatabase)
	case what == 1:
		cut("the store", w.toStore)
	case what == 2 || isLong:
		cut("both", w.toDatabase, w.toStore)
	case what == 3:
		l.note("worker %d is told to stop", w.number)
		w.signal(syscall.SIGTERM)
	default:
		l.note("worker %d is killed", w.number)
		w.signal(syscall.SIGKILL)
	}
	time.Sleep(pause)
	return nil
}

// awaitEnd waits until all workers have found nothing left to do. Meanwhile something is disturbed so often.
func (l *workforce) awaitEnd(disturbances int) {
	l.t.Helper()
	disturbed := make(chan error, 1)
	go func() {
		defer close(l.calm)
		for n := range disturbances {
			if err := l.disturb(n); err != nil {
				disturbed <- err
				return
			}
		}
		l.note("nothing is disturbed any more")
		disturbed <- nil
	}()
	late := time.After(4*time.Minute + time.Duration(disturbances)*15*time.Second)
	for n, isCalm := 0, false; n < len(l.workers) || !isCalm; {
		select {
		case <-l.ended:
			n++
		case err := <-disturbed:
			if isCalm = true; err != nil {
				l.t.Fatal(err)
			}
		case err := <-l.wrong:
			l.t.Fatal(err)
		case <-late:
			l.t.Fatal("the work does not end")
		}
	}
}

// keep copies what the workers said to a folder; "" for none.
func (l *workforce) keep(folder string) {
	if folder == "" {
		return
	}
	for _, w := range l.workers {
		for n := 1; n <= w.incarnation; n++ {
			text, _ := os.ReadFile(filepath.Join(w.folder, fmt.Sprint("said.", n)))
			os.WriteFile(filepath.Join(folder, fmt.Sprintf("worker-%d.%d", w.number, n)), text, 0o600)
		}
	}
}

// withRaceDetector says that the program is built with it.
func withRaceDetector() bool {
	info, _ := debug.ReadBuildInfo()
	return info != nil && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
		return s.Key == "-race" &&
			s.Value == "true"
	})
}
