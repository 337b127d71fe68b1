// Package client asks the API of a store. The daemon that holds the store serves it; where there is
// none, this process serves the same API. So every verb has one way to work.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"laundromat/web/socket"
)

// Client asks one API. It is closed when it is no longer needed.
type Client struct {
	http     *http.Client
	patience time.Duration
	close    func() error
	// inProcess says that no daemon answers.
	inProcess bool
}

// IsDaemon says that a daemon answers, and not this process.
func (c *Client) IsDaemon() bool { return !c.inProcess }

// Close ends the connections, and what serves them in this process.
func (c *Client) Close() error { return c.close() }

// Reach returns a client of the daemon that serves dir, or, if there is none, the folder
// itself, as open opens it. A daemon that starts is waited for.
func Reach[Folder any](ctx context.Context, dir string, open func(dir string) (Folder, error)) (*Client, Folder, error) {
	var none Folder
	if c := daemon(ctx, dir); c != nil {
		return c, none, nil
	}
	for start := time.Now(); ; {
		starting := socket.IsStarting(dir)
		folder, err := open(dir) // waits half a second for who holds it
		if !errors.As(err, new(held)) {
			return nil, folder, err
		}
		if c := daemon(ctx, dir); c != nil {
			return c, none, nil
		}
		if !starting || ctx.Err() != nil || time.Since(start) > mostStarting {
			return nil, none, err
		}
	}
}

// held is the error of a seed list that another process holds.
type held interface {
	error
	Holder() int // the process; 0 if it is not known
}

// mostStarting is how long a daemon that starts is waited for.
const mostStarting = time.Minute

// daemon returns a client of the daemon that serves dir; nil if there is none.
func daemon(ctx context.Context, dir string) *Client {
	dial := socket.Dial(ctx, dir)
	if dial == nil {
		return nil
	}
	transport := &http.Transport{DialContext: dial}
	return &Client{http: &http.Client{Transport: transport}, patience: patience, close: func() error {
		transport.CloseIdleConnections()
		return nil
	}}
}

// InProcess returns a client of an API that this process serves until it is closed; then after
// is called.
func InProcess(api http.Handler, after func() error) *Client {
	pipe := socket.NewPipe()
	server := &http.Server{Handler: api, ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(pipe)
	}()
	return &Client{
		http:     &http.Client{Transport: &http.Transport{DialContext: pipe.Dial}},
		patience: patience, inProcess: true,
		close: func() error {
			err := server.Close()
			<-done
			return errors.Join(err, after())
		},
	}
}

// Error is a request that the API refuses, or that can't be made of what a person wrote.
type Error struct {
	Status int // of the reply, or what it would be
	Err    error
}

// Error is the message of the cause.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// IsNotFound says that what was asked for is not there.
func (e *Error) IsNotFound() bool { return e.Status == http.StatusNotFound }

// IsMisuse says that what was asked makes no sense to the API.
func (e *Error) IsMisuse() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
}

// Get fetches path and decodes the JSON reply into reply.
func (c *Client) Get(ctx context.Context, path string, query url.Values, reply any) error {
	stream, err := c.Open(ctx, path, query)
	if err != nil {
		return err
	}
	return decode(stream, reply)
}

// Open fetches path and returns the body of the reply, which the caller closes.
func (c *Client) Open(ctx context.Context, path string, query url.Values) (io.ReadCloser, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.send(ctx, http.MethodGet, path, nil)
}

// Post sends body as JSON, unless it is nil, and decodes the reply, unless reply is nil.
func (c *Client) Post(ctx context.Context, path string, body, reply any) error {
	stream, err := c.send(ctx, http.MethodPost, path, body)
	if err != nil {
		return err
	}
	return decode(stream, reply)
}

// OpenPosted is Post that returns the body of the reply, which the caller closes.
func (c *Client) OpenPosted(ctx context.Context, path string, body any) (io.ReadCloser, error) {
	return c.send(ctx, http.MethodPost, path, body)
}

// Delete removes what is at path.
func (c *Client) Delete(ctx context.Context, path string) error {
	stream, err := c.send(ctx, http.MethodDelete, path, nil)
	if err != nil {
		return err
	}
	return stream.Close()
}

// decode reads the JSON of a body into reply, unless that is nil, and closes the body.
func decode(body io.ReadCloser, reply any) error {
	defer body.Close()
	if reply == nil {
		return nil
	}
	return json.NewDecoder(body).Decode(reply)
}

// send sends a request and returns the body of its reply. A problem that the API reports is an [Error].
func (c *Client) send(ctx context.Context, method, path string, body any) (io.ReadCloser, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://laundromat/api/v1"+path, content)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.ask(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 300 {
		return response.Body, nil
	}
	defer response.Body.Close()
	return nil, problemOf(response)
}

// patience is how long a reply may take before the daemon is asked whether it is alive. It may take
// as long to say so.
const patience = 10 * time.Second

// ErrHangs says that the daemon which holds the store does not answer.
var ErrHangs = errors.New("the daemon that holds the store does not answer; see its log, or end it")

// ask sends a request and waits for the reply, as long as the daemon is alive.
func (c *Client) ask(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(request.Context())
	timer := time.AfterFunc(c.patience, func() {
		if !c.isAlive(ctx) {
			cancel(ErrHangs)
		}
	})
	response, err := c.http.Do(request.WithContext(ctx))
	timer.Stop()
	if err != nil {
		defer cancel(nil)
		if cause := context.Cause(ctx); cause == ErrHangs {
			return nil, ErrHangs
		}
		return nil, err
	}
	response.Body = &endingBody{response.Body, cancel}
	return response, nil
}

// isAlive says whether the API answers the simplest question.
func (c *Client) isAlive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://laundromat/healthz", nil)
	if err != nil {
		return false
	}
	response, err := c.http.Do(request)
	if err != nil {
		return ctx.Err() == nil // an error that came at once is the request's own to meet
	}
	return response.Body.Close() == nil
}

// endingBody is a body whose request ends when it is closed.
type endingBody struct {
	io.ReadCloser
	end context.CancelCauseFunc
}

func (b *endingBody) Close() error {
	err := b.ReadCloser.Close()
	b.end(nil)
	return err
}

// problemOf reads what a reply says is wrong (RFC 9457).
func problemOf(response *http.Response) error {
	var problem struct{ Title, Detail string }
	if err := json.NewDecoder(io.LimitReader(response.Body, 64<<10)).Decode(&problem); err != nil || problem.Title == "" {
		problem.Title = response.Status
	}
	message := problem.Detail
	if message == "" {
		message = problem.Title
	}
	return &Error{Status: response.StatusCode, Err: errors.New(message)}
}
