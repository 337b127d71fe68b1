// Package demo is a small world of linked data, tables and texts, clean and dirty, that is part of the program. It is
// washed by "serve --demo", and the end-to-end test compares the outcome with a list. Its one host,
// [Host], is answered in process by [Transport]; there is no port, and every run sees the same
// bytes.
package demo

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"
)

// Host is the host that Transport answers; it exists nowhere else (RFC 6761 §6.2).
const Host = "demo.laundromat.test"

// base is what the seeds' URIs begin with.
const base = "http://" + Host + "/"

//go:embed files
var files embed.FS

// Seeds returns the URIs of the demo in the order of the table in docs/tour.md.
func Seeds() []string {
	var seeds []string
	for _, name := range []string{
		"clean.nt", "people.nq", "books.ttl", "graphs.trig", "ontology.rdf", "event.jsonld", "page.html",
		"lighthouse.html", "tides.csv", "news.rss",
		"dirty.nt", "dirty.ttl", "dirty.rdf",
		"nested.tar.gz",
		"latin1.nt", "utf16.ttl", "mixed.nt",
		"missing", "old", "loop",
		"cut.nt.gz", "short.nt",
		"lie.ttl", "report.pdf",
	} {
		seeds = append(seeds, base+name)
	}
	return append(seeds, "../relative.nt")
}

// Transport answers requests for Host and hands all others to Next.
type Transport struct {
	Next http.RoundTripper // nil refuses every other host
}

// RoundTrip answers as a careless web server would: with redirects in a circle, a body shorter than it
// promised, and a wrong Content-Type.
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Host != Host {
		if t.Next == nil {
			return nil, fmt.Errorf("the demo knows only the host %s", Host)
		}
		return t.Next.RoundTrip(request)
	}
	if request.Body != nil {
		request.Body.Close()
	}
	switch name := strings.TrimPrefix(request.URL.Path, "/"); name {
	case "old":
		return redirect(request, http.StatusMovedPermanently, base+"older"), nil
	case "older":
		return redirect(request, http.StatusFound, "/old.ttl"), nil
	case "loop":
		return redirect(request, http.StatusFound, base+"pool"), nil
	case "pool":
		return redirect(request, http.StatusFound, base+"loop"), nil
	case "lie.ttl":
		return serve(request, name, "text/html; charset=utf-8")
	case "short.nt":
		response, err := serve(request, name, "application/n-triples")
		if err == nil {
			promiseMore(response, 200)
		}
		return response, err
	case "nested.tar.gz":
		return respond(request, http.StatusOK, "application/gzip", nestedArchive()), nil
	case "cut.nt.gz":
		return respond(request, http.StatusOK, "application/gzip", cutGzip()), nil
	default:
		return serve(request, name, mediaTypes[path.Ext(name)])
	}
}

var mediaTypes = map[string]string{
	".nt":     "application/n-triples",
	".nq":     "application/n-quads",
	".ttl":    "text/turtle",
	".trig":   "application/trig",
	".rdf":    "application/rdf+xml",
	".jsonld": "application/ld+json",
	".html":   "text/html",
	".csv":    "text/csv",
	".rss":    "application/rss+xml",
	".pdf":    "application/pdf",
}

func serve(request *http.Request, name, mediaType string) (*http.Response, error) {
	body, err := files.ReadFile("files/" + name)
	if err != nil || mediaType == "" {
		return respond(request, http.StatusNotFound, "text/plain", []byte("There is nothing here.\n")), nil
	}
	return respond(request, http.StatusOK, mediaType, body), nil
}

func redirect(request *http.Request, status int, location string) *http.Response {
	response := respond(request, status, "text/plain", nil)
	response.Header.Set("Location", location)
	return response
}

// lastModified is one moment for all files, so that every run records the same headers.
var lastModified = time.Date(2014, time.October, 19, 9, 0, 0, 0, time.UTC).Format(http.TimeFormat)

func respond(request *http.Request, status int, mediaType string, body []byte) *http.Response {
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", status, http.StatusText(status)),
		StatusCode: status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"Content-Type":  {mediaType},
			"Last-Modified": {lastModified},
			"Server":        {"demo"},
		},
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       request,
	}
}

// promiseMore makes a response whose connection breaks missing bytes before the
// end that its Content-Length announced.
func promiseMore(response *http.Response, missing int64) {
	response.ContentLength += missing
	response.Header.Set("Content-Length", fmt.Sprint(response.ContentLength))
	response.Body = &brokenBody{response.Body}
}

type brokenBody struct{ io.ReadCloser }

func (b *brokenBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
