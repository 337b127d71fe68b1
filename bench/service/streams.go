package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"laundromat/bench/process"
)

// streamed is how many seeds come and fail while streams are open. Each is of this machine, which the daemon
// refuses to ask: so each fails at once, and changes three times.
const streamed = 20_000

// measureStreams runs a daemon without streams and one with many, and prints the memory of both.
func measureStreams(ctx context.Context, folder string, streams int, memory string) error {
	dir, err := os.MkdirTemp(folder, "streams")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := process.Build(ctx, dir)
	if err != nil {
		return err
	}
	var list bytes.Buffer
	for i := range streamed {
		fmt.Fprintf(&list, "http://127.0.0.1:9/%d.ttl\n", i)
	}
	uris := filepath.Join(dir, "uris")
	if err := os.WriteFile(uris, list.Bytes(), 0o600); err != nil {
		return err
	}
	var peaks [2]int64
	for i, n := range []int{0, streams} {
		if peaks[i], err = streamRound(ctx, round{program, filepath.Join(dir, fmt.Sprint("data", n)), uris, memory, n}); err != nil {
			return err
		}
	}
	fmt.Printf("%d streams: %.1f MiB more at most\n", streams, mebibytes(peaks[1]-peaks[0]))
	return nil
}

func mebibytes(n int64) float64 { return float64(n) / (1 << 20) }

// round is one run of a daemon.
type round struct {
	program, data string
	uris          string // the file of what is added
	memory        string // of the daemon
	streams       int
}

// streamRound opens streams of a new daemon, adds the seeds, and waits until all have failed. It returns the most
// anonymous memory of the daemon.
func streamRound(ctx context.Context, r round) (peak int64, err error) {
	program, data, uris, streams := r.program, r.data, r.uris, r.streams
	daemon := exec.CommandContext(ctx, program, "serve", "--data", data, "--listen", "127.0.0.1:0", "-q", "--host-delay", "0",
		"--host-connections", "64", "--memory", r.memory)
	if err := daemon.Start(); err != nil {
		return 0, err
	}
	defer func() {
		daemon.Process.Signal(os.Interrupt)
		daemon.Wait()
	}()
	var address string
	for range 500 {
		if text, err := os.ReadFile(filepath.Join(data, "address")); err == nil {
			address = strings.TrimSpace(string(text))
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	look := func() int64 {
		now := process.Anonymous(daemon.Process.Pid)
		peak = max(peak, now)
		return now
	}
	idle := look()
	reading := make([]streamReader, streams)
	for i := range reading {
		if err := reading[i].open(address); err != nil {
			return 0, fmt.Errorf("stream %d of %d: %w", i, streams, err)
		}
		defer reading[i].conn.Close()
	}
	var all sync.WaitGroup
	for i := range reading {
		all.Go(reading[i].read)
	}
	time.Sleep(2 * time.Second)
	open := look()
	begin := time.Now()
	if out, err := exec.CommandContext(ctx, program, "seed", "add", "--data", data, "-q", "--seeds", uris).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %.300s", err, out)
	}
	last := int64(3 * streamed) // the revision of the last change
	var seconds float64
	for slowest := int64(0); slowest < last; look() {
		if time.Since(begin) > 5*time.Minute {
			return 0, fmt.Errorf("after five minutes a stream has come to %d of %d changes", slowest, last)
		}
		time.Sleep(20 * time.Millisecond)
		slowest = last
		for i := range reading {
			slowest = min(slowest, reading[i].last.Load())
		}
		if streams == 0 {
			if slowest, err = failed(ctx, program, data); err != nil {
				return 0, err
			}
			slowest *= 3
		}
		seconds = time.Since(begin).Seconds()
	}
	var events, late, received int64
	for i := range reading {
		events, late, received = events+reading[i].events, late+reading[i].late, received+reading[i].bytes
	}
	for i := range reading {
		reading[i].conn.Close()
	}
	all.Wait()
	fmt.Printf("%5d streams: %6.1f MiB idle, %6.1f with the streams, %6.1f at most while %d seeds failed in %.1f s; %d events, %d late, %.1f MB\n",
		streams, mebibytes(idle), mebibytes(open), mebibytes(peak), streamed, seconds, events, late, float64(received)/1e6)
	return peak, nil
}

// failed is how many seeds have failed.
func failed(ctx context.Context, program, data string) (int64, error) {
	out, err := exec.CommandContext(ctx, program, "stats", "--data", data, "--json").Output()
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(out), `"failed":`)
	end := strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		return 0, errors.New("stats do not say how many have failed")
	}
	return strconv.ParseInt(after[:end], 10, 64)
}

// streamReader reads a stream of events.
type streamReader struct {
	conn                net.Conn
	last                atomic.Int64 // the revision of the last event
	events, late, bytes int64
}

func (s *streamReader) open(address string) (err error) {
	if s.conn, err = net.Dial("tcp", address); err == nil {
		_, err = fmt.Fprintf(s.conn, "GET /api/v1/events HTTP/1.1\r\nHost: %s\r\n\r\n", address)
	}
	return err
}

func (s *streamReader) read() {
	in := bufio.NewReaderSize(s.conn, 4<<10)
	for {
		line, err := in.ReadSlice('\n')
		s.bytes += int64(len(line))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return
		}
		if id, isID := bytes.CutPrefix(line, []byte("id: ")); isID {
			if n, err := strconv.ParseInt(string(bytes.TrimSpace(id)), 10, 64); err == nil {
				s.last.Store(n)
			}
		}
		if name, isEvent := bytes.CutPrefix(line, []byte("event: ")); isEvent {
			s.events++
			if bytes.HasPrefix(name, []byte("late")) {
				s.late++
			}
		}
	}
}
