package fetch_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// cutBody breaks off, in order or not.
type cutBody struct {
	io.Reader
	end error
}

func (b *cutBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.end
	}
	return n, err
}
func (b *cutBody) Close() error { return nil }

// cut is a reply of which only the beginning of the body comes.
func cut(r *http.Response, came string, end error) *http.Response {
	r.Body = &cutBody{strings.NewReader(came), end}
	return r
}

// inParts answers requests with If-Range from part, the others with the whole, of which the first breaks off.
type inParts struct {
	body  string
	cut   int // bytes of the first reply
	head  []string
	part  func(n, from int) *http.Response // nil: no more than the whole comes
	asked []string
}

func (s *inParts) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked = append(s.asked, r.Header.Get("Range"))
	var from int
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil && s.part != nil {
		return s.part(len(s.asked), from), nil
	}
	whole := reply(200, s.body, append([]string{"Content-Type", "text/turtle", "ETag", `"1"`}, s.head...)...)
	if len(s.asked) == 1 {
		return cut(whole, s.body[:s.cut], io.ErrUnexpectedEOF), nil
	}
	return whole, nil
}

// TestPartsOfTheSameBecomeTheWhole: smaller parts than were asked for are put together, and
// what is not the rest of the same thing is begun anew. What is missing in the end is told.
func TestPartsOfTheSameBecomeTheWhole(t *testing.T) {
	var b strings.Builder
	for n := range 100 {
		fmt.Fprintf(&b, "line %02d\n", n)
	}
	body := b.String()
	part := func(from, to int, total, content string, head ...string) *http.Response {
		head = append([]string{"Content-Type", "text/turtle", "ETag", `"1"`, "Content-Range", fmt.Sprintf("bytes %d-%d/%s", from, to-1,
			total)}, head...)
		return reply(206, content, head...)
	}
	rest := func(from int, head ...string) *http.Response {
		return part(from, len(body), fmt.Sprint(len(body)), body[from:], head...)
	}
	upTo := func(n int, total string) func(int, int) *http.Response {
		return func(_, from int) *http.Response {
			to := min(from+n, len(body))
			return part(from, to, total, body[from:to])
		}
	}
	noLength := func(r *http.Response) *http.Response { r.ContentLength = -1; return r }
	for _, c := range []struct {
		name     string
		part     func(n, from int) *http.Response
		requests int
		short    bool
	}{
		{"parts of 160 bytes", upTo(160, "800"), 6, false},
		{"parts of 8 bytes", upTo(8, "800"), 91, false},
		{"parts of 160 bytes, no total", upTo(160, "*"), 6, false},
		{"no lengths", func(n, from int) *http.Response { return noLength(upTo(160, "800")(n, from)) }, 6, false},
		{"a part, then the rest", func(n, from int) *http.Response {
			if n == 2 {
				return upTo(160, "800")(n, from)
			}
			return rest(from)
		}, 3, false},
		{"the type is left out", func(_, from int) *http.Response { return rest(from, "Content-Type", "") }, 2, false},
		{"the type in other words", func(_, from int) *http.Response { return rest(from, "Content-Type", "Text/Turtle ;") }, 2, false},
		{"another type", func(_, from int) *http.Response { return rest(from, "Content-Type", "text/html") }, 3, false},
		{"another charset", func(_, from int) *http.Response { return rest(from, "Content-Type", "text/turtle; charset=utf-16") }, 3,
			false},
		{"another coding", func(_, from int) *http.Response { return rest(from, "Content-Encoding", "gzip") }, 3, false},
		{"another version", func(_, from int) *http.Response { return rest(from, "ETag", `"2"`) }, 3, false},
		{"a weak tag", func(_, from int) *http.Response { return rest(from, "ETag", `W/"1"`) }, 3, false},
		{"no tag", func(_, from int) *http.Response { return rest(from, "ETag", "") }, 3, false},
		{"a date in place of the tag", func(_, from int) *http.Response {
			return rest(from, "ETag", "", "Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
		}, 3, false},
		{"begins later", func(_, from int) *http.Response { return rest(from + 8) }, 3, false},
		{"begins earlier", func(_, from int) *http.Response { return rest(from - 8) }, 3, false},
		{"another total", func(_, from int) *http.Response { return part(from, len(body), "900", body[from:]) }, 3, false},
		{"a total that its end is beyond", func(_, from int) *http.Response { return part(from, len(body)+1, "800", body[from:]+"x") }, 3,
			false},
		{"no range", func(_, from int) *http.Response { return rest(from, "Content-Range", "") }, 3, false},
		{"a range of something else", func(_, from int) *http.Response {
			return rest(from, "Content-Range", fmt.Sprintf("items %d-799/800", from))
		}, 3, false},
		{"an end before its beginning", func(_, from int) *http.Response {
			return rest(from, "Content-Range", fmt.Sprintf("bytes %d-1/800", from))
		}, 3, false},
		{"a length that is not the range's", func(_, from int) *http.Response { return part(from, from+8, "800", body[from:from+16]) }, 3,
			false},
		{"more than the range", func(_, from int) *http.Response { return noLength(part(from, from+8, "800", body[from:from+16])) }, 3,
			false},
		{"several ranges", func(_, from int) *http.Response {
			return reply(206, "--X\r\n\r\n"+body[from:]+"\r\n--X--", "Content-Type", "multipart/byteranges; boundary=X", "ETag", `"1"`)
		}, 3, false},
		{"nothing more is given", func(int, int) *http.Response { return reply(416, "") }, 3, false},
		{"breaks off without end", func(n, from int) *http.Response { return cut(rest(from), body[from:from+8], io.ErrUnexpectedEOF) }, 6,
			true},
		{"a part breaks off each time", func(n, from int) *http.Response {
			return cut(part(from, from+16, "800", body[from:from+16]), body[from:from+8], errors.New("reset"))
		}, 6, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := &inParts{body: body, cut: 80, part: c.part}
			f := fetch.New(fetch.Options{Transport: server, IgnoreRobots: true})
			var got bytes.Buffer
			r, err := f.Do(context.Background(), fetch.Request{URI: "http://a.test/x", KeepShort: true,
				Restart: func() error { got.Reset(); return nil }}, &got)
			told := len(r.Notices) == 1 && r.Notices[0].Code == fault.HTTPShortBody
			if err != nil || told != c.short || !strings.HasPrefix(body, got.String()) || !c.short && got.String() != body ||
				r.Bytes != int64(got.Len()) {
				t.Errorf("%s: %d bytes, told %v, error %v", c.name, got.Len(), told, err)
			}
			if len(server.asked) != c.requests || len(r.Exchanges) != min(c.requests, 51) || r.ContentType != "text/turtle" {
				t.Errorf("%s: asked %q, %d exchanges, type %s", c.name, server.asked, len(r.Exchanges), r.ContentType)
			}
		})
	}
}

// TestAPartThatNobodyAskedForIsGoneOnWith: the whole was asked for, and its beginning came.
func TestAPartThatNobodyAskedForIsGoneOnWith(t *testing.T) {
	const body = "0123456789"
	for _, c := range []struct {
		name, tag, total string
		whole            bool
	}{{"by tag", `"1"`, "10", true}, {"no total", `"1"`, "*", true}, {"a weak tag", `W/"1"`, "10", false}, {"no tag", "", "10", false}} {
		asked := 0
		transport := roundTrip(func(r *http.Request) (*http.Response, error) {
			from := 0
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
			if asked++; from >= len(body) {
				return reply(416, ""), nil
			}
			to := min(from+4, len(body))
			return reply(206, body[from:to], "ETag", c.tag, "Content-Range", fmt.Sprintf("bytes %d-%d/%s", from, to-1, c.total)), nil
		})
		var got bytes.Buffer
		f := fetch.New(fetch.Options{Transport: transport, IgnoreRobots: true})
		_, err := f.Do(context.Background(), fetch.Request{URI: "http://a.test/x", Restart: func() error { got.Reset(); return nil }}, &got)
		if c.whole != (err == nil && got.String() == body) || !c.whole && fault.CodeOf(err) != fault.HTTPMalformed {
			t.Errorf("%s: %q after %d requests, error %v", c.name, got.String(), asked, err)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestOnlyAnEndInOrderProvesALength: what Whole is told of a body that ended before its length.
func TestOnlyAnEndInOrderProvesALength(t *testing.T) {
	for _, c := range []struct {
		name   string
		length int64
		end    error
		said   int64
	}{
		{"in order", 100, io.EOF, 100}, {"in order, as the network says it", 100, io.ErrUnexpectedEOF, 100},
		{"a reset", 100, errors.New("reset"), -1}, {"chunks without the last", -1, io.ErrUnexpectedEOF, -1},
		{"a reset between chunks", -1, errors.New("reset"), -1},
	} {
		for _, whole := range []bool{true, false} {
			said := int64(-2)
			transport := roundTrip(func(*http.Request) (*http.Response, error) {
				r := cut(reply(200, ""), "data", c.end)
				r.ContentLength = c.length
				return r, nil
			})
			f := fetch.New(fetch.Options{Transport: transport, IgnoreRobots: true})
			var got bytes.Buffer
			r, err := f.Do(context.Background(), fetch.Request{URI: "http://a.test/x", KeepShort: true,
				Whole: func(n int64) bool { said = n; return whole }}, &got)
			if err != nil || said != c.said || got.String() != "data" || (len(r.Notices) == 0) != whole {
				t.Errorf("%s: said %d, want %d, whole %v, notices %v, error %v", c.name, said, c.said, whole, r.Notices, err)
			}
		}
	}
}

// TestAnAddressThatRanOutIsNoWordOfTheDocument: the rest of a body, from where a redirect led, is refused.
func TestAnAddressThatRanOutIsNoWordOfTheDocument(t *testing.T) {
	const body = "0123456789"
	for _, c := range []struct {
		name   string
		status int
		direct bool // no redirect led there
		runOut int  // how many addresses run out
		whole  bool
	}{
		{"400", 400, false, 1, true}, {"401", 401, false, 1, true}, {"403", 403, false, 1, true}, {"404", 404, false, 1, true},
		{"410", 410, false, 1, true},
		{"403, several times", 403, false, 2, true}, {"403, always", 403, false, 1000, false},
		{"451", 451, false, 1, false}, {"405", 405, false, 1, false},
		{"403, without a redirect", 403, true, 1, false}, {"410, without a redirect", 410, true, 1, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			signed := 0
			transport := roundTrip(func(r *http.Request) (*http.Response, error) {
				switch ranged := r.Header.Get("Range") != ""; {
				case r.URL.Path == "/go" && !c.direct:
					signed++
					return reply(302, "", "Location", fmt.Sprintf("http://store.test/x?signed=%d", signed)), nil
				case ranged:
					return reply(c.status, "expired"), nil
				case signed > c.runOut:
					return reply(200, body, "ETag", `"1"`), nil
				}
				return cut(reply(200, body, "ETag", `"1"`), body[:4], io.ErrUnexpectedEOF), nil
			})
			f := fetch.New(fetch.Options{Transport: transport, IgnoreRobots: true})
			var got bytes.Buffer
			_, err := f.Do(context.Background(), fetch.Request{URI: "http://a.test/go", Restart: func() error { got.Reset(); return nil }},
				&got)
			if c.whole != (err == nil && got.String() == body) {
				t.Errorf("%s: %q, error %v", c.name, got.String(), err)
			}
			if c.runOut > 10 && fault.KindOf(err) != fault.Remote {
				t.Errorf("%s: that may be another try's: %v", c.name, err)
			}
		})
	}
}

// TestCredentialsGoToTheirOriginAlone, however a Location is written.
func TestCredentialsGoToTheirOriginAlone(t *testing.T) {
	for _, c := range []struct {
		location string
		sent     string // with the request that follows
	}{
		{"/x", "us:pw"}, {"x", "us:pw"}, {"?x", "us:pw"}, {"../x", "us:pw"},
		{"//a.test/x", "us:pw"}, {"http://a.test/x", "us:pw"}, {"HTTP://A.TEST/x", "us:pw"}, {"http://a.test:80/x", "us:pw"},
		{"http://a.test:/x", "us:pw"},
		{"http://o:t@a.test/x", "o:t"}, {"//o:t@a.test/x", "o:t"}, {"http://@a.test/x", ":"},
		{"https://a.test/x", ""}, {"http://a.test:8080/x", ""}, {"http://b.test/x", ""}, {"//b.test/x", ""}, {"http://a.test.b.test/x", ""},
		{"http://www.a.test/x", ""},
		{"http://o:t@b.test/x", "o:t"}, {"http://b.test/back", "us:pw"}, // which leads back
	} {
		for _, refresh := range []bool{false, true} {
			var sent string
			transport := roundTrip(func(r *http.Request) (*http.Response, error) {
				user, password, ok := r.BasicAuth()
				if sent = ""; ok {
					sent = user + ":" + password
				}
				switch {
				case r.URL.Path == "/folder/start" && r.URL.RawQuery == "" && refresh:
					return reply(200, "", "Content-Type", "text/html", "Refresh", "0; url="+c.location), nil
				case r.URL.Path == "/folder/start" && r.URL.RawQuery == "":
					return reply(302, "", "Location", c.location), nil
				case r.URL.Path == "/back":
					return reply(302, "", "Location", "http://a.test/x"), nil
				}
				return reply(200, "data"), nil
			})
			f := fetch.New(fetch.Options{Transport: transport, IgnoreRobots: true})
			r, err := f.Get(context.Background(), "http://us:pw@a.test/folder/start", io.Discard)
			if err != nil || sent != c.sent || strings.Contains(fmt.Sprint(r), "pw@") {
				t.Errorf("%s: sent %q, want %q; %v, error %v", c.location, sent, c.sent, r.Exchanges, err)
			}
		}
	}
}

// TestALocationGoesOutByteForByte: in Latin-1 as in UTF-8, through a head that has to be mended too.
func TestALocationGoesOutByteForByte(t *testing.T) {
	for location, want := range map[string]string{
		"/gr\xF6\xDFe.nt": "/gr%F6%DFe.nt", "/größe.nt": "/gr%C3%B6%C3%9Fe.nt", "/\xE9": "/%E9", "/a\xFF\xFEb": "/a%FF%FEb",
		"/x?q=\xFC": "/x?q=%FC",
		"/%F6\xF6":  "/%F6%F6", "/\x80": "/%80", "/\xC3": "/%C3", "/ツ\xE9": "/%E3%83%84%E9", "/a b\xE4": "/a%20b%E4", "\xE4/": "/%E4/",
		"/tab\x01\xE4": "/tab%20%E4",
	} {
		for _, more := range []string{"", "no field\r\n", "Content-Length: 0, 0\r\n"} {
			var asked string
			url := rawReplies(t, func(path string) string {
				if path == "/start" {
					return "HTTP/1.1 302 Found\r\nConnection: close\r\n" + more + "Location: " + location + "\r\n\r\n"
				}
				asked = path
				return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
			})
			if _, _, err := get(t, open(), url+"/start"); err != nil || asked != want {
				t.Errorf("%q (%q): asked %q, want %q; error %v", location, more, asked, want, err)
			}
		}
	}
}

// TestLimitsOfRequestsAreHeededAsRetryAfterIs: by the names and in the units that hosts use.
func TestLimitsOfRequestsAreHeededAsRetryAfterIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		at := func(d time.Duration) string { return fmt.Sprint(now.Add(d).Unix()) }
		for _, c := range []struct {
			status int
			head   []string
			want   time.Duration
		}{
			{429, nil, 0},
			{429, []string{"RateLimit-Reset", "30"}, 30 * time.Second},
			{503, []string{"RateLimit-Reset", "30"}, 30 * time.Second},
			{503, []string{"RateLimit-Reset", "30", "RateLimit-Remaining", "0"}, 30 * time.Second},
			{503, []string{"RateLimit-Reset", "30", "RateLimit-Remaining", "7"}, 0},
			{429, []string{"RateLimit", `"default";r=0;t=12`}, 12 * time.Second},
			{429, []string{"RateLimit", `"burst";r=0;t=5, "daily";r=900;t=40000`}, 5 * time.Second},
			{429, []string{"RateLimit", `"burst";r=0;t=5, "hour";r=0;t=600`}, 10 * time.Minute},
			{429, []string{"RateLimit", `"a";r=3;t=50, "b";r=2;t=20`}, 20 * time.Second},
			{429, []string{"RateLimit", "limit=100, remaining=0, reset=50"}, 50 * time.Second},
			{429, []string{"RateLimit", "nonsense"}, 0},
			{429, []string{"X-RateLimit-Reset", at(90 * time.Second)}, 91 * time.Second},
			{429, []string{"X-RateLimit-Reset", at(90*time.Second) + "000"}, 90 * time.Second},
			{429, []string{"X-RateLimit-Reset", "60"}, time.Minute},
			{429, []string{"X-RateLimit-Reset", "1.5"}, 1500 * time.Millisecond},
			{429, []string{"X-RateLimit-Reset", now.Add(time.Minute).UTC().Format(http.TimeFormat)}, time.Minute},
			{429, []string{"X-RateLimit-Reset", now.Add(time.Minute).UTC().Format(time.RFC3339)}, time.Minute},
			{429, []string{"X-Rate-Limit-Reset", at(time.Minute)}, 61 * time.Second},
			{429, []string{"X-RateLimit-Reset-After", "0.5"}, 500 * time.Millisecond},
			{429, []string{"X-Rate-Limit-Reset-After", "7"}, 7 * time.Second},
			{429, []string{"X-RateLimit-Reset", at(time.Hour), "Date", now.Add(30 * time.Minute).UTC().Format(http.TimeFormat)},
				30*time.Minute + time.Second},
			{429, []string{"Retry-After", "5", "X-RateLimit-Reset", "60"}, 5 * time.Second},
			{429, []string{"Retry-After", "soon", "X-RateLimit-Reset", "60"}, time.Minute},
			{429, []string{"RateLimit-Reset", "0", "X-RateLimit-Reset", "60"}, time.Minute},
			{429, []string{"X-RateLimit-Reset", "9999999999"}, 0},
			{429, []string{"X-RateLimit-Reset", "1000000000"}, 0},
			{429, []string{"X-RateLimit-Reset", "-5"}, 0},
			{429, []string{"X-RateLimit-Reset", "NaN"}, 0},
			{429, []string{"X-RateLimit-Reset", "1e300"}, 0},
			{429, []string{"X-RateLimit-Reset", "soon"}, 0},
			{500, []string{"X-RateLimit-Reset", "60"}, 0},
			{404, []string{"RateLimit-Reset", "60"}, 0},
		} {
			f := fetch.New(fetch.Options{IgnoreRobots: true, MaxRest: 5 * time.Minute,
				Transport: roundTrip(func(*http.Request) (*http.Response, error) { return reply(c.status, "", c.head...), nil })})
			r, err := f.Get(context.Background(), "http://a.test/x", io.Discard)
			var e *fault.Error
			if !errors.As(err, &e) || (e.After-c.want).Abs() > time.Second || c.want > 0 && e.After < c.want-time.Second {
				t.Errorf("%d %q: %v, want %v", c.status, c.head, e.After, c.want)
			}
			if rest := min(e.After, 5*time.Minute); r.Shown[0].Rest != rest {
				t.Errorf("%d %q: its host rests %v, want %v", c.status, c.head, r.Shown[0].Rest, rest)
			}
		}
	})
}

// rawReplies serves what answer gives for a path, byte for byte.
func rawReplies(t *testing.T, answer func(path string) string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			if r, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
				io.WriteString(connection, answer(r.RequestURI))
			}
			connection.Close()
		}
	})
	t.Cleanup(func() { listener.Close(); all.Wait() })
	return "http://" + listener.Addr().String()
}
