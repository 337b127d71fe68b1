package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/web/token"
)

const (
	// sessionLife is how long a session lasts: a day's work.
	sessionLife = 12 * time.Hour
	// mostSessions is how many there are at once; for a further one the oldest ends.
	mostSessions = 1000
	// mostForm is the longest form with a token, in bytes.
	mostForm = 8 << 10

	cookieName = "laundromat"
	// cookieNameTLS makes a browser refuse it from any other host, and without TLS (RFC 6265bis §4.1.3.2).
	cookieNameTLS = "__Host-laundromat"
	// cookieNameBelow is for a site below a path, which the name above does not allow.
	cookieNameBelow = "__Secure-laundromat"
)

// Sessions are those of browsers that brought a token. A session is a random value in a cookie, which says nothing
// of the token. Memory alone holds them, as their SHA-256: they end with the process, and with their token.
type Sessions struct {
	mu  sync.Mutex
	all map[[sha256.Size]byte]session
}

type session struct {
	token token.Token
	begun time.Time
}

// NewSessions returns a place for sessions.
func NewSessions() *Sessions { return &Sessions{all: map[[sha256.Size]byte]session{}} }

// begin makes a session for a token, and returns its value.
func (s *Sessions) begin(t token.Token) string {
	random := make([]byte, 32)
	rand.Read(random)
	value := base64.RawURLEncoding.EncodeToString(random)
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	var oldest [sha256.Size]byte
	var begun time.Time
	for key, one := range s.all {
		if now.Sub(one.begun) >= sessionLife {
			delete(s.all, key)
		} else if begun.IsZero() || one.begun.Before(begun) {
			oldest, begun = key, one.begun
		}
	}
	if len(s.all) >= mostSessions {
		delete(s.all, oldest)
	}
	s.all[sha256.Sum256([]byte(value))] = session{t, now}
	return value
}

// find is the session of a value. What is compared is a sum of it, which nobody can choose.
func (s *Sessions) find(value string) (found session, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok = s.all[sha256.Sum256([]byte(value))]
	return found, ok && time.Since(found.begun) < sessionLife
}

func (s *Sessions) end(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, sha256.Sum256([]byte(value)))
}

// cookieOf is the value of the session that a request brought; "" if it brought none.
func cookieOf(r *http.Request) string {
	if cookie, err := r.Cookie(cookieFor(r).Name); err == nil {
		return cookie.Value
	}
	return ""
}

// cookieFor is the cookie for who sent a request, without its value: for the path of the site, and where others reach
// that over TLS, for this alone.
func cookieFor(r *http.Request) *http.Cookie {
	site := SiteOf(r)
	cookie := &http.Cookie{
		Name: cookieName, Path: site.Path() + "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		MaxAge: int(sessionLife / time.Second), Secure: r.TLS != nil || site.IsSecure(),
	}
	switch {
	case cookie.Secure && cookie.Path == "/":
		cookie.Name = cookieNameTLS
	case cookie.Secure:
		cookie.Name = cookieNameBelow
	}
	return cookie
}

// setCookie gives a browser the value of a session; "" takes it away.
func setCookie(w http.ResponseWriter, r *http.Request, value string) {
	cookie := cookieFor(r)
	cookie.Value = value
	if value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, cookie)
}

// The paths of sessions.
const (
	sessionPath    = "/api/v1/session"
	sessionEndPath = "/api/v1/session/end"
)

// SignIn begins a session of the browser that sent a request, for the token of a form, and sets its cookie.
// The error has a status, as those of the API.
func (o *Authority) SignIn(w http.ResponseWriter, r *http.Request, secret string) (Who, error) {
	if o.Sessions == nil {
		return Who{}, huma.Error404NotFound("there are no sessions here")
	}
	found, err := o.check(secret)
	if err != nil {
		return Who{}, err
	}
	if before := cookieOf(r); before != "" {
		o.Sessions.end(before)
	}
	setCookie(w, r, o.Sessions.begin(found))
	who := Who{Name: found.Name, Way: BySession, Scopes: found.Scopes}
	if o.Wrote != nil {
		o.Wrote(found.Name, sentBy(r, who), http.StatusSeeOther)
	}
	return who, nil
}

// SignOut ends the session of a request, if it brought one, and takes the cookie away.
func (o *Authority) SignOut(w http.ResponseWriter, r *http.Request) {
	if value := cookieOf(r); value != "" && o.Sessions != nil {
		o.Sessions.end(value)
	}
	setCookie(w, r, "")
}

// session answers a form that begins or ends a session. Other sites can't send one.
func (o *Authority) session(w http.ResponseWriter, r *http.Request) {
	if isForeign(r) {
		writeProblem(w, huma.Error403Forbidden(foreign))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, mostForm)
	if err := r.ParseForm(); err != nil {
		writeProblem(w, huma.Error422UnprocessableEntity("want a form with the field token"))
		return
	}
	if r.URL.Path == sessionEndPath {
		o.SignOut(w, r)
	} else if _, err := o.SignIn(w, r, r.PostForm.Get("token")); err != nil {
		refuse(w, err)
		return
	}
	http.Redirect(w, r, localPath(r.PostForm.Get("next")), http.StatusSeeOther)
}

// localPath is a path of this site; "/" for what is none.
func localPath(path string) string {
	at, err := url.Parse(path)
	if err != nil || at.IsAbs() || at.Host != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") ||
		strings.ContainsRune(path, '\\') {
		return "/"
	}
	return path
}
