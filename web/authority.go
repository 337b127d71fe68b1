package web

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/web/token"
)

// Tokens say who may write, and who may read where that is not open.
type Tokens interface {
	// Check finds the token that a request brought; ok is false for one that is not known.
	Check(secret string) (t token.Token, ok bool, err error)
}

// Authority is what a listener that is no socket of ours asks of its clients.
type Authority struct {
	Tokens Tokens // nil: nobody may write
	// ReadToken says that reading needs a token too.
	ReadToken bool
	// Wrote is told of each write, with the name of the token and the status of the reply.
	Wrote func(name string, r *http.Request, status int)
}

// scopeOf is what a request needs.
func scopeOf(r *http.Request) token.Scope {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return token.Read
	case http.MethodPost:
		switch r.URL.Path {
		case "/api/v1/seeds", "/api/v1/catalogs", "/basket", "/catalogs": // and the forms of pages
			return token.Add
		}
	}
	return token.Operate
}

// isAlwaysOpen says that a request tells nothing but whether the process lives.
func isAlwaysOpen(r *http.Request) bool { return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" }

// guarded asks for a token where one is needed. Pages of other sites may not write, whatever they bring.
func (o *Authority) guarded(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scope := scopeOf(r)
		if scope != token.Read && o.Tokens == nil {
			next.ServeHTTP(w, r) // there is nothing there that writes
			return
		}
		if scope == token.Read && (!o.ReadToken || isAlwaysOpen(r) || r.Method == http.MethodOptions) {
			next.ServeHTTP(w, r)
			return
		}
		if scope != token.Read && origins.Check(r) != nil {
			writeProblem(w, huma.Error403Forbidden("pages of other sites may not write"))
			return
		}
		bearer, err := o.bearer(r)
		if err == nil && !bearer.May(scope) {
			err = huma.Error403Forbidden("the token " + bearer.Name + " has not the scope " + string(scope))
		}
		if err != nil {
			if status, ok := err.(huma.StatusError); ok && status.GetStatus() == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Bearer realm="laundromat"`)
			}
			writeProblem(w, err)
			return
		}
		r = sentBy(r, Who{Name: bearer.Name, Way: ByBearer, Scopes: bearer.Scopes})
		if scope == token.Read {
			next.ServeHTTP(w, r)
			return
		}
		seen := &statusReply{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(seen, r)
		if o.Wrote != nil {
			o.Wrote(bearer.Name, r, seen.status)
		}
	})
}

// bearer is the token that a request brought.
func (o *Authority) bearer(r *http.Request) (found token.Token, err error) {
	kind, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") || secret == "" {
		return found, huma.Error401Unauthorized(`this needs a token: "laundromat token add NAME" makes one; send it as "Authorization: Bearer TOKEN"`)
	}
	if o.Tokens == nil {
		return found, huma.Error401Unauthorized("there are no tokens here")
	}
	found, ok, err := o.Tokens.Check(strings.TrimSpace(secret))
	switch {
	case err != nil:
		return found, huma.Error500InternalServerError("the tokens can't be read: " + err.Error())
	case !ok:
		return found, huma.Error401Unauthorized("this token is not known here, or was revoked")
	}
	return found, nil
}

// statusReply remembers the status of a reply.
type statusReply struct {
	http.ResponseWriter
	status int
}

func (s *statusReply) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (s *statusReply) Unwrap() http.ResponseWriter { return s.ResponseWriter }
