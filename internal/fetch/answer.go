package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"laundromat/internal/fault"
)

// Causes with which a request is ended from our side.
var (
	errSlowHeaders = errors.New("no reply came in time")
	errSilence     = errors.New("nothing came for too long")
	errSlow        = errors.New("too little came in too long")
	errShort       = errors.New("the body ended before its end")
)

// brokenByUs are causes with which a body is broken off that may have gone on.
var brokenByUs = []error{errSilence, errSlow, errHostLost}

// answer is one request and what came of it. It must be closed.
type answer struct {
	ctx     context.Context // the caller's
	uri     string
	host    string // without port
	offline *offline
	start   time.Time
	reply   *http.Response // nil if none came
	failure error
	idle    time.Duration
	// least is how many bytes must come in each idle; came did since window.
	least, came int64
	window      time.Time
	latency     time.Duration // from the request to the headers
	permit      *permit
	rest        time.Duration     // that the host asked for
	conditions  map[string]string // headers that ask for less than the whole
	inner       context.Context   // the request's own, ended by the timer
	cancel      context.CancelCauseFunc
	timer       *time.Timer
	head        []byte // of the body, read and not yet handed out
	headErr     error  // after that
	bandwidth   *Bandwidth
	progress
}

// query is what is asked of a URI.
type query struct {
	accept     string            // the header of that name
	conditions map[string]string // headers that ask for less than the whole
	cookies    *cookies          // sent, and set by the reply
}

// ask sends a request when its host's turn has come, and waits for the headers. A
// nil answer means that nothing was sent. The host is being asked until the answer is
// closed.
func (f *Fetcher) ask(ctx context.Context, u *url.URL, q query, w waiting) (*answer, error) {
	permit, err := f.await(ctx, u, w)
	if err != nil {
		return nil, err
	}
	a := f.answer(ctx, u, q.conditions, permit)
	manners, err := f.manners(ctx, u)
	if err != nil {
		a.close()
		return nil, fmt.Errorf("fetch: %w", err)
	}
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(a.inner, a.trace(manners.Delay)), http.MethodGet, "", nil)
	if err != nil {
		a.close()
		return nil, badURI("no request can be made of it")
	}
	request.URL = withoutFragment(u)
	request.Host = u.Host
	request.Header.Set("User-Agent", f.options.UserAgent)
	request.Header.Set("Accept", q.accept)
	request.Header.Set("Accept-Encoding", "identity")
	for name, value := range q.conditions {
		request.Header.Set(name, value)
	}
	if sent := q.cookies.of(u); sent != "" {
		request.Header.Set("Cookie", sent)
	}
	if u.User != nil {
		password, _ := u.User.Password()
		request.SetBasicAuth(u.User.Username(), password)
		request.URL.User = nil
	}
	// The network's transport has its own, finer limits; this one holds for any.
	a.timer = time.AfterFunc(2*f.options.ConnectTimeout+f.options.HeaderTimeout, func() { a.cancel(errSlowHeaders) })
	a.reply, err = f.send(request)
	a.timer.Stop()
	a.latency = time.Since(a.start)
	a.window = time.Now()
	if err != nil {
		a.reply = nil
		return a, a.judge(err)
	}
	q.cookies.set(u, a.reply)
	if a.reply.StatusCode >= 400 {
		a.rest = min(askedRest(a.reply, time.Now()), f.options.MaxRest)
	}
	return a, nil
}

// answer is one to what has not been sent yet.
func (f *Fetcher) answer(ctx context.Context, u *url.URL, conditions map[string]string, permit *permit) *answer {
	a := &answer{ctx: ctx, uri: shown(u), host: u.Hostname(), offline: &f.offline, start: time.Now(), idle: f.options.IdleTimeout,
		conditions: conditions, permit: permit, bandwidth: f.options.Bandwidth}
	a.least = int64(float64(max(f.options.LeastSpeed, 0)) * a.idle.Seconds())
	a.inner, a.cancel = context.WithCancelCause(ctx)
	permit.breakOff(a)
	return a
}

// trace notes how far a request came. Where a kept connection turns out to be dead, the
// transport sends the request again by itself: that is one like any other, and waits.
func (a *answer) trace(delay time.Duration) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			if !a.connected.Swap(true) || delay <= 0 {
				return
			}
			timer := time.NewTimer(delay)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-a.inner.Done():
			}
		},
		GotFirstResponseByte: func() { a.replied.Store(true) },
		TLSHandshakeStart:    func() { a.handshaking.Store(true) },
	}
}

func (a *answer) close() {
	if a.timer != nil {
		a.timer.Stop()
	}
	if a.reply != nil {
		a.reply.Body.Close()
	}
	a.cancel(nil)
	a.permit.fetcher.hosts.note(a)
	a.permit.give(a.rest)
}

// isBusy says that the host refused because it has too much to do.
func (a *answer) isBusy() bool {
	return a.reply != nil && (a.reply.StatusCode == http.StatusTooManyRequests || a.reply.StatusCode == http.StatusServiceUnavailable)
}

// Read reads the body, from its beginning, also where that was looked at before.
func (a *answer) Read(p []byte) (int, error) {
	if len(a.head) > 0 {
		n := copy(p, a.head)
		a.head = a.head[n:]
		return n, nil
	}
	if a.headErr != nil {
		return 0, a.headErr
	}
	return a.receive(p)
}

// receive reads the body. A body that says nothing for too long, or too little, is given up.
func (a *answer) receive(p []byte) (int, error) {
	a.timer = time.AfterFunc(a.idle, func() { a.cancel(errSilence) })
	n, err := a.reply.Body.Read(p[:a.bandwidth.slice(len(p))])
	a.timer.Stop()
	a.window = a.window.Add(a.bandwidth.pay(a.inner, n)) // the server is not slow for that
	if a.came += int64(n); err == nil && time.Since(a.window) >= a.idle {
		if a.came < a.least {
			a.cancel(errSlow)
			return n, errSlow
		}
		a.came, a.window = 0, time.Now()
	}
	return n, err
}

// bodies are buffers that bodies pass through.
var bodies = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// copy writes the body to to. errShort means that the body broke off after something
// had come. With io.ErrUnexpectedEOF, the server ended it in order.
func (a *answer) copy(to io.Writer, most int64) (int64, error) {
	buffer := bodies.Get().(*[64 << 10]byte)
	defer bodies.Put(buffer)
	buf := buffer[:]
	var written int64
	for {
		n, err := a.Read(buf)
		if written+int64(n) > most {
			return written, tooLong(most)
		}
		if n > 0 {
			w, err := to.Write(buf[:n])
			written += int64(w)
			if err == nil && w < n {
				err = io.ErrShortWrite
			}
			if err != nil {
				return written, fault.New("fetch.Get", fault.Local, fault.LocalDisk, "write what came: %w", err)
			}
		}
		short := err == io.EOF && written < a.reply.ContentLength
		switch {
		case err == nil:
			continue
		case err == io.EOF && !short:
			return written, nil
		case a.ctx.Err() != nil || slices.Contains(brokenByUs, context.Cause(a.inner)):
			return written, a.judge(err)
		case written == 0:
			return 0, fault.New("fetch.Get", fault.Remote, fault.TransportConnectionReset, "the connection ended before anything of the "+
				"body came")
		}
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return written, fmt.Errorf("%w: %w", errShort, io.ErrUnexpectedEOF)
		}
		return written, errShort
	}
}

// within bounds all that is read until the function that it returns is called.
func (a *answer) within(d time.Duration) (done func() bool) {
	return time.AfterFunc(d, func() { a.cancel(errSilence) }).Stop
}

// discard reads the rest of a small body, so that the connection can be used again.
func (a *answer) discard() {
	defer a.within(drainTime)()
	io.CopyN(io.Discard, a, drained)
}

// beginning is the first characters of the body.
func (a *answer) beginning() string {
	defer a.within(drainTime)()
	raw, _ := io.ReadAll(io.LimitReader(a, 4*keptText))
	a.discard()
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(raw), "\uFFFD"))
	if characters := []rune(text); len(characters) > keptText {
		text = string(characters[:keptText])
	}
	return text
}
