package web

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Site is where others reach the service: behind a proxy that is another address than the listener's, and perhaps
// below a path. Its zero value says that requests tell.
type Site struct {
	origin string // "https://example.org"
	path   string // "/laundromat", or ""
}

// ParseSite reads the address of a site.
func ParseSite(text string) (Site, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return Site{}, errors.New("want an address such as https://example.org/laundromat/")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return Site{}, errors.New("want an address without user, query and fragment")
	case !isHostPort(u.Host):
		return Site{}, errors.New("want the name or the address of a host")
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	if strings.Contains(path+"/", "//") || strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../") ||
		strings.Trim(path, pathCharacters) != "" {
		return Site{}, errors.New("want a path of letters, digits and - . _ ~ in its parts")
	}
	if first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); slices.Contains(ownPaths, first) {
		return Site{}, errors.New("the path begins with /" + first + ", which is a page's own: a request could mean either")
	}
	return Site{origin: u.Scheme + "://" + strings.ToLower(u.Host), path: path}, nil
}

// ownPaths are what the paths of the API, of pages and of descriptions begin with.
var ownPaths = []string{"about", "actions", "api", "basket", "catalog", "catalogs", "compare", "errors", "feed", "hosts", "id", "metrics",
	"publishers", "quality", "recipes", "removed", "schemas", "search", "seeds", "signin", "sitemaps", "static"}

// pathCharacters are those of a path that need no escape anywhere.
const pathCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"

// isHostPort says that a text is the name or the address of a host, perhaps with a port, and can stand in an IRI.
func isHostPort(text string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._"
	if address, rest, ok := strings.Cut(strings.TrimPrefix(text, "["), "]"); ok && strings.HasPrefix(text, "[") {
		return strings.Trim(address, "0123456789abcdefABCDEF:.") == "" && address != "" && isPort(rest)
	}
	name, port, hasPort := strings.Cut(text, ":")
	return name != "" && strings.Trim(name, letters) == "" && (!hasPort || isPort(":"+port))
}

func isPort(text string) bool {
	return text == "" || len(text) > 1 && text[0] == ':' && strings.Trim(text[1:], "0123456789") == ""
}

// Path is what all paths begin with for others; "" for nothing.
func (s Site) Path() string { return s.path }

// IsSecure says that others reach the site over TLS.
func (s Site) IsSecure() bool { return strings.HasPrefix(s.origin, "https:") }

// Base is the address of the site without a slash at its end. Where nothing was set, it is that which the request was
// sent to; what proxies say in headers is not believed, since anybody may say it.
func (s Site) Base(r *http.Request) string {
	if s.origin != "" {
		return s.origin + s.path
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	host := r.Host
	if !isHostPort(host) {
		host = "localhost"
	}
	return scheme + "://" + strings.ToLower(host)
}

// Mount has the site answered as others reach it. A request may come with the path of the site before its own, or
// without it, as proxies do it. The replies lead to where others are.
func (s Site) Mount(next http.Handler) http.Handler {
	if s.origin == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(context.WithValue(r.Context(), siteKey{}, s))
		if s.path == "" {
			next.ServeHTTP(w, r)
			return
		}
		if rest, ok := strings.CutPrefix(r.URL.Path, s.path); ok && (rest == "" || rest[0] == '/') {
			if rest == "" { // links of the page are of the folder
				http.Redirect(w, r, s.path+"/", http.StatusPermanentRedirect)
				return
			}
			short := *r.URL
			short.Path, short.RawPath = rest, strings.TrimPrefix(r.URL.RawPath, s.path)
			r.URL = &short
		}
		m := &mountedReply{ResponseWriter: w, path: s.path}
		next.ServeHTTP(m, r)
		m.lead()
	})
}

type siteKey struct{}

// SiteOf is the site that a request was sent to; the zero value where nothing was set.
func SiteOf(r *http.Request) Site { return siteIn(r.Context()) }

func siteIn(ctx context.Context) Site {
	s, _ := ctx.Value(siteKey{}).(Site)
	return s
}

// BaseOf is the address of the service for who sent a request, without a slash at its end.
func BaseOf(r *http.Request) string { return SiteOf(r).Base(r) }

// IsForOthers says that an address of the service may be reached from other machines: it isn't a loopback one.
func IsForOthers(base string) bool {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "localhost" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err != nil || !ip.IsLoopback()
}

// mountedReply leads to paths of the site as others reach them.
type mountedReply struct {
	http.ResponseWriter
	path   string
	isLead bool
}

// lead puts the path of the site before those in headers.
func (m *mountedReply) lead() {
	if m.isLead {
		return
	}
	m.isLead = true
	header := m.Header()
	if to := header.Get("Location"); isLocal(to) {
		header.Set("Location", m.path+to)
	}
	for i, link := range header["Link"] {
		if to, ok := strings.CutPrefix(link, "<"); ok && isLocal(to) {
			header["Link"][i] = "<" + m.path + to
		}
	}
}

// isLocal says that an address is a path of this host.
func isLocal(to string) bool { return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") }

// WriteHeader changes the headers before they are sent.
func (m *mountedReply) WriteHeader(status int) {
	m.lead()
	m.ResponseWriter.WriteHeader(status)
}

// Write sends the headers before the first byte.
func (m *mountedReply) Write(p []byte) (int, error) {
	m.lead()
	return m.ResponseWriter.Write(p)
}

// Unwrap is for [http.ResponseController].
func (m *mountedReply) Unwrap() http.ResponseWriter { return m.ResponseWriter }
