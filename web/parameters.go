package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/spelling"
)

// strange says which parameter of a query is none of those known; "" if all are known. To leave
// it out in silence would answer another question than the one that was asked.
func strange(query url.Values, known []string) string {
	for name := range query {
		if slices.Contains(known, name) {
			continue
		}
		message := "there is no parameter " + name + " here"
		if near := spelling.Nearest(name, known...); near != "" {
			return message + "; did you mean " + near + "?"
		}
		if len(known) > 0 {
			message += "; there are " + strings.Join(known, ", ")
		}
		return message
	}
	return ""
}

// refuseStrange is a middleware that refuses parameters which the operation does not have.
func refuseStrange(service huma.API) func(huma.Context, func(huma.Context)) {
	return func(c huma.Context, next func(huma.Context)) {
		var known []string
		for _, p := range c.Operation().Parameters {
			if p.In == "query" {
				known = append(known, p.Name)
			}
		}
		at := c.URL()
		if message := strange(at.Query(), known); message != "" {
			huma.WriteErr(service, c, http.StatusBadRequest, message)
			return
		}
		next(c)
	}
}

// taking is a handler that takes these parameters only.
func taking(handle http.HandlerFunc, known ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if message := strange(r.URL.Query(), known); message != "" {
			writeProblem(w, huma.Error400BadRequest(message))
			return
		}
		handle(w, r)
	}
}
