package peer

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// startTime is how long a driver may take until it answers for the first time.
const startTime = time.Minute

type request struct {
	Format string `json:"format"`
	Base   string `json:"base"`
	File   string `json:"file"`
}

// driver is a process that answers requests, one at a time.
type driver struct {
	command *exec.Cmd
	in      io.WriteCloser
	lines   chan []byte // answers; closed when it writes no more
	kill    context.CancelFunc
}

// start starts a driver. The goroutine that reads its answers ends with it.
func start(ctx context.Context, p *Peer) (*driver, error) {
	ctx, kill := context.WithCancel(ctx)
	d := &driver{command: p.command(ctx, p.serve), kill: kill, lines: make(chan []byte)}
	var err error
	if d.in, err = d.command.StdinPipe(); err != nil {
		kill()
		return nil, err
	}
	out, err := d.command.StdoutPipe()
	if err == nil {
		err = d.command.Start()
	}
	if err != nil {
		kill()
		return nil, err
	}
	go func() {
		defer close(d.lines)
		from := bufio.NewReader(out)
		for {
			line, err := from.ReadBytes('\n')
			if err != nil {
				return
			}
			select {
			case d.lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	return d, nil
}

// stop ends a driver and waits for it.
func (d *driver) stop() {
	d.in.Close()
	d.kill()
	for range d.lines {
	}
	_ = d.command.Wait() // it was killed
}

// ask asks the driver, which is started where there is none. One that does not answer
// within the limit, or dies, is ended, and has said nothing.
func (p *Peer) ask(ctx context.Context, q request, limit time.Duration) (Answer, error) {
	if p.driver == nil {
		d, err := start(ctx, p)
		if err != nil {
			return Answer{}, err
		}
		p.driver = d
		// The first file costs the time to load what reads it.
		if _, err := p.once(ctx, q, startTime); err != nil {
			return Answer{}, err
		}
		if p.driver == nil {
			return Answer{Stopped: true, Error: "did not answer"}, nil
		}
	}
	return p.once(ctx, q, limit)
}

func (p *Peer) once(ctx context.Context, q request, limit time.Duration) (a Answer, err error) {
	text, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	if _, err := p.driver.in.Write(append(text, '\n')); err != nil {
		p.Close()
		return a, fmt.Errorf("%s: %w", p.Name, err)
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case line, ok := <-p.driver.lines:
		if !ok {
			p.Close()
			return Answer{Error: "died"}, nil
		}
		if err := json.Unmarshal(line, &a); err != nil {
			p.Close()
			return a, fmt.Errorf("%s: %w", p.Name, err)
		}
		return a, nil
	case <-timer.C:
		p.Close()
		return Answer{Stopped: true, Error: "did not answer"}, nil
	case <-ctx.Done():
		p.Close()
		return a, ctx.Err()
	}
}
