package logfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"laundromat/internal/logfile"
)

func told(lines int64, why error) []byte { return fmt.Appendf(nil, "lost %d: %v\n", lines, why) }

// place is where lines go. It fails while why is set, and waits while it is shut.
type place struct {
	mu   sync.Mutex
	text bytes.Buffer
	why  error
	came chan struct{} // one for each Write that was tried; nil: nobody counts
}

func (p *place) Write(line []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.came != nil {
		defer func() { p.came <- struct{}{} }()
	}
	if p.why != nil {
		return 0, p.why
	}
	return p.text.Write(line)
}

func (p *place) fail(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.why = why
}

// What can't be written is lost; that is counted, and said in the log when it can be written again.
func TestLostLinesAreCountedAndSaid(t *testing.T) {
	full := errors.New("no space left")
	p := &place{came: make(chan struct{}, 10)}
	s := logfile.NewStream(p, told)
	send := func(line string) {
		fmt.Fprintln(s, line)
		<-p.came
	}
	send("one")
	p.fail(full)
	send("two")
	send("three") // what is tried is to say that one is lost
	p.fail(nil)
	fmt.Fprintln(s, "four")
	<-p.came
	<-p.came
	s.Close(time.Minute)
	if want := "one\nlost 2: no space left\nfour\n"; p.text.String() != want {
		t.Errorf("the log is %q, want %q", p.text.String(), want)
	}
	if lost := s.Lost(); lost.Lines != 2 || lost.Why != full {
		t.Errorf("lost: %+v", lost)
	}
}

// shut is a reader that does not read.
type shut struct{ begun, opened chan struct{} }

func (s shut) Write(line []byte) (int, error) {
	select {
	case s.begun <- struct{}{}:
	default:
	}
	<-s.opened
	return len(line), nil
}

// Who logs never waits for the reader of the log; neither does the end of the program.
func TestAReaderThatDoesNotReadBlocksNobody(t *testing.T) {
	reader := shut{make(chan struct{}, 1), make(chan struct{})}
	defer close(reader.opened)
	s := logfile.NewStream(reader, told)
	line := []byte(strings.Repeat("x", 1<<16-1) + "\n")
	s.Write(line)
	<-reader.begun // the first is being written
	const more = 20
	for range more {
		if n, err := s.Write(line); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	if lost := s.Lost(); lost.Lines != more-16 || !errors.Is(lost.Why, logfile.ErrSlow) {
		t.Errorf("lost: %+v, want %d lines, as 16 of them may wait", lost, more-16)
	}
	s.Close(time.Millisecond)
	s.Close(time.Millisecond)
}

// Close writes what waits, in order, and what comes after it is counted as lost.
func TestCloseWritesWhatWaits(t *testing.T) {
	var p place
	s := logfile.NewStream(&p, told)
	var want strings.Builder
	for n := range 1000 {
		fmt.Fprintln(s, n)
		fmt.Fprintln(&want, n)
	}
	s.Close(time.Minute)
	if p.text.String() != want.String() {
		t.Error("the log is not what was written to it")
	}
	fmt.Fprintln(s, "late")
	if s.Lost().Lines != 1 {
		t.Errorf("lost: %+v", s.Lost())
	}
}
