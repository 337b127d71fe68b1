package daemon_test

import (
	"net/http"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Mirrors are asked in order when the first fails for good, or in its last try; the
// record says which one gave the document.
func TestMirrorsAreAskedWhenTheFirstFails(t *testing.T) {
	const data = "<x> <http://e.org/p> \"o\" .\n"
	for _, test := range []struct {
		name    string
		first   int    // status of the seed's own URI
		mirrors string // paths; 404, 503, or what gives the data
		want    string // which gave it
		asked   string // paths in order
		code    fault.Code
	}{
		{"the first gives it", 200, "/a.ttl", "", "/first.ttl", ""},
		{"it is not there", 404, "/a.ttl", "/a.ttl", "/first.ttl /a.ttl", ""},
		{"nor is the second", 404, "/404 /a.ttl /b.ttl", "/a.ttl", "/first.ttl /404 /a.ttl", ""},
		{"it has trouble to the end", 503, "/a.ttl", "/a.ttl", "/first.ttl /first.ttl /first.ttl /a.ttl", ""},
		{"a mirror has trouble", 404, "/503", "", "/first.ttl /503 /first.ttl /503 /first.ttl /503", fault.HTTPStatus},
		{"none has it", 404, "/404 /404?2", "", "/first.ttl /404 /404", fault.HTTPStatus},
		{"a mirror moved", 404, "/moved", "/moved", "/first.ttl /moved /a.ttl", ""},
		{"what isn't a URI, or the same", 404, "mailto:a@b file:///etc/passwd /first.ttl … /a.ttl", "/a.ttl", "/first.ttl /a.ttl", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.fetch.IgnoreRobots = true
			var asked []string
			w.mux.HandleFunc("/", func(reply http.ResponseWriter, r *http.Request) {
				asked = append(asked, r.URL.Path)
				status := map[string]int{"/404": 404, "/503": 503, "/first.ttl": test.first}[r.URL.Path]
				switch {
				case r.URL.Path == "/moved":
					http.Redirect(reply, r, "/a.ttl", http.StatusFound)
				case status > 200:
					reply.WriteHeader(status)
				default:
					reply.Header().Set("Content-Type", "text/turtle")
					reply.Write([]byte(data))
				}
			})
			var mirrors []string
			for _, m := range strings.Fields(test.mirrors) {
				if strings.HasPrefix(m, "/") {
					m = w.uri(m)
				}
				mirrors = append(mirrors, m)
			}
			if _, err := w.seeds.Add(t.Context(),
				[]seedlist.NewSeed{{URI: w.uri("/first.ttl"),
					Claims: map[string]string{"mirrors": strings.Join(mirrors, " ")}}}); err != nil {
				t.Fatal(err)
			}
			w.run()
			w.sound()
			s := w.seed("/first.ttl")
			if got := strings.Join(asked, " "); got != test.asked {
				t.Errorf("asked %s, want %s", got, test.asked)
			}
			if test.code != "" {
				if s.Status != seedlist.Failed || s.Error.Code != test.code {
					t.Fatalf("%s %+v", s.Status, s.Error)
				}
				return
			}
			want := test.want
			if want != "" {
				want = w.uri(want)
			}
			if s.Status != seedlist.Parsed || s.Mirror != want || len(s.HTTP) == 0 {
				t.Fatalf("%s, mirror %q: %+v", s.Status, s.Mirror, s.Error)
			}
			// Wherever it comes from, it says the same.
			if clean := w.clean(s); !strings.Contains(clean, "<"+w.uri("/x")+">") {
				t.Errorf("%s", clean)
			}
		})
	}
}

// What a mirror gave is compared with the claims, and asked for again only if it changed.
func TestWhatAMirrorGaveIsJudgedAsEver(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	sent := 0
	w.mux.HandleFunc("/a.nt", func(reply http.ResponseWriter, r *http.Request) {
		reply.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			reply.WriteHeader(http.StatusNotModified)
			return
		}
		sent++
		reply.Write([]byte(triple))
	})
	if _, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: w.uri("/gone.nt"), Claims: map[string]string{
		"mirrors": w.uri("/a.nt"), "checksum": "md5:00000000000000000000000000000000",
	}}}); err != nil {
		t.Fatal(err)
	}
	w.run()
	w.sound()
	if s := w.seed("/gone.nt"); s.Status != seedlist.Parsed || s.Notices["claim/checksum"] != 1 || s.Mirror != w.uri("/a.nt") {
		t.Fatalf("%s %+v %+v", s.Status, s.Notices, s.Error)
	}
	if answers, err := w.seeds.Retry(t.Context(), "", w.seed("/gone.nt").Hash); err != nil || answers[0] != nil {
		t.Fatal(err, answers)
	}
	w.run()
	w.sound()
	if s := w.seed("/gone.nt"); s.Status != seedlist.Parsed || sent != 1 || s.Mirror != w.uri("/a.nt") {
		t.Errorf("%s, sent %d times, %+v", s.Status, sent, s.Error)
	}
}
