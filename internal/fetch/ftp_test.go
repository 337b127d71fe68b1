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
	"laundromat/internal/fetch/ftptest"
)

func newFTP(t *testing.T, files map[string]string, faults ftptest.Faults) *ftptest.Server {
	s := ftptest.New(files, faults)
	t.Cleanup(s.Close)
	return s
}

const (
	ftpBody = "0123456789abcdefghijklmnopqrstuvwxyz"
	ftpDate = "Fri, 02 Jan 2026 03:04:05 GMT"
)

func TestADocumentComesByFTP(t *testing.T) {
	s := newFTP(t, map[string]string{"data/ä b.nt": ftpBody, "empty": ""}, ftptest.Faults{})
	r, body, err := get(t, open(), s.URI("/data/%C3%A4%20b.nt;type=i#x"))
	if err != nil || body != ftpBody || r.Bytes != int64(len(ftpBody)) || len(r.Notices) != 0 {
		t.Fatalf("%q %+v %v", body, r, err)
	}
	if want := "PASS Laundromat@; SIZE data/ä b.nt; MDTM data/ä b.nt; RETR data/ä b.nt"; s.Commands() != want {
		t.Errorf("asked %s", s.Commands())
	}
	if r.FinalURI != s.URI("/data/%C3%A4%20b.nt;type=i") || r.ContentType != "" || len(r.Exchanges) != 1 {
		t.Fatalf("%+v", r)
	}
	e := r.Exchanges[0]
	if e.Status != 226 || e.Version != nil || e.Error != "" || e.Headers["last-modified"][0] != ftpDate ||
		e.Headers["content-length"][0] != "36" {
		t.Errorf("%+v", e)
	}
	if r, body, err := get(t, open(), s.URI("/empty")); err != nil || body != "" || r.Exchanges[0].Status != 226 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestFTPLogsInAsTheURISays(t *testing.T) {
	s := newFTP(t, map[string]string{"a": ftpBody}, ftptest.Faults{})
	r, body, err := get(t, open(), strings.Replace(s.URI("/a"), "ftp://", "ftp://me:s3cret@", 1))
	if err != nil || body != ftpBody || !strings.HasPrefix(s.Commands(), "PASS s3cret;") {
		t.Errorf("%q %v, asked %s", body, err, s.Commands())
	}
	if text, _ := json.Marshal(r); strings.Contains(string(text), "s3cret") || !strings.Contains(string(text), "***@") {
		t.Errorf("%s", text)
	}
}

func TestOnlyWhatChangedComesByFTP(t *testing.T) {
	s := newFTP(t, map[string]string{"a": ftpBody}, ftptest.Faults{})
	known := &fetch.Validators{URI: s.URI("/a"), LastModified: ftpDate, Size: int64(len(ftpBody))}
	do := func() (*fetch.Result, string) {
		f := fetch.New(open())
		defer f.Close()
		var got bytes.Buffer
		r, err := f.Do(context.Background(), fetch.Request{URI: s.URI("/a"), Known: known}, &got)
		if err != nil {
			t.Fatal(err)
		}
		return r, got.String()
	}
	if r, body := do(); !r.NotModified || body != "" || r.Exchanges[0].Status != 213 || len(r.Exchanges[0].Conditions) != 2 ||
		strings.Contains(s.Commands(), "RETR") {
		t.Errorf("%+v %q, asked %s", r, body, s.Commands())
	}
	s.Put("a", ftpBody, "20260102030406")
	if r, body := do(); r.NotModified || body != ftpBody {
		t.Errorf("another time: %+v", r)
	}
	s.Put("a", "shorter", "20260102030405")
	if r, body := do(); r.NotModified || body != "shorter" {
		t.Errorf("another size: %+v", r)
	}
}

func TestABodyOfFTPThatBreaksOffIsGoneOnWith(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults ftptest.Faults
		keep   bool // what is short
		want   string
		asked  string // of REST and RETR
		code   fault.Code
		part   int64
	}{
		{"gone on with", ftptest.Faults{Cuts: []int{10, 5}}, true, ftpBody, "RETR; REST 10; RETR; REST 15; RETR", "", 0},
		{"told by 426", ftptest.Faults{Cuts: []int{10}, Aborted: true}, true, ftpBody, "RETR; REST 10; RETR", "", 0},
		{"told by the size alone", ftptest.Faults{Cuts: []int{10}, EndLie: true}, true, ftpBody, "RETR; REST 10; RETR", "", 0},
		{"no REST: from the beginning", ftptest.Faults{Cuts: []int{10}, Without: []string{"REST"}}, true, ftpBody, "RETR; REST 10; RETR",
			"", 0},
		{"no MDTM: kept as it is", ftptest.Faults{Cuts: []int{10}, Without: []string{"MDTM"}}, true, ftpBody[:10], "RETR",
			fault.HTTPShortBody, 0},
		{"no SIZE", ftptest.Faults{Cuts: []int{10}, Without: []string{"SIZE"}}, true, ftpBody, "RETR; REST 10; RETR", "", 0},
		{"never whole, to be tried again", ftptest.Faults{Cuts: []int{1, 1, 1, 1, 1, 1}}, false, ftpBody[:6],
			"RETR; REST 1; RETR; REST 2; RETR; REST 3; RETR; REST 4; RETR; REST 5; RETR", fault.TransportConnectionReset, 6},
		{"never whole, for the last time", ftptest.Faults{Cuts: []int{1, 1, 1, 1, 1, 1}}, true, ftpBody[:6],
			"RETR; REST 1; RETR; REST 2; RETR; REST 3; RETR; REST 4; RETR; REST 5; RETR", fault.HTTPShortBody, 0},
		{"nothing came", ftptest.Faults{Cuts: []int{0}}, true, "", "RETR", fault.TransportConnectionReset, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFTP(t, map[string]string{"a": ftpBody}, c.faults)
			o := open()
			o.ResumePause = time.Millisecond
			f := fetch.New(o)
			defer f.Close()
			var got bytes.Buffer
			request := fetch.Request{URI: s.URI("/a"), KeepShort: c.keep, Restart: func() error { got.Reset(); return nil }}
			r, err := f.Do(context.Background(), request, &got)
			code := fault.CodeOf(err)
			if len(r.Notices) > 0 {
				code = r.Notices[0].Code
			}
			var asked []string
			for command := range strings.SplitSeq(s.Commands(), "; ") {
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
	s := newFTP(t, map[string]string{"a": ftpBody}, ftptest.Faults{})
	f := fetch.New(open())
	defer f.Close()
	got := bytes.NewBufferString("01234")
	part := &fetch.Part{URI: s.URI("/a"), Validator: "Thu, 01 Jan 2026 00:00:00 GMT, 36 bytes", Bytes: 5, Total: 36, FinalURI: s.URI("/a")}
	if _, err := f.Do(context.Background(), fetch.Request{URI: s.URI("/a"), Part: part, Restart: func() error { got.Reset(); return nil }},
		got); err != nil || got.String() != ftpBody || strings.Contains(s.Commands(), "REST") {
		t.Errorf("%q %v, asked %s", got, err, s.Commands())
	}
}

func TestEachFailureOfFTPHasItsKindAndCode(t *testing.T) {
	short := func(o *fetch.Options) {
		o.HeaderTimeout, o.ConnectTimeout, o.IdleTimeout = 150*time.Millisecond, 100*time.Millisecond, 100*time.Millisecond
	}
	for _, c := range []struct {
		name   string
		path   string
		faults ftptest.Faults
		change func(*fetch.Options)
		kind   fault.Kind
		code   fault.Code
	}{
		{"no such file", "/b", ftptest.Faults{}, nil, fault.Refused, fault.TransportFTPReply},
		{"a folder", "/a/", ftptest.Faults{}, nil, fault.Refused, fault.HTTPBadURI},
		{"no path", "", ftptest.Faults{}, nil, fault.Refused, fault.HTTPBadURI},
		{"a command in the path", "/a%0D%0ADELE%20a", ftptest.Faults{}, nil, fault.Refused, fault.HTTPBadURI},
		{"not logged in", "/a", ftptest.Faults{Login: "530 no"}, nil, fault.Refused, fault.TransportFTPReply},
		{"no user", "/a", ftptest.Faults{Reply: map[string]int{"USER": 530}}, nil, fault.Refused, fault.TransportFTPReply},
		{"too many users", "/a", ftptest.Faults{Greeting: "421 too many"}, nil, fault.Remote, fault.TransportFTPReply},
		{"too many at the login", "/a", ftptest.Faults{Reply: map[string]int{"USER": 421}}, nil, fault.Remote, fault.TransportFTPReply},
		{"busy", "/a", ftptest.Faults{Reply: map[string]int{"RETR": 450}}, nil, fault.Remote, fault.TransportFTPReply},
		{"no data connection", "/a", ftptest.Faults{Refused: true}, nil, fault.Remote, fault.TransportConnectionRefused},
		{"silent", "/a", ftptest.Faults{Silent: true}, short, fault.Remote, fault.TransportHeaderTimeout},
		{"silent data", "/a", ftptest.Faults{Hang: true}, short, fault.Remote, fault.TransportSilence},
		{"a trickle", "/a", ftptest.Faults{Trickle: 20 * time.Millisecond}, func(o *fetch.Options) { short(o); o.LeastSpeed = 1000 },
			fault.Remote, fault.TransportTooSlow},
		{"a greeting without end", "/a", ftptest.Faults{Endless: true}, nil, fault.Remote, fault.TransportFailed},
		{"too long", "/a", ftptest.Faults{}, func(o *fetch.Options) { o.MaxBytes = 10 }, fault.Limit, fault.LimitBytes},
		{"too long, of no size", "/a", ftptest.Faults{Without: []string{"SIZE"}}, func(o *fetch.Options) { o.MaxBytes = 10 }, fault.Limit,
			fault.LimitBytes},
		{"a private address", "/a", ftptest.Faults{}, func(o *fetch.Options) { o.AllowPrivate = false }, fault.Refused,
			fault.TransportForbiddenAddress},
		{"a transport of our own", "/a", ftptest.Faults{}, func(o *fetch.Options) { o.Transport = round(nil) }, fault.Refused,
			fault.TransportUnsupportedScheme},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFTP(t, map[string]string{"a": ftpBody}, c.faults)
			o := open()
			if c.change != nil {
				c.change(&o)
			}
			start := time.Now()
			r, _, err := get(t, o, s.URI(c.path))
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
	s := newFTP(t, map[string]string{"a": ftpBody}, ftptest.Faults{Without: []string{"EPSV"}, Pasv: "10,1,2,3"})
	if _, body, err := get(t, open(), s.URI("/a")); err != nil || body != ftpBody {
		t.Errorf("%q %v", body, err)
	}
}

func TestRobotsHoldForFTP(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  map[string]string
		faults ftptest.Faults
		code   fault.Code
	}{
		{"forbidden", map[string]string{"robots.txt": "User-agent: *\nDisallow: /a\n", "a": ftpBody}, ftptest.Faults{},
			fault.RobotsDisallowed},
		{"allowed", map[string]string{"robots.txt": "User-agent: *\nDisallow: /b\n", "a": ftpBody}, ftptest.Faults{}, ""},
		{"none", map[string]string{"a": ftpBody}, ftptest.Faults{}, ""},
		{"not for now", map[string]string{"a": ftpBody}, ftptest.Faults{Reply: map[string]int{"RETR": 450}}, fault.TransportFTPReply},
	} {
		s := newFTP(t, c.files, c.faults)
		o := open()
		o.IgnoreRobots = false
		_, body, err := get(t, o, s.URI("/a"))
		if fault.CodeOf(err) != c.code || (c.code == "") != (body == ftpBody) {
			t.Errorf("%s: %q %v", c.name, body, err)
		}
	}
}

func TestStoppedFTPIsNobodysFault(t *testing.T) {
	for _, faults := range []ftptest.Faults{{Silent: true}, {Hang: true}} {
		s := newFTP(t, map[string]string{"a": ftpBody}, faults)
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		f := fetch.New(open())
		start := time.Now()
		_, err := f.Get(ctx, s.URI("/a"), new(bytes.Buffer))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		cancel()
		f.Close()
	}
}

func TestARedirectMayLeadToFTP(t *testing.T) {
	s := newFTP(t, map[string]string{"a": ftpBody}, ftptest.Faults{})
	url := redirectTo(t, s.URI("/a"))
	if r, body, err := get(t, open(), url); err != nil || body != ftpBody || r.FinalURI != s.URI("/a") {
		t.Errorf("%q %v", body, err)
	}
	if _, _, err := get(t, open(), redirectTo(t, "file:///etc/passwd")); fault.CodeOf(err) != fault.TransportUnsupportedScheme {
		t.Errorf("%v", err)
	}
}

func redirectTo(t *testing.T, target string) string {
	return "http://" + raw(t, says(fmt.Sprintf("HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", target))) + "/"
}
