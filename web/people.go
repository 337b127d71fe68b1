package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// WantsPage says that a browser asked, for somebody who reads.
func WantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// forPeople has every problem of a request that a browser sent for somebody told by a page, whoever refused it.
// Pages finds the problem by [ProblemIn].
func forPeople(next, pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !WantsPage(r) {
			next.ServeHTTP(w, r)
			return
		}
		held := &heldProblem{ResponseWriter: w}
		next.ServeHTTP(held, r)
		if held.text == nil {
			return
		}
		var model huma.ErrorModel
		if json.Unmarshal(held.text.Bytes(), &model) != nil || model.Detail == "" {
			model.Detail = "the request was refused"
		}
		p := Problem{Status: held.status, Title: http.StatusText(held.status), Detail: model.Detail}
		pages.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), problemKey{}, p)))
	})
}

type problemKey struct{}

// ProblemIn is the problem that a page is to tell; ok is false for a request that has none.
func ProblemIn(ctx context.Context) (p Problem, ok bool) {
	p, ok = ctx.Value(problemKey{}).(Problem)
	return p, ok
}

// heldProblem holds a problem back, and lets all else through.
type heldProblem struct {
	http.ResponseWriter
	status int
	text   *bytes.Buffer // nil: what came is no problem
}

func (h *heldProblem) WriteHeader(status int) {
	if h.status != 0 {
		return
	}
	h.status = status
	header := h.Header()
	if strings.HasPrefix(header.Get("Content-Type"), "application/problem+json") {
		h.text = &bytes.Buffer{}
		for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Content-Disposition"} {
			header.Del(name)
		}
		return
	}
	h.ResponseWriter.WriteHeader(status)
}

func (h *heldProblem) Write(p []byte) (int, error) {
	if h.status == 0 {
		h.WriteHeader(http.StatusOK)
	}
	if h.text != nil {
		return h.text.Write(p)
	}
	return h.ResponseWriter.Write(p)
}

// Unwrap is for [http.ResponseController].
func (h *heldProblem) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// ReadFrom lets files be sent without a copy.
func (h *heldProblem) ReadFrom(in io.Reader) (int64, error) {
	if h.status == 0 {
		h.WriteHeader(http.StatusOK)
	}
	if h.text != nil {
		return h.text.ReadFrom(in)
	}
	return io.Copy(h.ResponseWriter, in)
}
