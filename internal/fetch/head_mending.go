package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// mendingConn reads the heads of replies as browsers and curl do. net/http is strict,
// as becomes a server; here it is given what it knows:
//
//   - a line that is no field is skipped;
//   - one length said several times is said once, and what is no length not at all;
//   - of transfer codings only "chunked" divides a body, those that compress are codings of the content;
//   - a status line without a version, or with another, is one of HTTP/1.1.
//
// A head that is sound passes as it is, and so does one that nobody can read. A reply
// begins with the first byte that comes after a request was written: requests are
// not sent one after another.
type mendingConn struct {
	net.Conn
	asked atomic.Bool // a request was written, and nothing came since
	ready []byte      // read and not handed out
	err   error       // to be handed out after that
}

func (c *mendingConn) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte("GET ")) {
		c.asked.Store(true)
	}
	return c.Conn.Write(p)
}

func (c *mendingConn) Read(p []byte) (int, error) {
	if len(c.ready) == 0 && c.err == nil {
		n, err := c.Conn.Read(p)
		if n == 0 || !c.asked.Swap(false) {
			return n, err
		}
		if err == nil && isSoundHead(p[:n]) {
			return n, nil
		}
		c.ready, c.err = bytes.Clone(p[:n]), err
		c.head()
	}
	if len(c.ready) > 0 {
		n := copy(p, c.ready)
		c.ready = c.ready[n:]
		return n, nil
	}
	err := c.err
	c.err = nil
	return 0, err
}

// head reads to the end of a head, and mends it: that of the reply, and those of the
// interim replies before it.
func (c *mendingConn) head() {
	var done, buffer []byte
	for {
		c.ready = bytes.TrimLeft(c.ready, "\r\n")
		if !mayBeHead(c.ready) || len(done)+len(c.ready) > maxReplyBytes {
			break
		}
		end := headEnd(c.ready)
		if end > 0 {
			mended, interim := mendHead(c.ready[:end])
			done, c.ready = append(done, mended...), c.ready[end:]
			if !interim {
				break
			}
			continue
		}
		if c.err != nil {
			break
		}
		if buffer == nil {
			buffer = make([]byte, 4<<10)
		}
		var n int
		n, c.err = c.Conn.Read(buffer)
		c.ready = append(c.ready, buffer[:n]...)
	}
	c.ready = append(done, c.ready...)
}

// isSoundHead says that a text begins with a head of which nothing is to be mended, so that it may pass as it is. Most
// replies begin so.
func isSoundHead(text []byte) bool {
	if !mayBeHead(text) || len(text) > maxReplyBytes {
		return false
	}
	end := headEnd(text)
	if end == 0 {
		return false
	}
	mended, interim := mendHead(text[:end])
	return !interim && len(mended) == end && &mended[0] == &text[0]
}

// mayBeHead says that what came is the beginning of a head.
func mayBeHead(text []byte) bool {
	n := min(len(text), len("HTTP"))
	return strings.EqualFold(string(text[:n]), "HTTP"[:n])
}

// headEnd is the length of a head with the empty line after it; 0 if that has not come.
func headEnd(text []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(text[from:], '\n')
		if i < 0 {
			return 0
		}
		from += i + 1
		if rest := text[from:]; bytes.HasPrefix(rest, []byte("\n")) {
			return from + 1
		} else if bytes.HasPrefix(rest, []byte("\r\n")) {
			return from + 2
		}
	}
}

// headField is one field of a head.
type headField struct{ name, value string }

// mendHead makes of a head one that net/http reads; interim says that another follows.
func mendHead(head []byte) (mended []byte, interim bool) {
	first, rest, _ := strings.Cut(string(head), "\n")
	first = strings.TrimRight(first, "\r")
	line, old, status := mendStatus(first)
	interim = status/100 == 1 && status != 101
	fields, changed := headFields(rest)
	lengths, lengthsChanged := mendLengths(fields)
	chunked, codings, codingsChanged := transferCodings(fields)
	if chunked && len(lengths) > 0 { // chunks say where they end
		lengths, lengthsChanged = nil, true
	}
	if old && chunked { // sent by what says it is older than chunks
		line, changed = strings.Replace(line, "HTTP/1.0", "HTTP/1.1", 1), true
		fields = append(fields, headField{"Connection", "close"})
	}
	if status == 0 || line == first && !changed && !lengthsChanged && !codingsChanged {
		return head, interim
	}
	if lengthsChanged {
		fields = slices.DeleteFunc(fields, isField("Content-Length"))
		for _, length := range lengths {
			fields = append(fields, headField{"Content-Length", length})
		}
	}
	if codingsChanged {
		fields = slices.DeleteFunc(fields, isField("Transfer-Encoding"))
		if chunked {
			fields = append(fields, headField{"Transfer-Encoding", "chunked"})
		}
		for _, coding := range codings {
			fields = append(fields, headField{"Content-Encoding", coding})
		}
	}
	var b bytes.Buffer
	b.WriteString(line + "\r\n")
	for _, f := range fields {
		b.WriteString(f.name + ": " + f.value + "\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes(), interim
}

func isField(name string) func(headField) bool {
	return func(f headField) bool { return strings.EqualFold(f.name, name) }
}

// mendStatus reads a status line; status is 0 if it is none. old says HTTP/1.0.
func mendStatus(line string) (mended string, old bool, status int) {
	version, rest, _ := strings.Cut(line, " ")
	number := ""
	if len(version) > len("HTTP") && version[4] == '/' {
		number = version[5:]
	}
	rest = strings.TrimLeft(rest, " \t")
	if len(rest) < 3 || len(rest) > 3 && isDigit(rest[3]) {
		return line, false, 0
	}
	status, err := strconv.Atoi(rest[:3])
	if err != nil || status < 100 {
		return line, false, 0
	}
	old = number == "1.0" || strings.HasPrefix(number, "0")
	if version == "HTTP/1.1" || version == "HTTP/1.0" {
		if len(rest) == 3 || rest[3] == ' ' {
			return line, old, status
		}
		return version + " " + rest[:3] + " " + strings.TrimSpace(rest[3:]), old, status
	}
	version = "HTTP/1.1"
	if old {
		version = "HTTP/1.0"
	}
	return strings.TrimRight(version+" "+rest[:3]+" "+strings.TrimSpace(rest[3:]), " "), old, status
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// headFields reads the fields of a head; changed says that not all is as net/http wants it.
func headFields(text string) (fields []headField, changed bool) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" {
			continue
		}
		if strings.ContainsFunc(line, isControl) {
			line, changed = withoutControls(line), true
		}
		if line[0] == ' ' || line[0] == '\t' {
			changed = true
			if n := len(fields); n > 0 {
				fields[n-1].value += " " + strings.TrimSpace(line)
			}
			continue
		}
		name, value, colon := strings.Cut(line, ":")
		bare := strings.TrimSpace(name)
		if !colon || !isToken(bare) {
			changed = true
			continue
		}
		changed = changed || bare != name
		fields = append(fields, headField{bare, strings.TrimSpace(value)})
	}
	return fields, changed
}

// isControl says what can't be in a value.
func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F }

// withoutControls has spaces in place of what can't be in a value. A line is of bytes, and most likely
// of Latin-1 where it is not ASCII: all others stay.
func withoutControls(line string) string {
	clean := []byte(line)
	for i, c := range clean {
		if isControl(rune(c)) {
			clean[i] = ' '
		}
	}
	return string(clean)
}

// isToken says that a name is one of a field (RFC 9110 §5.6.2).
func isToken(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return name != ""
}

// mendLengths are the lengths that a head says, each once: two that differ are a fault that nobody can mend.
func mendLengths(fields []headField) (lengths []string, changed bool) {
	for _, f := range fields {
		if !strings.EqualFold(f.name, "Content-Length") {
			continue
		}
		for value := range strings.SplitSeq(f.value, ",") {
			value = strings.TrimSpace(value)
			_, err := strconv.ParseUint(value, 10, 63)
			if err != nil || slices.Contains(lengths, value) {
				changed = true
				continue
			}
			lengths = append(lengths, value)
		}
		changed = changed || strings.Contains(f.value, ",")
	}
	return lengths, changed
}

// transferCodings are the codings of a transfer: whether it is chunked, and how the content is packed in it.
func transferCodings(fields []headField) (chunked bool, codings []string, changed bool) {
	n := 0
	for _, f := range fields {
		if !strings.EqualFold(f.name, "Transfer-Encoding") {
			continue
		}
		n++
		for coding := range strings.SplitSeq(strings.ToLower(f.value), ",") {
			switch coding = strings.TrimSpace(coding); coding {
			case "chunked":
				changed = changed || chunked
				chunked = true
				continue
			case "gzip", "x-gzip", "deflate", "br", "zstd":
				codings = append(codings, coding)
			}
			changed = true // "identity", what is not known, nothing at all
		}
	}
	return chunked, codings, changed || n > 1
}

// dialPlain connects for http:, dialTLS for https:. What does not speak HTTP/2 has its heads mended.
func (f *Fetcher) dialPlain(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := f.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &mendingConn{Conn: conn}, nil
}

func (f *Fetcher) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	config := &tls.Config{RootCAs: f.roots}
	if w := f.ways.Load(); w != nil && w.network.Roots != nil {
		config.RootCAs = w.network.Roots
	}
	return f.dialSecure(ctx, network, address, config)
}

// dialSecure connects over TLS, with what config says of certificates.
func (f *Fetcher) dialSecure(ctx context.Context, network, address string, config *tls.Config) (net.Conn, error) {
	conn, err := f.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	if trace := httptrace.ContextClientTrace(ctx); trace != nil && trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart()
	}
	config.ServerName, config.NextProtos = host, []string{"h2", "http/1.1"}
	secure := tls.Client(conn, config)
	ctx, cancel := context.WithTimeout(ctx, f.options.ConnectTimeout)
	defer cancel()
	// A handshake heeds its context, but not at once where the connection hangs.
	stop := time.AfterFunc(2*f.options.ConnectTimeout, func() { conn.Close() })
	defer stop.Stop()
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	if secure.ConnectionState().NegotiatedProtocol == "h2" {
		return secure, nil
	}
	return &mendingConn{Conn: secure}, nil
}
