package bucket

import (
	"net/http"
	"sync/atomic"
	"time"
)

// watched calls a function for each request.
type watched struct {
	each atomic.Pointer[func(method string, took time.Duration, failed bool)]
}

// Watch has each called for each request, on any goroutine: each of its tries. It failed if no reply came, or one
// that says so other than by 404 and 416, which say what is there.
func (b *Bucket) Watch(each func(method string, took time.Duration, failed bool)) {
	b.watched.each.Store(&each)
}

// watchedTransport tells who watches of its requests.
type watchedTransport struct {
	http.RoundTripper
	watched *watched
}

// RoundTrip makes a request.
func (t *watchedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	begin := time.Now()
	reply, err := t.RoundTripper.RoundTrip(r)
	if each := t.watched.each.Load(); each != nil {
		failed := err != nil || reply.StatusCode >= http.StatusBadRequest && reply.StatusCode != http.StatusNotFound &&
			reply.StatusCode != http.StatusRequestedRangeNotSatisfiable
		(*each)(r.Method, time.Since(begin), failed)
	}
	return reply, err
}
