package archive

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// replyBody is the body of a stored reply of HTTP, after its codings: chunks, and
// those ways of compression that can't be known by sight. Gzip and the like are left
// to who opens the entry. Some crawlers store a body without a coding that its headers
// name; what does not look coded is taken as it is.
type replyBody struct {
	reply *Reply // nil: there is no head
	out   io.Reader
}

// newReplyBody reads the head of a reply.
func newReplyBody(block io.Reader) *replyBody {
	in := bufio.NewReaderSize(block, maxWarcHeader)
	head, _ := in.Peek(maxWarcHeader)
	reply, length := readReply(head)
	b := &replyBody{reply: reply, out: in}
	if reply == nil {
		return b
	}
	in.Discard(length)
	if strings.EqualFold(last(reply.Headers["Transfer-Encoding"]), "chunked") {
		if line, _ := in.Peek(20); isChunk(line) {
			in = bufio.NewReaderSize(&chunks{in: in}, headSize)
			b.out = in
		}
	}
	b.out = uncoded(in, codingsOf(reply.Headers["Content-Encoding"]))
	return b
}

// uncoded undoes codings from the outside up to the last that has no mark; those within
// are left to who opens the entry.
func uncoded(in *bufio.Reader, codings []string) io.Reader {
	var out io.Reader = in
	for n := len(codings); n > 0; n-- {
		head, _ := in.Peek(headSize)
		switch name := codingName(codings[n-1]); {
		case name == "brotli" && isBrotli(head):
			out = brotli.NewReader(in)
		case name == "deflate" && isDeflate(head):
			out = inflated(in)
		case name == "gzip" && isGzip(head) && needsName(codings[:n-1]):
			r, err := gzip.NewReader(in)
			if err != nil {
				return out
			}
			out = r
		case name == "zstd" && isZstd(head) && needsName(codings[:n-1]):
			r, err := zstd.NewReader(in, zstdOptions...)
			if err != nil {
				return out
			}
			out = r
		default:
			continue
		}
		in = bufio.NewReaderSize(out, headSize)
		out = in
	}
	return out
}

// needsName says that there is one among codings that has no mark.
func needsName(codings []string) bool {
	return slices.ContainsFunc(codings, func(coding string) bool {
		name := codingName(coding)
		return name == "brotli" || name == "deflate"
	})
}

// codingsOf are the codings that fields name, in order.
func codingsOf(values []string) (all []string) {
	for coding := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if coding = strings.TrimSpace(coding); coding != "" {
			all = append(all, coding)
		}
	}
	return all
}

func (b *replyBody) Read(p []byte) (int, error) { return b.out.Read(p) }

// last is the last of some codings, which is the outermost.
func last(values []string) string {
	all := strings.Join(values, ",")
	return strings.TrimSpace(all[strings.LastIndexByte(all, ',')+1:])
}

// readReply reads a status line and headers (RFC 9112 §4, §5); nil if there are none.
func readReply(head []byte) (*Reply, int) {
	line, rest, ok := bytes.Cut(head, []byte("\n"))
	words := strings.Fields(string(line))
	if !ok || len(words) < 2 || !strings.HasPrefix(words[0], "HTTP/") {
		return nil, 0
	}
	status, err := strconv.Atoi(words[1])
	if err != nil || status < 100 || status > 999 {
		return nil, 0
	}
	reply := &Reply{Status: status}
	major, minor, _ := strings.Cut(words[0][5:], ".")
	reply.Major, _ = strconv.Atoi(major)
	reply.Minor, _ = strconv.Atoi(minor)
	fields, length, ok := readFields(rest)
	if !ok {
		return nil, 0
	}
	reply.Headers = fields
	return reply, len(head) - len(rest) + length
}

// chunks joins the chunks of a body (RFC 9112 §7.1).
type chunks struct {
	in   *bufio.Reader
	left int64
	more bool // a chunk was read, so that a line end comes before the next
	err  error
}

var errChunk = errors.New("archive: a body whose chunks are broken")

// isChunk says whether a line begins a chunk: hexadecimal digits, maybe extensions.
func isChunk(line []byte) bool {
	line, _, ok := bytes.Cut(line, []byte("\n"))
	digits, _, extended := bytes.Cut(bytes.TrimRight(line, "\r \t"), []byte(";"))
	_, err := strconv.ParseInt(string(bytes.TrimSpace(digits)), 16, 64)
	return err == nil && (ok || extended)
}

func (c *chunks) Read(p []byte) (int, error) {
	for c.left == 0 && c.err == nil {
		c.err = c.next()
	}
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.in.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	if err != nil {
		c.err = cutShort(err)
	}
	return n, c.err
}

func (c *chunks) next() error {
	if c.more {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return cutShort(err)
		}
		if len(bytes.TrimRight(line, "\r\n")) != 0 {
			return errChunk
		}
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil && err != bufio.ErrBufferFull {
		return cutShort(err)
	}
	digits, _, _ := bytes.Cut(bytes.TrimRight(line, "\r\n \t"), []byte(";"))
	size, err := strconv.ParseInt(string(bytes.TrimSpace(digits)), 16, 64)
	if err != nil || size < 0 {
		return errChunk
	}
	c.left, c.more = size, true
	if size == 0 {
		return io.EOF // trailers are left
	}
	return nil
}
