package web

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/web/token"
)

// Way is how a request came to be believed.
type Way string

// The ways.
const (
	ByNothing Way = ""       // it brought nothing, and may at most read
	BySocket  Way = "socket" // through the socket, or from this process: it may do all
	ByBearer  Way = "bearer" // with a token
	// BySession says that a browser sent it, which had brought a token before.
	BySession Way = "session"
)

// Who is who sent a request.
type Who struct {
	Name   string // of the token; "socket" for who has none and needs none
	Way    Way
	Scopes []token.Scope
}

// May says whether a request that needs a scope is allowed.
func (w *Who) May(scope token.Scope) bool {
	if w.Way == BySocket {
		return true
	}
	t := token.Token{Scopes: w.Scopes}
	return w.Way != ByNothing && t.May(scope)
}

type whoKey struct{}

// WhoIn is who sent the request of a context.
func WhoIn(ctx context.Context) Who {
	who, _ := ctx.Value(whoKey{}).(Who)
	return who
}

// sentBy is a request with who sent it.
func sentBy(r *http.Request, who Who) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), whoKey{}, who))
}

// serveAs answers a request of somebody. The request that came has then the pattern that was matched: requests are
// counted by it.
func serveAs(next http.Handler, w http.ResponseWriter, r *http.Request, who Who) {
	sent := sentBy(r, who)
	defer func() { r.Pattern = sent.Pattern }()
	next.ServeHTTP(w, sent)
}

// fromSocket says of all requests that they came through the socket. No browser sends any there.
func fromSocket(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if scopeOf(r) != token.Read && isForeign(r) {
			writeProblem(w, huma.Error403Forbidden(foreign))
			return
		}
		serveAs(next, w, r, Who{Name: string(BySocket), Way: BySocket})
	})
}

// WhoReply is what a client is told of itself.
type WhoReply struct {
	Name   string        `json:"name,omitempty" doc:"of the token; absent for who brought none"`
	Way    Way           `json:"way,omitempty" doc:"socket, bearer or session"`
	Scopes []token.Scope `json:"scopes,omitempty"`
}

// whoAsks tells a client who it is taken for.
func (a *api) whoAsks(ctx context.Context, _ *struct{}) (*raw, error) {
	who := WhoIn(ctx)
	return rawJSON(WhoReply(who))
}
