package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jlaffaye/ftp"

	"laundromat/internal/fault"
)

// FTP (RFC 959, 3659) is put into the words that the rest knows. The exchange of a document has the
// code of the reply that ended its transfer: 226, or 150 if it broke off. It is 213 if the document
// did not change. Its headers are "last-modified", from MDTM, and "content-length", from SIZE.

const (
	ftpPort     = "21"
	maxControl  = 64 << 10 // bytes that a server may say on the control connection
	ftpNotModif = ftp.StatusFile
	ftpStarted  = ftp.StatusAboutToSend
)

func isFTP(u *url.URL) bool { return strings.EqualFold(u.Scheme, "ftp") }

// session is a connection to a server of FTP for one file.
type session struct {
	*ftp.ServerConn
	control *control
	path    string
	size    int64  // of the file; below 0 if it is not known
	changed string // when, as HTTP writes it; "" if it is not known
}

// stepFTP asks a server of FTP for the body at u, as step does one of HTTP.
func (f *Fetcher) stepFTP(ctx context.Context, u *url.URL, t *transfer, result *Result) (*url.URL, error) {
	a, s, err := f.open(ctx, u, t.waiting)
	if a == nil {
		result.Part = t.part
		return nil, err
	}
	defer a.close()
	defer s.close()
	defer func() {
		result.showed(u, func(shown *Shown) { shown.Busy, shown.Latency = s.isBusy(), max(shown.Latency, a.latency) })
	}()
	defer func() { result.Exchanges = append(result.Exchanges, a.exchange()) }()
	result.Part = t.part
	if err == nil {
		err = s.look(a)
	}
	if err != nil {
		a.failure = err
		return nil, err
	}
	if t.written > 0 && (t.part == nil || t.part.URI != base(u) || t.part.Validator != s.validator() || s.size >= 0 && t.written > s.size) {
		if err := t.restart(); err != nil {
			return nil, local(err)
		}
	}
	known := t.request.Known
	switch {
	case t.written > 0 && t.written == s.size:
		a.answered(s, ftp.StatusClosingDataConnection, nil)
		result.Part = nil
		return nil, nil
	case t.written == 0 && known != nil && known.URI == base(u) && s.changed != "" && known.LastModified == s.changed &&
		known.Size == s.size:
		a.conditions = map[string]string{"mdtm": s.changed, "size": strconv.FormatInt(s.size, 10)}
		a.answered(s, ftpNotModif, nil)
		result.NotModified = true
		return nil, nil
	}
	body, err := s.retrieve(a, t)
	if err != nil {
		a.failure = err
		return nil, err
	}
	if t.written > 0 {
		a.conditions = map[string]string{"rest": strconv.FormatInt(t.written, 10)}
	}
	a.answered(s, ftpStarted, body)
	if s.size >= 0 {
		a.reply.ContentLength = s.size - t.written
	}
	next, err := f.take(u, a, t, result)
	if err == nil && next == nil {
		a.reply.StatusCode = ftp.StatusClosingDataConnection
	}
	return next, err
}

// open connects and logs in when the host's turn has come. A nil answer means that
// nothing was sent.
func (f *Fetcher) open(ctx context.Context, u *url.URL, w waiting) (*answer, *session, error) {
	if f.own == nil {
		return nil, nil, fault.New("fetch.Get", fault.Refused, fault.TransportUnsupportedScheme, "the scheme %q is not fetched here",
			u.Scheme)
	}
	path, err := ftpPath(u)
	if err != nil {
		return nil, nil, err
	}
	permit, err := f.await(ctx, u, w)
	if err != nil {
		return nil, nil, err
	}
	a := f.answer(ctx, u, nil, permit)
	s := &session{path: path, size: -1}
	a.timer = time.AfterFunc(2*f.options.ConnectTimeout+2*f.options.HeaderTimeout, func() { a.cancel(errSlowHeaders) })
	defer a.timer.Stop()
	dialer := f.options.dialer()
	dial := func(network, address string) (net.Conn, error) {
		connect := dialer.DialContext
		if s.control == nil { // the connection for data is part of that for control
			connect = f.dial
		}
		connection, err := connect(a.inner, network, address)
		if err != nil {
			return nil, err
		}
		a.connected.Store(true)
		context.AfterFunc(a.inner, func() { connection.Close() })
		if s.control == nil {
			s.control = &control{Conn: connection, wait: f.options.HeaderTimeout}
			return s.control, nil
		}
		return connection, nil
	}
	host, port := u.Hostname(), u.Port()
	if port == "" {
		port = ftpPort
	}
	s.ServerConn, err = ftp.Dial(net.JoinHostPort(host, port), ftp.DialWithDialFunc(dial), ftp.DialWithShutTimeout(f.options.HeaderTimeout))
	if err == nil {
		user, password := "anonymous", f.agent()+"@"
		if u.User != nil {
			user = u.User.Username()
			password, _ = u.User.Password()
		}
		err = s.Login(user, password)
	}
	if a.latency = time.Since(a.start); err != nil {
		err = s.judge(a, err)
		a.failure = err
	}
	return a, s, err
}

// ftpPath is the path of a file, from the folder that a login leads to (RFC 1738 §3.2.2).
func ftpPath(u *url.URL) (string, error) {
	escaped, _, _ := strings.Cut(strings.TrimPrefix(u.EscapedPath(), "/"), ";type=")
	path, err := url.PathUnescape(escaped)
	switch {
	case err != nil:
		return "", badURI("its path is not well-formed")
	case strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7F }):
		return "", badURI("its path holds control characters")
	case path == "" || strings.HasSuffix(path, "/"):
		return "", badURI("it names a folder, and no file")
	}
	return path, nil
}

func (s *session) close() {
	if s.ServerConn != nil {
		s.Quit()
	}
}

func (s *session) code() int { return s.control.code() }

// isBusy says that the server has too much to do.
func (s *session) isBusy() bool { return s.code() == ftp.StatusNotAvailable }

// look asks for size and time of change. That a server knows neither is no error.
func (s *session) look(a *answer) error {
	size, err := s.FileSize(s.path)
	if err == nil && size >= 0 {
		s.size = size
	} else if err != nil && s.broken(err) {
		return s.judge(a, err)
	}
	if s.IsGetTimeSupported() {
		changed, err := s.GetTime(s.path)
		if err == nil {
			s.changed = changed.UTC().Format(http.TimeFormat)
		} else if s.broken(err) {
			return s.judge(a, err)
		}
	}
	return nil
}

// broken says that an error ends the session, and not the command alone.
func (s *session) broken(err error) bool { return ofConnection(err) || s.isBusy() }

func ofConnection(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// validator is the version of the file; "" if nothing that is known says.
func (s *session) validator() string {
	if s.changed == "" {
		return ""
	}
	return fmt.Sprintf("%s, %d bytes", s.changed, s.size)
}

// retrieve begins the transfer, at what is there already if the server can do that.
func (s *session) retrieve(a *answer, t *transfer) (io.ReadCloser, error) {
	response, err := s.RetrFrom(s.path, uint64(t.written))
	if err != nil && t.written > 0 && !s.broken(err) {
		if err := t.restart(); err != nil {
			return nil, local(err)
		}
		response, err = s.Retr(s.path)
	}
	if err != nil {
		return nil, s.judge(a, err)
	}
	return &ftpBody{Response: response}, nil
}

// judge gives an error its kind and code. What the server said decides, if anything: 4 is for now,
// 5 for good (RFC 959 §4.2).
func (s *session) judge(a *answer, err error) error {
	var said *textproto.Error
	code := s.code()
	if errors.As(err, &said) {
		code = said.Code
	}
	if a.ctx.Err() != nil || context.Cause(a.inner) != nil || said == nil && (code < 400 || ofConnection(err)) {
		return a.judge(err)
	}
	kind := fault.Refused
	if code < 500 {
		kind = fault.Remote
	}
	return fault.New("fetch.Get", kind, fault.TransportFTPReply, "%d %s", code, fault.Excerpt([]byte(s.control.text())))
}

// answered makes a reply of what the server said.
func (a *answer) answered(s *session, code int, body io.ReadCloser) {
	header := http.Header{}
	if s.changed != "" {
		header.Set("Last-Modified", s.changed)
	}
	if s.size >= 0 {
		header.Set("Content-Length", strconv.FormatInt(s.size, 10))
	}
	if body == nil {
		body = http.NoBody
	}
	a.reply = &http.Response{StatusCode: code, Header: header, ContentLength: -1, Body: body}
	a.window = time.Now()
}

// ftpPart says how to go on with a body of FTP; nil if its version is not known.
func ftpPart(u *url.URL, reply *http.Response, result *Result) *Part {
	changed, length := reply.Header.Get("Last-Modified"), reply.Header.Get("Content-Length")
	if changed == "" {
		return nil
	}
	total, err := strconv.ParseInt(length, 10, 64)
	if err != nil {
		total = -1
	}
	s := session{changed: changed, size: total}
	return &Part{URI: base(u), Validator: s.validator(), Total: total, FinalURI: result.FinalURI}
}

// ftpBody is a transfer; one that the server does not call complete has broken off.
type ftpBody struct {
	*ftp.Response
	ended error
}

func (b *ftpBody) Read(p []byte) (int, error) {
	if b.ended != nil {
		return 0, b.ended
	}
	n, err := b.Response.Read(p)
	if err == io.EOF {
		if b.ended = io.EOF; b.Close() != nil {
			b.ended = io.ErrUnexpectedEOF
		}
		err = b.ended
	}
	return n, err
}

// control is the control connection. It may be silent for so long, and may not say
// without end; what it said last is remembered.
type control struct {
	net.Conn
	wait time.Duration
	said int
	line []byte // the last one, or what there is of it
	over bool   // line is whole
}

var errTalks = errors.New("the server says too much")

func (c *control) Read(p []byte) (int, error) {
	c.SetReadDeadline(time.Now().Add(c.wait))
	n, err := c.Conn.Read(p)
	for _, b := range p[:n] {
		switch {
		case b == '\n':
			c.over = true
			continue
		case c.over:
			c.line, c.over = c.line[:0], false
		}
		if b != '\r' && len(c.line) < 512 {
			c.line = append(c.line, b)
		}
	}
	if c.said += n; c.said > maxControl {
		return n, errTalks
	}
	return n, err
}

func (c *control) Write(p []byte) (int, error) {
	c.SetWriteDeadline(time.Now().Add(c.wait))
	return c.Conn.Write(p)
}

// code is that of the last reply; 0 if there is none.
func (c *control) code() int {
	if c == nil || len(c.line) < 3 {
		return 0
	}
	code, err := strconv.Atoi(string(c.line[:3]))
	if err != nil || code < 100 || code > 599 {
		return 0
	}
	return code
}

// text is what is after the code of the last reply.
func (c *control) text() string {
	if c == nil || len(c.line) < 4 {
		return ""
	}
	return string(c.line[4:])
}

// askRobotsFTP fetches robots.txt by FTP, as RFC 9309 §2.3 has it: a server that does not
// give it has none.
func (f *Fetcher) askRobotsFTP(ctx context.Context, u *url.URL, w waiting) (*rules, error) {
	at := &url.URL{Scheme: u.Scheme, Host: u.Host, User: u.User, Path: "/robots.txt"}
	a, s, err := f.open(ctx, at, w)
	if a == nil {
		return nil, err
	}
	defer a.close()
	defer s.close()
	if err == nil {
		var body io.ReadCloser
		if body, err = s.retrieve(a, &transfer{request: &Request{}}); err == nil {
			a.answered(s, ftpStarted, body)
			defer a.within(robotsTime)()
			text, readErr := io.ReadAll(io.LimitReader(a, maxRobots))
			if readErr == nil || len(text) > 0 && a.ctx.Err() == nil {
				return f.newRules(text), nil
			}
			err = a.judge(readErr)
		} else if fault.KindOf(err) == fault.Refused && fault.CodeOf(err) == fault.TransportFTPReply {
			return f.newRules(nil), nil
		}
	}
	if fault.KindOf(err) == fault.Remote {
		a.failure = err
		return f.failedRules(a, err, fault.CodeOf(err)), nil
	}
	return nil, err
}
