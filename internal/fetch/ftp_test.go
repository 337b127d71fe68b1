package fetch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

const (
	ftpBody = "0123456789abcdefghijklmnopqrstuvwxyz"
	ftpDate = "Fri, 02 Jan 2026 03:04:05 GMT"
)

func TestADocumentComesByFTP(t *testing.T) {
	s := newFTP(t, map[string]string{"data/ä b.nt": ftpBody, "empty": ""}, ftpFaults{})
	r, body, err := get(t, open(), s.uri("/data/%C3%A4%20b.nt;type=i#x"))
	if err != nil || body != ftpBody || r.Bytes != int64(len(ftpBody)) || len(r.Notices) != 0 {
		t.Fatalf("%q %+v %v", body, r, err)
	}
	if want := "PASS Laundromat@; SIZE data/ä b.nt; MDTM data/ä b.nt; RETR data/ä b.nt"; s.commands() != want {
		t.Errorf("asked %s", s.commands())
	}
	if r.FinalURI != s.uri("/data/%C3%A4%20b.nt;type=i") || r.ContentType != "" || len(r.Exchanges) != 1 {
		t.Fatalf("%+v", r)
	}
	e := r.Exchanges[0]
	if e.Status != 226 || e.Version != nil || e.Error != "" || e.Headers["last-modified"][0] != ftpDate || e.Headers["content-length"][0] != "36" {
		t.Errorf("%+v", e)
	}
	if r, body, err := get(t, open(), s.uri("/empty")); err != nil || body != "" || r.Exchanges[0].Status != 226 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestFTPLogsInAsTheURISays(t *testing.T) {
	s := newFTP(t, map[string]string{"a": ftpBody}, ftpFaults{})
	r, body, err := get(t, open(), strings.Replace(s.uri("/a"), "ftp://", "ftp://me:s3cret@", 1))
	if err != nil || body != ftpBody || !strings.HasPrefix(s.commands(), "PASS s3cret;") {
		t.Errorf("%q %v, asked %s", body, err, s.commands())
	}
	if text, _ := json.Marshal(r); strings.Contains(string(text), "s3cret") || !strings.Contains(string(text), "***@") {
		t.Errorf("%s", text)
	}
}

func TestOnlyWhatChangedComesByFTP(t *testing.T) {
	s := newFTP(t, map[string]string{"a": ftpBody}, ftpFaults{})
	known := &fetch.Validators{URI: s.uri("/a"), LastModified: ftpDate, Size: int64(len(ftpBody))}
	do := func() (*fetch.Result, string) {
		f := fetch.New(open())
		defer f.Close()
		var got bytes.Buffer
		r, err := f.Do(context.Background(), fetch.Request{URI: s.uri("/a"), Known: known}, &got)
		if err != nil {
			t.Fatal(err)
		}
		return r, got.String()
	}
	if r, body := do(); !r.NotModified || body != "" || r.Exchanges[0].Status != 213 || len(r.Exchanges[0].Conditions) != 2 || strings.Contains(s.commands(), "RETR") {
		t.Errorf("%+v %q, asked %s", r, body, s.commands())
	}
	s.set(func() { s.changed = "20260102030406" })
	if r, body := do(); r.NotModified || body != ftpBody {
		t.Errorf("another time: %+v", r)
	}
	s.set(func() { s.changed, s.files["a"] = "20260102030405", "shorter" })
	if r, body := do(); r.NotModified || body != "shorter" {
		t.Errorf("another size: %+v", r)
	}
}

func TestABodyOfFTPThatBreaksOffIsGoneOnWith(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults ftpFaults
		keep   bool // what is short
		want   string
		asked  string // of REST and RETR
		code   fault.Code
		part   int64
	}{
		{"gone on with", ftpFaults{cuts: []int{10, 5}}, true, ftpBody, "RETR; REST 10; RETR; REST 15; RETR", "", 0},
		{"told by 426", ftpFaults{cuts: []int{10}, aborted: true}, true, ftpBody, "RETR; REST 10; RETR", "", 0},
		{"told by the size alone", ftpFaults{cuts: []int{10}, endLie: true}, true, ftpBody, "RETR; REST 10; RETR", "", 0},
		{"no REST: from the beginning", ftpFaults{cuts: []int{10}, without: []string{"REST"}}, true, ftpBody, "RETR; REST 10; RETR", "", 0},
		{"no MDTM: kept as it is", ftpFaults{cuts: []int{10}, without: []string{"MDTM"}}, true, ftpBody[:10], "RETR", fault.HTTPShortBody, 0},
		{"no SIZE", ftpFaults{cuts: []int{10}, without: []string{"SIZE"}}, true, ftpBody, "RETR; REST 10; RETR", "", 0},
		{"never whole, to be tried again", ftpFaults{cuts: []int{1, 1, 1, 1, 1, 1}}, false, ftpBody[:6], "RETR; REST 1; RETR; REST 2; RETR; REST 3; RETR; REST 4; RETR; REST 5; RETR", fault.TransportConnectionReset, 6},
		{"never whole, for the last time", ftpFaults{cuts: []int{1, 1, 1, 1, 1, 1}}, true, ftpBody[:6], "RETR; REST 1; RETR; REST 2; RETR; REST 3; RETR; REST 4; RETR; REST 5; RETR", fault.HTTPShortBody, 0},
		{"nothing came", ftpFaults{cuts: []int{0}}, true, "", "RETR", fault.TransportConnectionReset, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFTP(t, map[string]string{"a": ftpBody}, c.faults)
			o := open()
			o.ResumePause = time.Millisecond
			f := fetch.New(o)
			defer f.Close()
			var got bytes.Buffer
			request := fetch.Request{URI: s.uri("/a"), KeepShort: c.keep, Restart: func() error { got.Reset(); return nil }}
			r, err := f.Do(context.Background(), request, &got)
			code := fault.CodeOf(err)
			if len(r.Notices) > 0 {
				code = r.Notices[0].Code
			}
			var asked []string
			for command := range strings.SplitSeq(s.commands(), "; ") {
				if strings.HasPrefix(command, "RE") {
					asked = append(asked, strings.TrimSuffix(command, " a"))
				}
			}
			if got.String() != c.want || code != c.code || strings.Join(asked, "; ") != c.asked || r.Bytes != int64(len(c.want)) {
				t.Errorf("%q, asked %q, %q %v", got.String(), asked, code, err)
			}
			if r.Part != nil && r.Part.Bytes == 0 {
				r.Part = nil // nothing to go on with
			}
			if (r.Part == nil) != (c.part == 0) || r.Part != nil && r.Part.Bytes != c.part {
				t.Fatalf("part %+v", r.Part)
			}
			if r.Part != nil {
				request.Part = r.Part
				if _, err = f.Do(context.Background(), request, &got); err != nil || got.String() != ftpBody {
					t.Errorf("another fetch: %q %v", got.String(), err)
				}
			}
		})
	}
	// Another version meanwhile is fetched from its beginning.
	s := newFTP(t, map[string]string{"a": ftpBody}, ftpFaults{})
	f := fetch.New(open())
	defer f.Close()
	got := bytes.NewBufferString("01234")
	part := &fetch.Part{URI: s.uri("/a"), Validator: "Thu, 01 Jan 2026 00:00:00 GMT, 36 bytes", Bytes: 5, Total: 36, FinalURI: s.uri("/a")}
	if _, err := f.Do(context.Background(), fetch.Request{URI: s.uri("/a"), Part: part, Restart: func() error { got.Reset(); return nil }}, got); err != nil || got.String() != ftpBody || strings.Contains(s.commands(), "REST") {
		t.Errorf("%q %v, asked %s", got, err, s.commands())
	}
}

func TestEachFailureOfFTPHasItsKindAndCode(t *testing.T) {
	short := func(o *fetch.Options) {
		o.HeaderTimeout, o.ConnectTimeout, o.IdleTimeout = 150*time.Millisecond, 100*time.Millisecond, 100*time.Millisecond
	}
	for _, c := range []struct {
		name   string
		path   string
		faults ftpFaults
		change func(*fetch.Options)
		kind   fault.Kind
		code   fault.Code
	}{
		{"no such file", "/b", ftpFaults{}, nil, fault.Refused, fault.FTPReply},
		{"a folder", "/a/", ftpFaults{}, nil, fault.Refused, fault.HTTPBadURI},
		{"no path", "", ftpFaults{}, nil, fault.Refused, fault.HTTPBadURI},
		{"a command in the path", "/a%0D%0ADELE%20a", ftpFaults{}, nil, fault.Refused, fault.HTTPBadURI},
		{"not logged in", "/a", ftpFaults{login: "530 no"}, nil, fault.Refused, fault.FTPReply},
		{"no user", "/a", ftpFaults{reply: map[string]int{"USER": 530}}, nil, fault.Refused, fault.FTPReply},
		{"too many users", "/a", ftpFaults{greeting: "421 too many"}, nil, fault.Remote, fault.FTPReply},
		{"too many at the login", "/a", ftpFaults{reply: map[string]int{"USER": 421}}, nil, fault.Remote, fault.FTPReply},
		{"busy", "/a", ftpFaults{reply: map[string]int{"RETR": 450}}, nil, fault.Remote, fault.FTPReply},
		{"no data connection", "/a", ftpFaults{refused: true}, nil, fault.Remote, fault.TransportConnectionRefused},
		{"silent", "/a", ftpFaults{silent: true}, short, fault.Remote, fault.TransportHeaderTimeout},
		{"silent data", "/a", ftpFaults{hang: true}, short, fault.Remote, fault.TransportSilence},
		{"a trickle", "/a", ftpFaults{trickle: 20 * time.Millisecond}, func(o *fetch.Options) { short(o); o.LeastSpeed = 1000 }, fault.Remote, fault.TransportTooSlow},
		{"a greeting without end", "/a", ftpFaults{endless: true}, nil, fault.Remote, fault.TransportFailed},
		{"too long", "/a", ftpFaults{}, func(o *fetch.Options) { o.MaxBytes = 10 }, fault.Limit, fault.LimitBytes},
		{"too long, of no size", "/a", ftpFaults{without: []string{"SIZE"}}, func(o *fetch.Options) { o.MaxBytes = 10 }, fault.Limit, fault.LimitBytes},
		{"a private address", "/a", ftpFaults{}, func(o *fetch.Options) { o.AllowPrivate = false }, fault.Refused, fault.TransportForbiddenAddress},
		{"a transport of our own", "/a", ftpFaults{}, func(o *fetch.Options) { o.Transport = round(nil) }, fault.Refused, fault.TransportUnsupportedScheme},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFTP(t, map[string]string{"a": ftpBody}, c.faults)
			o := open()
			if c.change != nil {
				c.change(&o)
			}
			start := time.Now()
			r, _, err := get(t, o, s.uri(c.path))
			if fault.KindOf(err) != c.kind || fault.CodeOf(err) != c.code {
				t.Errorf("%v %v: %v", fault.KindOf(err), fault.CodeOf(err), err)
			}
			if time.Since(start) > 5*time.Second {
				t.Errorf("it took %v", time.Since(start))
			}
			if len(r.Exchanges) == 1 && r.Exchanges[0].Error == "" {
				t.Errorf("%+v", r.Exchanges[0])
			}
		})
	}
}

// The address that a reply to PASV gives is not asked: the data come from the host that
// was asked for, and no other.
func TestFTPNeverAsksAnotherHost(t *testing.T) {
	s := newFTP(t, map[string]string{"a": ftpBody}, ftpFaults{without: []string{"EPSV"}, pasv: "10,1,2,3"})
	if _, body, err := get(t, open(), s.uri("/a")); err != nil || body != ftpBody {
		t.Errorf("%q %v", body, err)
	}
}

func TestRobotsHoldForFTP(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  map[string]string
		faults ftpFaults
		code   fault.Code
	}{
		{"forbidden", map[string]string{"robots.txt": "User-agent: *\nDisallow: /a\n", "a": ftpBody}, ftpFaults{}, fault.RobotsDisallowed},
		{"allowed", map[string]string{"robots.txt": "User-agent: *\nDisallow: /b\n", "a": ftpBody}, ftpFaults{}, ""},
		{"none", map[string]string{"a": ftpBody}, ftpFaults{}, ""},
		{"not for now", map[string]string{"a": ftpBody}, ftpFaults{reply: map[string]int{"RETR": 450}}, fault.FTPReply},
	} {
		s := newFTP(t, c.files, c.faults)
		o := open()
		o.IgnoreRobots = false
		_, body, err := get(t, o, s.uri("/a"))
		if fault.CodeOf(err) != c.code || (c.code == "") != (body == ftpBody) {
			t.Errorf("%s: %q %v", c.name, body, err)
		}
	}
}

func TestStoppedFTPIsNobodysFault(t *testing.T) {
	for _, faults := range []ftpFaults{{silent: true}, {hang: true}} {
		s := newFTP(t, map[string]string{"a": ftpBody}, faults)
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		f := fetch.New(open())
		start := time.Now()
		_, err := f.Get(ctx, s.uri("/a"), new(bytes.Buffer))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		cancel()
		f.Close()
	}
}

func TestARedirectMayLeadToFTP(t *testing.T) {
	s := newFTP(t, map[string]string{"a": ftpBody}, ftpFaults{})
	url := redirectTo(t, s.uri("/a"))
	if r, body, err := get(t, open(), url); err != nil || body != ftpBody || r.FinalURI != s.uri("/a") {
		t.Errorf("%q %v", body, err)
	}
	if _, _, err := get(t, open(), redirectTo(t, "file:///etc/passwd")); fault.CodeOf(err) != fault.TransportUnsupportedScheme {
		t.Errorf("%v", err)
	}
}

func redirectTo(t *testing.T, target string) string {
	return "http://" + raw(t, says(fmt.Sprintf("HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", target))) + "/"
}
