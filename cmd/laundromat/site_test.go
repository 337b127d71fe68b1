package main

import (
	"bytes"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptSite serves a folder on a loopback address: "site NAME DIR". The variable NAME holds its URL;
// in the files, SITE stands for it. A path that ends in / is answered by the file "index" in it. A
// file is read again each time, so that a script can change it.
func scriptSite(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: site NAME DIR")
	}
	folder := ts.MkAbs(args[1])
	server := httptest.NewUnstartedServer(nil)
	server.Config.Handler = http.HandlerFunc(func(reply http.ResponseWriter, r *http.Request) {
		name := path.Clean("/" + r.URL.Path)
		if strings.HasSuffix(r.URL.Path, "/") {
			name = path.Join(name, "index")
		}
		body, err := os.ReadFile(folder + name)
		if err != nil {
			http.NotFound(reply, r)
			return
		}
		kind := mime.TypeByExtension(path.Ext(name))
		if kind == "" {
			kind = "application/octet-stream"
		}
		reply.Header().Set("Content-Type", kind)
		reply.Write(bytes.ReplaceAll(body, []byte("SITE"), []byte("http://"+r.Host)))
	})
	server.Start()
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
	ts.Setenv(args[0]+"_host", strings.TrimPrefix(server.URL, "http://"))
}
