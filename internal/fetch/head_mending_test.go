package fetch_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// chunked is a body in two chunks.
func chunked(body string) string {
	n := len(body) / 2
	return fmt.Sprintf("%x\r\n%s\r\n%x;x=y\r\n%s\r\n0\r\n\r\n", n, body[:n], len(body)-n, body[n:])
}

// TestHeadsAreReadAsBrowsersReadThem: what a server says before its body, and what comes of it.
func TestHeadsAreReadAsBrowsersReadThem(t *testing.T) {
	const body = "<a:a> <b:b> <c:c> .\n"
	log.SetOutput(io.Discard) // net/http logs what comes after a body
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	for _, c := range []struct {
		name, head, sent string
		code             fault.Code // "": the body comes
	}{
		{"as it should be", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n", body, ""},
		{"one length twice in a line", "HTTP/1.1 200 OK\r\nContent-Length: 20, 20\r\n", body + "more", ""},
		{"one length in two lines", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\nContent-Length: 20\r\n", body + "more", ""},
		{"three times, with blanks", "HTTP/1.1 200 OK\r\nContent-Length: 20 ,20,  20\r\nContent-Length: 20\r\n", body + "more", ""},
		{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 20, 5\r\n", body, fault.HTTPMalformed},
		{"no length", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n", body, ""},
		{"an empty length", "HTTP/1.1 200 OK\r\nContent-Length:\r\n", body, ""},
		{"a length below nothing", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n", body, ""},
		{"a length beyond numbers", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n", body, ""},
		{"identity", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 20\r\n", body + "more", ""},
		{"identity, no length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Identity\r\n", body, ""},
		{"identity, chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity, chunked\r\n", chunked(body), ""},
		{"chunked twice", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: CHUNKED\r\n", chunked(body), ""},
		{"chunked, and a length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5, 6\r\n", chunked(body), ""},
		{"chunked in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n", chunked(body), ""},
		{"an empty coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: \r\nContent-Length: 20\r\n", body, ""},
		{"a line without a colon", "HTTP/1.1 200 OK\r\nthis isn't a field\r\nContent-Length: 20\r\n", body + "more", ""},
		{"a line without a colon first, and last", "HTTP/1.1 200 OK\r\n<!-- x -->\r\nContent-Length: 20\r\nX\r\n", body + "more", ""},
		{"a blank before a colon", "HTTP/1.1 200 OK\r\nContent-Length : 20\r\n", body + "more", ""},
		{"a blank within a name", "HTTP/1.1 200 OK\r\nContent Length: 5\r\nContent-Length: 20\r\n", body + "more", ""},
		{"an empty name", "HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 20\r\n", body + "more", ""},
		{"a folded line first", "HTTP/1.1 200 OK\r\n  folded\r\nContent-Length: 20\r\n", body + "more", ""},
		{"a folded line", "HTTP/1.1 200 OK\r\nX: a\r\n\tb\r\nContent-Length: 20\r\n", body + "more", ""},
		{"a NUL in a value", "HTTP/1.1 200 OK\r\nX: a\x00b\r\nContent-Length: 20\r\n", body + "more", ""},
		{"a carriage return in a value", "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 20\r\n", body + "more", ""},
		{"line ends LF", "HTTP/1.1 200 OK\nContent-Length: 20\n", body + "more", ""},
		{"no word after the status", "HTTP/1.1 200\r\nContent-Length: 20\r\n", body + "more", ""},
		{"no version", "HTTP 200 OK\r\nContent-Length: 20\r\n", body + "more", ""},
		{"half a version", "HTTP/1 200 OK\r\nContent-Length: 20\r\n", body + "more", ""},
		{"another version", "HTTP/2 200\r\nContent-Length: 20\r\n", body + "more", ""},
		{"small letters", "http/1.1 200 ok\r\nContent-Length: 20\r\n", body + "more", ""},
		{"two blanks in the status line", "HTTP/1.1  200  OK\r\nContent-Length: 20\r\n", body + "more", ""},
		{"an empty line first", "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 20\r\n", body + "more", ""},
		{"early hints before", "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\nno field\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 20, 20\r\n",
			body + "more", ""},
		{"no HTTP", "220 mail.example.org ESMTP\r\n", "", fault.HTTPMalformed},
		{"no status", "HTTP/1.1 OK\r\nContent-Length: 20\r\n", body, fault.HTTPMalformed},
		{"four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 20\r\n", body, fault.HTTPMalformed},
		{"HTTP/0.9", "", body, fault.HTTPMalformed},
		{"half a head", "HTTP/1.1 200 OK\r\nContent-Len", "", fault.HTTPMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.head + "\r\n" + c.sent
			if c.name == "half a head" || c.name == "HTTP/0.9" {
				text = c.head + c.sent
			}
			for name, answer := range map[string]func(net.Conn){"at once": says(text), "byte by byte": trickle(text)} {
				r, got, err := get(t, open(), "http://"+raw(t, answer)+"/x")
				if c.code != "" {
					if fault.CodeOf(err) != c.code || fault.KindOf(err) != fault.Remote {
						t.Errorf("%s: %q, %v error %v", name, got, fault.KindOf(err), err)
					}
					continue
				}
				if err != nil || got != body || len(r.Notices) > 0 {
					t.Errorf("%s: %q, notices %v, error %v", name, got, r.Notices, err)
				}
			}
		})
	}
}

// trickle answers in pieces of one byte each.
func trickle(text string) func(net.Conn) {
	return func(c net.Conn) {
		http.ReadRequest(bufio.NewReader(c))
		for i := range len(text) {
			if _, err := io.WriteString(c, text[i:i+1]); err != nil {
				return
			}
		}
	}
}

// TestHeadsOfAllKindsOfDirt: 200 heads with dirt in any place, over connections that are
// used again; the body and the sound fields come.
func TestHeadsOfAllKindsOfDirt(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 6))
	var text, want string
	dirt := []string{
		"no field", "<html>", ": empty", "a b: c", "X-Y : z", "\tfolded", "X: \x01", "Transfer-Encoding: identity",
		"Content-Length: x", "Content-Length: %d, %d", "Content-Length: %d", "=", "ä: ö", "X:" + strings.Repeat("y", 5000),
	}
	addr := raw(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		for {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			for rest := text; rest != ""; {
				n := min(len(rest), 1+random.IntN(200))
				if _, err := io.WriteString(c, rest[:n]); err != nil {
					return
				}
				rest = rest[n:]
			}
		}
	})
	f := fetch.New(open())
	defer f.Close()
	for n := range 200 {
		want = strings.Repeat("HTTP/1.1 200 OK\r\n", random.IntN(3)) + fmt.Sprint("GET ", n)
		lines := []string{fmt.Sprintf("X-Sound: %d", n), fmt.Sprintf("Content-Length: %d", len(want))}
		for range random.IntN(4) {
			line := dirt[random.IntN(len(dirt))]
			if strings.Contains(line, "%d") {
				line = strings.ReplaceAll(line, "%d", fmt.Sprint(len(want)))
			}
			if at := random.IntN(len(lines) + 1); line[0] != '\t' {
				lines = append(lines[:at], append([]string{line}, lines[at:]...)...)
			} else {
				lines = append([]string{line}, lines...)
			}
		}
		text = "HTTP/1.1 200 OK\r\n" + strings.Join(lines, "\r\n") + "\r\n\r\n" + want
		var body bytes.Buffer
		r, err := f.Get(context.Background(), "http://"+addr+"/x", &body)
		if err != nil || body.String() != want || fmt.Sprint(r.Exchanges[0].Headers["x-sound"]) != fmt.Sprintf("[%d]", n) {
			t.Fatalf("%d: %q gave %q, %v, error %v", n, text, body.String(), r.Exchanges[0].Headers, err)
		}
	}
}

// TestHeadsAreMendedBehindTLS: of what speaks HTTP/1.1 there; HTTP/2 has no such heads.
func TestHeadsAreMendedBehindTLS(t *testing.T) {
	for _, two := range []bool{false, true} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if two {
				fmt.Fprintf(w, "%s", r.Proto)
				return
			}
			connection, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer connection.Close()
			io.WriteString(connection, "HTTP/1.1 200 OK\r\nno field\r\nContent-Length: 8, 8\r\n\r\nHTTP/1.1")
		}))
		server.EnableHTTP2 = two
		server.StartTLS()
		f := fetch.New(open())
		f.Trust(server.Certificate())
		var body bytes.Buffer
		want := map[bool]string{false: "HTTP/1.1", true: "HTTP/2.0"}[two]
		if _, err := f.Get(context.Background(), server.URL, &body); err != nil || body.String() != want {
			t.Errorf("%q, error %v; want %s", body.String(), err, want)
		}
		f.Close()
		server.Close()
	}
}
