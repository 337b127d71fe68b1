package web

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// onlyMonitored answers what monitors ask, and says of all else that it is asked elsewhere.
func onlyMonitored(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/healthz", "/readyz", "/metrics":
			next.ServeHTTP(w, r)
		default:
			writeProblem(w, huma.Error404NotFound("this is a worker, which answers /healthz, /readyz and /metrics: "+
				"ask a process of --role api for "+r.URL.Path))
		}
	})
}
