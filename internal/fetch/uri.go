package fetch

import (
	"net/http"
	"net/url"
	"strings"

	"laundromat/internal/fault"
)

// parseURI reads a URI to be asked. It is asked as it is given, but what no request can hold is
// percent-encoded. That is characters outside ASCII (RFC 3987 §3.1), spaces and the like, and a "%"
// that encodes nothing.
func parseURI(uri string) (*url.URL, error) {
	u, err := url.Parse(encodeStray(uri))
	if err != nil {
		return nil, badURI("its host, port or credentials are not well-formed")
	}
	return u, check(u)
}

func check(u *url.URL) error {
	if scheme := strings.ToLower(u.Scheme); scheme != "http" && scheme != "https" && scheme != "ftp" {
		return fault.New("fetch.Get", fault.Refused, fault.TransportUnsupportedScheme, "the scheme %q is not fetched", u.Scheme)
	}
	if u.Hostname() == "" || u.Opaque != "" {
		return badURI("it names no host")
	}
	return nil
}

// badURI says what is wrong, without a word of the URI: it may hold a password.
func badURI(why string) error {
	return fault.New("fetch.Get", fault.Refused, fault.HTTPBadURI, "the URI can't be asked: %s", why)
}

// encodeStray percent-encodes the bytes that can't be in a request.
func encodeStray(uri string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(uri); i++ {
		c := uri[i]
		stray := c <= ' ' || c >= 0x7F || strings.IndexByte("<>\"{}|\\^`", c) >= 0 ||
			c == '%' && !(i+2 < len(uri) && isHex(uri[i+1]) && isHex(uri[i+2]))
		if stray {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// shown is a URI as it may be recorded: *** for what is before the host's @.
func shown(u *url.URL) string {
	if u.User == nil {
		return u.String()
	}
	bare := *u
	bare.User = nil
	return strings.Replace(bare.String(), "://", "://***@", 1)
}

// base is the URI that relative references in what came are resolved against.
func base(u *url.URL) string {
	bare := withoutFragment(u)
	bare.User = nil
	return bare.String()
}

func withoutFragment(u *url.URL) *url.URL {
	bare := *u
	bare.Fragment, bare.RawFragment = "", ""
	return &bare
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// target is where a redirect leads.
func target(u *url.URL, reply *http.Response) (*url.URL, error) {
	location := reply.Header.Get("Location")
	if location == "" {
		return nil, fault.New("fetch.Get", fault.Refused, fault.HTTPBadRedirect, "%s without a Location", statusText(reply))
	}
	reference, err := url.Parse(encodeStray(location))
	if err != nil {
		return nil, fault.New("fetch.Get", fault.Refused, fault.HTTPBadRedirect, "%s to a target that isn't a URI", statusText(reply))
	}
	next := withCredentials(u, u.ResolveReference(reference))
	return next, check(next)
}

// withCredentials gives to what u leads to the credentials of u, however the reference was written. Those
// that it names itself stay, and none go to another origin.
func withCredentials(u, next *url.URL) *url.URL {
	if next.User != nil || u.User == nil || !isSameOrigin(u, next) {
		return next
	}
	own := *next
	own.User = u.User
	return &own
}

// isSameOrigin compares scheme, host and port (RFC 6454 §5).
func isSameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return map[string]string{"http": "80", "https": "443", "ftp": "21"}[strings.ToLower(u.Scheme)]
}
