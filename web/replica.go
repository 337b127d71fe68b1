package web

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist/views"
)

// listing is a seed list whose lists come from a replica, which may be behind.
type listing interface {
	// Listed is the last change that lists hold.
	Listed(ctx context.Context) (revision uint64, err error)
}

// ofReplica says how far the replica is that lists come from; nil where they come from the list itself.
func (a *api) ofReplica(ctx context.Context) (*views.AsOf, error) {
	list, ok := a.Seeds.(listing)
	if !ok {
		return nil, nil
	}
	revision, err := list.Listed(ctx)
	if err != nil {
		return nil, err
	}
	asOf := &views.AsOf{Revision: revision}
	return asOf, a.tellBehind(ctx, asOf)
}

// tellBehind says how many changes a list from a replica is behind.
func (a *api) tellBehind(ctx context.Context, asOf *views.AsOf) error {
	if _, ok := a.Seeds.(listing); !ok {
		return nil
	}
	last, err := a.Seeds.Revision(ctx)
	asOf.IsReplica, asOf.Behind = true, last-min(last, asOf.Revision)
	a.behind.Store(asOf.Behind)
	return err
}

// onlyMonitored answers what monitors ask, and says of all else that it is asked elsewhere.
func onlyMonitored(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/healthz", "/readyz", "/metrics":
			next.ServeHTTP(w, r)
		default:
			writeProblem(w, huma.Error404NotFound("this is a worker, which answers /healthz, /readyz and /metrics: ask a process of "+
				"--role api for "+r.URL.Path))
		}
	})
}
