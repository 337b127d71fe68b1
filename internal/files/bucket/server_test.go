package bucket

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/minio/minio-go/v7"

	"laundromat/internal/files/blobtest"
)

// server starts an object store for a test.
func server(t testing.TB) string {
	return blobtest.Server(t).Endpoint
}

// made makes a bucket, and returns the address of a store in it.
func made(t testing.TB, endpoint, name string) Address {
	t.Helper()
	at := Address{Bucket: name, Prefix: "some/where/", Endpoint: endpoint, Region: defaultRegion}
	client, err := at.client(&watched{})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.MakeBucket(t.Context(), name, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	return at
}

// opened opens a store for a test.
func opened(t testing.TB, at Address) *Bucket {
	t.Helper()
	b, err := Open(context.Background(), at, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// through is a proxy to a server, which asks change about each request: it may answer itself, and
// says then that it did.
func through(t testing.TB, endpoint string, change func(http.ResponseWriter, *http.Request) bool) string {
	t.Helper()
	target, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host
		r.Out.Host = r.In.Host // the signature holds the name that the client used
	}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	proxied := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !change(w, r) {
			proxy.ServeHTTP(w, r)
		}
	})}
	go proxied.Serve(listener)
	t.Cleanup(func() { proxied.Close() })
	return "http://" + listener.Addr().String()
}

// refusal answers as a server does that refuses.
func refusal(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>as the test says</Message></Error>", code)
}
