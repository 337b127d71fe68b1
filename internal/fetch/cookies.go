package fetch

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
)

// cookies are what one chain of redirects was given. They are sent to whom they are for
// (RFC 6265 §5), and forgotten with the chain: nobody is known again.
type cookies struct{ jar *cookiejar.Jar }

// maxCookies is how many bytes of cookies are sent.
const maxCookies = 8 << 10

// set takes the cookies of a reply.
func (c *cookies) set(u *url.URL, reply *http.Response) {
	given := reply.Cookies()
	if c == nil || len(given) == 0 {
		return
	}
	if c.jar == nil {
		c.jar, _ = cookiejar.New(nil) // that has no error
	}
	c.jar.SetCookies(u, given)
}

// of is what is sent to u; "" for nothing.
func (c *cookies) of(u *url.URL) (header string) {
	if c == nil || c.jar == nil {
		return ""
	}
	for _, cookie := range c.jar.Cookies(u) {
		next := cookie.Name + "=" + cookie.Value
		if header != "" {
			next = header + "; " + next
		}
		if len(next) > maxCookies || !sendable(next) {
			break
		}
		header = next
	}
	return header
}
