package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// walked is what the script deploy/walk says of an address.
func walked(t *testing.T, address string, settings ...string) (said string, exit int) {
	t.Helper()
	for _, program := range []string{"bash", "curl", "sha256sum", "gzip", "unzip"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not there", program)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	if err := os.Symlink(self, filepath.Join(programs, "laundromat")); err != nil {
		t.Fatal(err)
	}
	walk := exec.Command("bash", "../../deploy/walk", address)
	walk.Env = append(append(os.Environ(), beProgram+"=1", "NO_COLOR=1", "LAUNDROMAT_DATA=", "TMPDIR="+t.TempDir(),
		"PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH")), settings...)
	out, err := walk.CombinedOutput()
	return string(out), exitCodeOf(t, err)
}

// A stranger with curl and "laundromat check" walks every face, form and link without a finding; and what is damaged on
// the way is found.
func TestAStrangerWalksEveryFaceWithoutAFinding(t *testing.T) {
	address := startDaemon(t, washedDemo(t))
	said, exit := walked(t, "http://"+address, "DATASETS=8", "LINKS=1")
	var requests, datasets, rdf, links, findings int
	last := said[strings.LastIndex(strings.TrimSuffix(said, "\n"), "\n")+1:]
	_, err := fmt.Sscanf(strings.TrimPrefix(last, "http://"+address),
		": %d requests, %d datasets, %d files of RDF, %d addresses followed, %d findings", &requests, &datasets, &rdf, &links, &findings)
	if err != nil || exit != 0 || findings != 0 || datasets != 8 || rdf < 30 || links < 150 {
		t.Errorf("exit code %d: %s %v", exit, said, err)
	}

	damage := map[string]func([]byte) []byte{
		"/clean.nq":              func(text []byte) []byte { return bytes.Replace(text, []byte("a"), []byte("b"), 1) },
		"/api/v1/download?as=nq": func(text []byte) []byte { return text[:len(text)/2] },
		"/api/v1/statements":     func(text []byte) []byte { return text[:max(0, bytes.LastIndex(text, []byte("# end")))] },
		"/quality":               func(text []byte) []byte { return append(text, "<http://e.example/a b> a <http://e.example/c> .\n"...) },
		"/sitemaps/1.xml":        func([]byte) []byte { return nil },
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = "http", address },
		ModifyResponse: func(reply *http.Response) error {
			for name, spoil := range damage {
				if !strings.Contains(reply.Request.URL.RequestURI(), name) || strings.Contains(reply.Request.URL.RawQuery, "jsonl") {
					continue
				}
				text, err := io.ReadAll(reply.Body)
				if err != nil {
					return err
				}
				text = spoil(text)
				if len(text) == 0 {
					reply.StatusCode = http.StatusNotFound
				}
				reply.Body = io.NopCloser(bytes.NewReader(text))
				reply.ContentLength = int64(len(text))
				reply.Header.Set("Content-Length", fmt.Sprint(len(text)))
			}
			return nil
		},
	})
	defer proxy.Close()
	said, exit = walked(t, proxy.URL, "DATASETS=1", "LINKS=0")
	for name := range damage {
		if !strings.Contains(said, name) {
			t.Errorf("damage of %s is not found", name)
		}
	}
	if exit != 1 || !strings.Contains(said, ": repair: iri/space: ") {
		t.Errorf("exit code %d: %s", exit, said)
	}
}
