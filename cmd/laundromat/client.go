package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"laundromat/encoding"
	"laundromat/seedlist"
	"laundromat/web"
)

// client talks to the API of a store: over the unix socket of the daemon that
// holds it, or, where none does, to the same API in this process. So every verb
// has one way to work.
type client struct {
	http  *http.Client
	close func() error
}

// access is what a verb does with the store.
type access int

const (
	toRead   access = iota
	toChange        // what is there
	toCreate        // or change: the store need not be there
)

// connect opens the store of the --data folder. Where a daemon holds it, that does
// what is asked.
func (p *program) connect(ctx context.Context, how access) (*client, error) {
	dir, open := p.dataDir(), openHouse
	if how == toRead {
		open = lookIntoHouse
	}
	if how != toCreate {
		if _, err := os.Stat(filepath.Join(dir, storeFile)); errors.Is(err, os.ErrNotExist) {
			return nil, exit(exitFailed, fmt.Errorf("there is no seed list in %s; \"laundromat seed add\" or \"laundromat serve\" makes one (or name another with --data)", dir))
		}
	}
	c, house, err := reach(ctx, dir, open)
	if err != nil || c != nil {
		return c, err
	}
	listener := newPipeListener()
	server := &http.Server{Handler: web.New(house.api(true)), ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(listener)
	}()
	return &client{
		http: &http.Client{Transport: &http.Transport{DialContext: listener.dial}},
		close: func() error {
			err := server.Close()
			<-done
			return errors.Join(err, house.Close())
		},
	}, nil
}

// dialDaemon returns a client of the daemon that serves dir; nil if there is none.
func dialDaemon(ctx context.Context, dir string) *client {
	path, err := os.ReadFile(filepath.Join(dir, socketFile))
	if err != nil {
		return nil
	}
	socket := strings.TrimSpace(string(path))
	var dialer net.Dialer
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, "unix", socket)
	}
	probe, err := dial(ctx, "", "")
	if err != nil {
		return nil // left behind by a daemon that is gone
	}
	probe.Close()
	transport := &http.Transport{DialContext: dial}
	return &client{http: &http.Client{Transport: transport}, close: func() error {
		transport.CloseIdleConnections()
		return nil
	}}
}

// pipeListener is a listener whose connections never leave the process.
type pipeListener struct {
	connections chan net.Conn
	closed      chan struct{}
}

func newPipeListener() *pipeListener {
	return &pipeListener{connections: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.connections:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	select {
	case <-l.closed:
	default:
		close(l.closed)
	}
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "in process", Net: "pipe"} }

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.connections <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// get fetches path and decodes the JSON reply into reply.
func (c *client) get(ctx context.Context, path string, query url.Values, reply any) error {
	return c.call(ctx, http.MethodGet, path, query, nil, reply)
}

// call sends body as JSON, if there is one, and decodes the reply.
func (c *client) call(ctx context.Context, method, path string, query url.Values, body, reply any) error {
	stream, err := c.open(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	defer stream.Close()
	if reply == nil {
		return nil
	}
	return json.NewDecoder(stream).Decode(reply)
}

// open sends a request and returns the body of its reply; a problem that the API
// reports is an error, with exit code 4 if it is that something is not there.
func (c *client) open(ctx context.Context, method, path string, query url.Values, body any) (io.ReadCloser, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	address := "http://laundromat/api/v1" + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, address, content)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 300 {
		return response.Body, nil
	}
	defer response.Body.Close()
	var problem struct{ Title, Detail string }
	if err := json.NewDecoder(io.LimitReader(response.Body, 64<<10)).Decode(&problem); err != nil || problem.Title == "" {
		problem.Title = response.Status
	}
	message := problem.Detail
	if message == "" {
		message = problem.Title
	}
	switch response.StatusCode {
	case http.StatusNotFound:
		return nil, exit(exitNotFound, errors.New(message))
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return nil, usage("%s", message)
	default:
		return nil, errors.New(message)
	}
}

// hashOf is the hash that HASH, URI or URI!/entry!/entry stands for.
func hashOf(ref string) (string, error) {
	if isHash(ref) {
		return ref, nil
	}
	outer, inner, member := strings.Cut(ref, "!/")
	hash := outer
	if !isHash(outer) {
		uri, err := seedlist.ParseURI(outer)
		if err != nil {
			return "", usage("%q is neither a hash nor a URI: %w", seedlist.Shown(ref), err)
		}
		if document, ok := uri.Document(); ok && member {
			uri = document
		}
		hash = uri.Hash()
	}
	if member {
		for entry := range strings.SplitSeq(inner, "!/") {
			hash = seedlist.ChildKey(hash, entry, 1)
		}
	}
	return hash, nil
}

// hashOf is what the function says, also where an entry is given by its name as it is shown,
// and its bytes in the archive are no UTF-8: then the one that is there.
func (c *client) hashOf(ctx context.Context, ref string) (string, error) {
	outer, inner, member := strings.Cut(ref, "!/")
	hash, err := hashOf(outer)
	if err != nil || !member {
		return hashOf(ref)
	}
	for entry := range strings.SplitSeq(inner, "!/") {
		parent := hash
		hash = seedlist.ChildKey(parent, entry, 1)
		if !isOfOneSpelling(entry) && !c.knows(ctx, hash) {
			for _, name := range append([]string{unescaped(entry)}, encoding.FileNameBytes(entry)...) {
				if other := seedlist.ChildKey(parent, name, 1); c.knows(ctx, other) {
					hash = other
					break
				}
			}
		}
	}
	return hash, nil
}

// isOfOneSpelling says that a name is written in one way only, whatever the encoding.
func isOfOneSpelling(entry string) bool {
	return strings.IndexFunc(entry, func(r rune) bool { return r >= 0x80 }) < 0 && !strings.Contains(entry, `\x`)
}

// unescaped reads bytes that stand as \xHH, as they are shown where no encoding was found.
func unescaped(entry string) string {
	var b strings.Builder
	for {
		before, escape, found := strings.Cut(entry, `\x`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		n, err := strconv.ParseUint(escape[:min(2, len(escape))], 16, 8)
		if err != nil || len(escape) < 2 {
			b.WriteString(`\x`)
			entry = escape
			continue
		}
		b.WriteByte(byte(n))
		entry = escape[2:]
	}
}

func (c *client) knows(ctx context.Context, hash string) bool {
	return c.get(ctx, "/seeds/"+hash, nil, &struct{}{}) == nil
}

func isHash(s string) bool {
	if len(s) != 32 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}
