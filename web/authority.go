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
	// Current is a token that was found before, as it is now; ok is false if it was revoked.
	Current(before token.Token) (t token.Token, ok bool, err error)
}

// Authority is what a listener that is no socket of ours asks of its clients.
type Authority struct {
	Tokens Tokens // nil: nobody may write
	// Sessions are those of browsers; nil: there are none.
	Sessions *Sessions
	// ReadToken says that reading needs a token too.
	ReadToken bool
	// Open says what may be read without one all the same, as the form that takes it; nil: nothing.
	Open func(r *http.Request) bool
	// Wrote is told of each write, with the name of the token and the status of the reply. [WhoIn] of its
	// context says more.
	Wrote func(name string, r *http.Request, status int)
}

// ScopeOf is what a request needs.
func ScopeOf(r *http.Request) token.Scope { return scopeOf(r) }

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

// isAlwaysOpen says that a request tells nothing but whether the process lives, or is for the page on which
// people sign in.
func isAlwaysOpen(r *http.Request) bool {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/signin":
		return true
	}
	return strings.HasPrefix(r.URL.Path, "/static/")
}

// foreign is why pages of other sites are refused.
const foreign = "pages of other sites may not write"

// isForeign says that a page of another site sent what writes (Sec-Fetch-Site, Origin). What brings the cookie
// of a session is a browser, which has to say where it comes from.
func isForeign(r *http.Request) bool {
	protection := http.NewCrossOriginProtection()
	if origin := SiteOf(r).origin; origin != "" { // a proxy may send another Host than the browser did
		if protection.AddTrustedOrigin(origin) != nil {
			return true
		}
	}
	if protection.Check(r) != nil {
		return true
	}
	return cookieOf(r) != "" && r.Header.Get("Authorization") == "" && r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == ""
}

// guarded asks for a token where one is needed, and answers forms that bring one.
func (o *Authority) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && (r.URL.Path == sessionPath || r.URL.Path == sessionEndPath) && o.Sessions != nil {
			o.session(w, r)
			return
		}
		o.Guard(scopeOf(r), next).ServeHTTP(w, r)
	})
}

// Guard is a handler that is asked only by who has a scope. With [token.Read] that is everyone, where
// reading is open. Pages of other sites may not write, whatever they bring. The context of a
// request that goes through says who sent it: see [WhoIn].
func (o *Authority) Guard(scope token.Scope, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isWrite := scope != token.Read
		if isWrite && isForeign(r) {
			writeProblem(w, huma.Error403Forbidden(foreign))
			return
		}
		who, err := o.who(r)
		isOpen := !isWrite && (!o.ReadToken || isAlwaysOpen(r) || r.Method == http.MethodOptions || o.Open != nil && o.Open(r)) ||
			isWrite && o.Tokens == nil // there is nothing there that writes
		switch {
		case isOpen:
		case err != nil:
			refuse(w, err)
			return
		case !who.May(scope):
			writeProblem(w, huma.Error403Forbidden("the token "+who.Name+" has not the scope "+string(scope)))
			return
		}
		if !isWrite || o.Tokens == nil {
			serveAs(next, w, r, who)
			return
		}
		seen := NewStatusReply(w)
		serveAs(next, seen, r, who)
		if o.Wrote != nil {
			o.Wrote(who.Name, sentBy(r, who), seen.Status)
		}
	})
}

// refuse answers with a problem; who needs a token is told how it is sent.
func refuse(w http.ResponseWriter, err error) {
	if status, ok := err.(huma.StatusError); ok && status.GetStatus() == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="laundromat"`)
	}
	writeProblem(w, err)
}

// who sent a request: the token that it brought, or that of its session. The error is a reply, where who sent it
// is not known.
func (o *Authority) who(r *http.Request) (Who, error) {
	kind, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(kind, "Bearer") && secret != "" {
		found, err := o.check(secret)
		if err != nil {
			return Who{}, err
		}
		return Who{Name: found.Name, Way: ByBearer, Scopes: found.Scopes}, nil
	}
	value := cookieOf(r)
	if value == "" || o.Sessions == nil || o.Tokens == nil {
		return Who{}, huma.Error401Unauthorized(
			`this needs a token: "laundromat token add NAME" makes one; send it as "Authorization: Bearer TOKEN"`)
	}
	session, ok := o.Sessions.find(value)
	if !ok {
		return Who{}, huma.Error401Unauthorized("the session has ended: sign in again")
	}
	found, ok, err := o.Tokens.Current(session.token)
	switch {
	case err != nil:
		return Who{}, unreadable(err)
	case !ok:
		o.Sessions.end(value)
		return Who{}, huma.Error401Unauthorized("the token of this session was revoked")
	}
	return Who{Name: found.Name, Way: BySession, Scopes: found.Scopes}, nil
}

// check finds the token of a secret; the error is a reply.
func (o *Authority) check(secret string) (found token.Token, err error) {
	if o.Tokens == nil {
		return found, huma.Error401Unauthorized("there are no tokens here")
	}
	found, ok, err := o.Tokens.Check(strings.TrimSpace(secret))
	switch {
	case err != nil:
		return found, unreadable(err)
	case !ok:
		return found, huma.Error401Unauthorized("this token is not known here, or was revoked")
	}
	return found, nil
}

func unreadable(err error) error {
	return huma.Error500InternalServerError("the tokens can't be read: " + err.Error())
}
