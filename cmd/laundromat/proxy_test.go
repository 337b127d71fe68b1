package main

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// loopbackProxy is a proxy that knows one host, data.example.com, and what it was asked for.
type loopbackProxy struct {
	*httptest.Server
	plain, secure *httptest.Server
	mu            sync.Mutex
	asked         []string
	user          string // user:password that it wants; "": none
}

func newLoopbackProxy(t *testing.T) *loopbackProxy {
	t.Helper()
	p := &loopbackProxy{}
	data := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/secret.nt" && r.Header.Get("Authorization")+r.Header.Get("X-Key") != "Bearer t0ken-of-oursk3y-of-ours":
			http.Error(w, "no", http.StatusForbidden)
		case r.URL.Path == "/moved.nt":
			http.Redirect(w, r, "http://127.0.0.1:1/x.nt", http.StatusFound)
		case r.URL.Path == "/list.txt":
			io.WriteString(w, "http://data.example.com/a.nt\n")
		default:
			w.Header().Set("Content-Type", "application/n-triples")
			io.WriteString(w, "<http://example.org/s> <http://example.org/p> \"1\" .\n")
		}
	})
	p.plain, p.secure = httptest.NewServer(data), httptest.NewTLSServer(data)
	p.Server = httptest.NewServer(p)
	t.Cleanup(func() { p.Close(); p.plain.Close(); p.secure.Close() })
	return p
}

func (p *loopbackProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, r.Method+" "+r.Host)
	wanted := p.user
	p.mu.Unlock()
	if wanted != "" {
		credentials := &http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}
		if user, password, _ := credentials.BasicAuth(); user+":"+password != wanted {
			http.Error(w, "who are you?", http.StatusProxyAuthRequired)
			return
		}
	}
	if name, _, _ := strings.Cut(r.Host, ":"); name != "data.example.com" && name != "example.com" {
		http.Error(w, "unknown host", http.StatusBadGateway)
		return
	}
	if r.Method == http.MethodConnect {
		to, err := net.Dial("tcp", p.secure.Listener.Addr().String())
		if err != nil {
			http.Error(w, "", http.StatusBadGateway)
			return
		}
		from, sent, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		io.WriteString(from, "HTTP/1.1 200 Connection established\r\n\r\n")
		// What the client has sent already is in the buffer.
		go func() { io.Copy(to, sent); to.Close() }()
		io.Copy(from, to)
		from.Close()
		return
	}
	at, _ := url.Parse(p.plain.URL)
	r.URL.Host, r.RequestURI = at.Host, ""
	reply, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		http.Error(w, "", http.StatusBadGateway)
		return
	}
	defer reply.Body.Close()
	for name, values := range reply.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(reply.StatusCode)
	io.Copy(w, reply.Body)
}

// requests are what the proxy was asked for, since the last call.
func (p *loopbackProxy) requests() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := strings.Join(p.asked, "\n")
	p.asked = nil
	return all
}

// withProxy is the program with an environment that has only these variables for proxies.
func withProxy(t *testing.T, dir string, environment []string, args ...string) *exec.Cmd {
	t.Helper()
	command := process(t, dir, args...)
	if command.Env == nil {
		command.Env = os.Environ()
	}
	var kept []string
	for _, one := range command.Env {
		name, _, _ := strings.Cut(one, "=")
		if !strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
			kept = append(kept, one)
		}
	}
	command.Env = append(kept, environment...)
	return command
}

// Each way to name a proxy is used for plain and for encrypted documents; each that names none is not.
func TestDocumentsComeThroughAProxy(t *testing.T) {
	p := newLoopbackProxy(t)
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.secure.Certificate().Raw})
	if err := os.WriteFile(ca, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	const plain, secure = "http://data.example.com/a.nt", "https://example.com/a.nt"
	for _, row := range []struct {
		name        string
		environment []string
		args        []string
		exit        int
		asked, says string
	}{
		{"http_proxy", []string{"http_proxy=" + p.URL}, []string{plain}, 0, "GET data.example.com", ""},
		{"HTTP_PROXY", []string{"HTTP_PROXY=" + p.URL}, []string{plain}, 0, "GET data.example.com", ""},
		{"HTTPS_PROXY", []string{"HTTPS_PROXY=" + p.URL}, []string{secure, "--ca-file", ca}, 0, "CONNECT example.com:443", ""},
		{"flag", nil, []string{plain, "--proxy", p.URL}, 0, "GET data.example.com", ""},
		{"flag without a scheme", nil, []string{plain, "--proxy", p.Listener.Addr().String()}, 0, "GET data.example.com", ""},
		{"setting", []string{"LAUNDROMAT_PROXY=" + p.URL}, []string{plain}, 0, "GET data.example.com", ""},
		{"flag for https", nil, []string{secure, "--proxy", p.URL, "--ca-file", ca}, 0, "CONNECT example.com:443", ""},
		{"insecure host", nil, []string{secure, "--proxy", p.URL, "--insecure-host", "example.com"}, 0, "CONNECT example.com:443", ""},
		{"another insecure host", nil, []string{secure, "--proxy", p.URL, "--insecure-host", "example.org"}, 1, "CONNECT", "certificate"},
		{"unknown authority", nil, []string{secure, "--proxy", p.URL}, 1, "CONNECT example.com:443", "certificate"},
		{"direct", []string{"HTTP_PROXY=" + p.URL}, []string{plain, "--proxy", "direct"}, 1, "", ""},
		{"NO_PROXY", []string{"HTTP_PROXY=" + p.URL, "NO_PROXY=.example.com"}, []string{plain}, 1, "", ""},
		{"a private address", nil, []string{"http://10.0.0.1/a.nt", "--proxy", p.URL}, 1, "", "not public"},
		{"a private address in IPv6", nil, []string{"http://[fd00::1]/a.nt", "--proxy", p.URL}, 1, "", "not public"},
		{"a private address in IPv6 of IPv4", nil, []string{"http://[::ffff:10.0.0.1]/a.nt", "--proxy", p.URL}, 1, "", "not public"},
		{"a host that the proxy does not know", nil, []string{"https://other.example/a.nt", "--proxy", p.URL}, 1, "other.example", "502"},
		{"no proxy there", nil, []string{plain, "--proxy", "http://127.0.0.1:1"}, 1, "", "the proxy"},
		{"not a proxy", nil, []string{plain, "--proxy", "gopher://x"}, 2, "", "not the URL of a proxy"},
		{"a redirect to a private address", nil, []string{"http://data.example.com/moved.nt", "--proxy", p.URL}, 1, "GET", "not public"},
	} {
		t.Run(row.name, func(t *testing.T) {
			command := withProxy(t, dir, row.environment, append([]string{"wash"}, row.args...)...)
			var out, said bytes.Buffer
			command.Stdout, command.Stderr = &out, &said
			exit := exitCodeOf(t, command.Run())
			asked := p.requests()
			if exit != row.exit || !strings.Contains(asked, row.asked) || row.asked == "" && asked != "" ||
				!strings.Contains(said.String(), row.says) {
				t.Errorf("exit %d, asked %q, said %s", exit, asked, &said)
			}
			if want := row.exit == 0; want != strings.Contains(out.String(), "<http://example.org/s>") {
				t.Errorf("output: %s", &out)
			}
		})
	}
}

// A proxy that wants a password gets it, and no message shows it.
func TestThePasswordOfAProxyIsNotShown(t *testing.T) {
	p := newLoopbackProxy(t)
	p.mu.Lock()
	p.user = "me:s3cret"
	p.mu.Unlock()
	at := strings.Replace(p.URL, "://", "://me:s3cret@", 1)
	const document = "http://data.example.com/a.nt"
	if out, err := withProxy(t, t.TempDir(), nil, "wash", document, "--proxy", at).Output(); err != nil || len(out) == 0 {
		t.Errorf("%v", err)
	}
	other := strings.Replace(at, "s3", "S3", 1)
	wrong, err := withProxy(t, t.TempDir(), nil, "wash", document, "--proxy", other).CombinedOutput()
	if exitCodeOf(t, err) != 1 || !strings.Contains(string(wrong), "407") || strings.Contains(string(wrong), "S3cret") {
		t.Errorf("%s", wrong)
	}
	shown, err := withProxy(t, t.TempDir(), nil, "config", "show", "--proxy", at).CombinedOutput()
	if err != nil || strings.Contains(string(shown), "s3cret") {
		t.Errorf("%v: %s", err, shown)
	}
}

// What a host is sent comes from a file for its owner alone, goes to that host, and is shown nowhere.
func TestSecretsOfHostsAreSentAndNotShown(t *testing.T) {
	p := newLoopbackProxy(t)
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(data, "hosts.yaml")
	text := fmt.Sprintf("data.example.com:\n  bearer: t0ken-of-ours\n  headers: {X-Key: k3y-of-ours}\n  proxy: %s\n", p.URL)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	refused, err := withProxy(t, dir, nil, "serve", "--data", data, "--until-idle").CombinedOutput()
	if exitCodeOf(t, err) != exitUsage || !strings.Contains(string(refused), "chmod 600") {
		t.Errorf("a file that all may read: %v %s", err, refused)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	seeds, log := filepath.Join(dir, "seeds"), filepath.Join(dir, "log")
	if err := os.WriteFile(seeds, []byte("http://data.example.com/secret.nt\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := withProxy(t, dir, nil, "serve", "-v", "--data", data, "--until-idle", "--listen", "127.0.0.1:0", "--seeds", seeds,
		"--log-file", log, "--host-delay", "0s", "--catalog", "http://data.example.com/list.txt").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	all := seedsOf(t, data)
	washed := 0
	for _, s := range all {
		if s.Status == "parsed" {
			washed++
		}
	}
	if washed != 2 {
		t.Errorf("%d documents are washed, want that of the list and that of the catalog: %+v", washed, all)
	}
	shown := string(said) + fmt.Sprint(all)
	for _, name := range []string{log, seeds} {
		text, _ := os.ReadFile(name)
		shown += string(text)
	}
	for _, args := range [][]string{{"show", "http://data.example.com/secret.nt", "--json"}, {"why", "http://data.example.com/secret.nt"},
		{"stats", "--json"}, {"config", "show"}, {"config", "show", "--host-file", file}} {
		out, _ := withProxy(t, dir, nil, append(args, "--data", data)...).CombinedOutput()
		shown += string(out)
	}
	saved := filepath.Join(dir, "saved")
	if out, err := withProxy(t, dir, nil, "backup", saved, "--data", data).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	filepath.WalkDir(saved, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			text, _ := os.ReadFile(path)
			shown += string(text)
		}
		return nil
	})
	for _, to := range []string{"with", "with.tar"} {
		saved, again := filepath.Join(dir, to), filepath.Join(dir, to+".again")
		for _, args := range [][]string{{"backup", "--with-secrets", saved, "--data", data}, {"restore", saved, "--data", again}} {
			if out, err := withProxy(t, dir, nil, args...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		back, err := os.ReadFile(filepath.Join(again, "hosts.yaml"))
		if info, _ := os.Stat(filepath.Join(again, "hosts.yaml")); err != nil || string(back) != text || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %q", to, err, back)
		}
	}
	filepath.WalkDir(data, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && path != file {
			text, _ := os.ReadFile(path)
			shown += string(text)
		}
		return nil
	})
	for _, secret := range []string{"t0ken-of-ours", "k3y-of-ours"} {
		if strings.Contains(shown, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
	// Another host is not sent what one is.
	out, err := withProxy(t, dir, nil, "wash", "http://example.com/secret.nt", "--data", data, "--proxy", p.URL).CombinedOutput()
	if exitCodeOf(t, err) != exitFailed && exitCodeOf(t, err) != exitUsage {
		t.Errorf("%v: %s", err, out)
	}
}

// While the proxy is away no document fails and no try counts; when it is back the work goes on.
func TestAProxyThatIsAwayIsNotTheDocumentsFault(t *testing.T) {
	p := newLoopbackProxy(t)
	address := p.Listener.Addr().String()
	p.Server.Close()
	dir := t.TempDir()
	data, seeds, log := filepath.Join(dir, "data"), filepath.Join(dir, "seeds"), filepath.Join(dir, "log")
	if err := os.WriteFile(seeds, []byte("http://data.example.com/a.nt\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := withProxy(t, dir, nil, "serve", "--data", data, "--until-idle", "--listen", "127.0.0.1:0", "--seeds", seeds,
		"--log-file", log, "--host-delay", "0s", "--proxy", "http://"+address, "--ignore-robots")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	awaitText(t, log, "pausing: this machine has trouble")
	listener, err := net.Listen("tcp", address)
	if err != nil {
		command.Process.Kill()
		t.Skip("the port of the proxy was taken meanwhile: ", err)
	}
	back := &http.Server{Handler: p, TLSConfig: &tls.Config{}}
	go back.Serve(listener)
	defer back.Close()
	if code := waitFor(t, command, time.Minute); code != 0 {
		t.Errorf("exit %d", code)
	}
	for _, s := range seedsOf(t, data) {
		if s.URI != "" && (s.Status != "parsed" || s.Tries != 0) {
			t.Errorf("%+v", s)
		}
	}
}
