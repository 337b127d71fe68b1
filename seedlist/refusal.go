package seedlist

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
)

// URIError says why a line is no seed. It costs that line only.
type URIError struct {
	Line   string // what was given, with user info hidden
	Reason string
	Meant  string // what was probably meant; "" if that can't be guessed
	// Schemeless says that a scheme is missing, rather than that one is wrong.
	Schemeless bool
}

// Error shows the line, the reason and what was probably meant.
func (e *URIError) Error() string {
	text := fault.Excerpt([]byte(e.Line)) + ": " + e.Reason
	if e.Meant != "" {
		text += " (did you mean " + e.Meant + "?)"
	}
	return text
}

// noScheme is the reason of a line that is a URI but for its scheme.
const noScheme = "no scheme"

// refusal says why s can't be a seed; nil if it can.
func refusal(s string) error {
	refuse := func(reason, meant string) error {
		return &URIError{Line: hidden(s), Reason: reason, Meant: Shown(meant), Schemeless: reason == noScheme}
	}
	if s == "" {
		return refuse("an empty line isn't a URI", "")
	}
	if len(s) > MaxURI || len(encodeStray(s)) > MaxURI {
		return refuse("longer than "+strconv.Itoa(MaxURI)+" bytes", "")
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return refuse("a URI can't hold control characters", "")
	}
	for _, pair := range []string{"<>", `""`, "''"} {
		if len(s) > 2 && s[0] == pair[0] && s[len(s)-1] == pair[1] {
			return refuse("a URI is without "+string(pair[0])+" "+string(pair[1])+" around it", s[1:len(s)-1])
		}
	}
	c := rfc3986.Split([]byte(s))
	if !c.HasScheme {
		reason, meant := refusedReference(s, &c)
		if reason != "" {
			return refuse(reason, meant)
		}
		return nil
	}
	scheme := strings.ToLower(string(c.Scheme))
	if scheme == "file" {
		host := strings.ToLower(string(c.Authority))
		switch {
		case host != "" && host != "localhost":
			return refuse("a file of another machine", "")
		case len(c.Path) < 2 || c.Path[0] != '/':
			return refuse("no path from the root", "")
		}
		return nil
	}
	if defaultPorts[scheme] == "" {
		reason, meant := refusedScheme(s, scheme)
		return refuse(reason, meant)
	}
	if !c.HasAuthority {
		rest := strings.TrimLeft(s[len(scheme)+1:], "/")
		if rest == "" {
			return refuse("no host", "")
		}
		return refuse("no // after "+scheme+":", scheme+"://"+rest)
	}
	if reason, meant := refusedAuthority(s, scheme, &c); reason != "" {
		return refuse(reason, meant)
	}
	return nil
}

// hidden is Shown for what is no URI: what looks like user:password@ is hidden
// wherever it is before the query.
func hidden(s string) string {
	if shown := Shown(s); shown != s || strings.HasPrefix(strings.ToLower(s), "mailto:") {
		return shown
	}
	end := strings.IndexAny(s, "?#")
	if end < 0 {
		end = len(s)
	}
	at := strings.LastIndexByte(s[:end], '@')
	if at < 0 {
		return s
	}
	start := strings.LastIndexByte(s[:at], '/') + 1
	if !strings.Contains(s[start:at], ":") {
		return s
	}
	return s[:start] + "***" + s[at:]
}

// refusedScheme explains a scheme that can't be fetched, or that is none.
func refusedScheme(s, scheme string) (reason, meant string) {
	rest := s[len(scheme)+1:]
	switch {
	case len(scheme) == 1:
		return "a file of one machine isn't a web address", ""
	case slices.Contains([]string{"isbn", "oid", "sms", "tel", "urn"}, scheme):
		// These may be followed by a number that is no port.
	case strings.Contains(scheme, ".") || scheme == "localhost", isPort(rest[:portLength(rest)]):
		return noScheme, "http://" + s
	case nearly(scheme, "http"), nearly(scheme, "https"):
		right := "http"
		if strings.HasSuffix(scheme, "s") {
			right = "https"
		}
		return scheme + ": is not known", right + "://" + strings.TrimLeft(rest, "/")
	case scheme == "url" || scheme == "uri":
		return scheme + ": isn't a scheme", strings.TrimSpace(rest)
	case scheme == "feed" && strings.HasPrefix(rest, "http"):
		return "feed: can't be fetched", rest
	}
	return scheme + ": can't be fetched (only http:, https:, ftp: and file:)", ""
}

// portLength is the length of the digits that s begins with, if a path or nothing follows them.
func portLength(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n < len(s) && s[n] != '/' && s[n] != '?' && s[n] != '#' {
		return 0
	}
	return n
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

// nearly says that one letter too many, too few, wrong or swapped turns a into b.
func nearly(a, b string) bool {
	if a == b {
		return false
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	start := 0
	for start < len(a) && a[start] == b[start] {
		start++
	}
	switch len(b) - len(a) {
	case 0:
		if a[start+1:] == b[start+1:] {
			return true
		}
		return start+2 <= len(a) && a[start] == b[start+1] && a[start+1] == b[start] && a[start+2:] == b[start+2:]
	case 1:
		return a[start:] == b[start+1:]
	}
	return false
}

// refusedReference explains a reference without scheme that is more likely
// something else; "" if it is a relative reference.
func refusedReference(s string, c *rfc3986.Components) (reason, meant string) {
	for _, scheme := range []string{"https//", "http//", "://"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			name := strings.Trim(scheme, ":/")
			if name == "" {
				name = "http"
			}
			return noScheme, name + "://" + strings.TrimLeft(s[len(scheme):], "/")
		}
	}
	if strings.ContainsAny(s, " \"<>\\^`{|}") {
		return "no URI", ""
	}
	if c.HasAuthority || strings.HasPrefix(s, "/") {
		return "", ""
	}
	first := s
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		first = s[:i]
	}
	switch {
	case strings.Contains(first, "@"):
		return "an e-mail address isn't a web address", ""
	case looksLikeHost(first):
		return noScheme, "http://" + s
	case strings.Contains(first, ":"):
		// The first segment of a relative reference holds no colon (RFC 3986 §4.2).
		return "no URI", ""
	}
	return "", ""
}

// fileExtensions end file names that would else look like host names. It is a list of what
// data is published in, not of all there is. What is not in it costs a question, not a
// seed.
var fileExtensions = []string{
	"7z", "br", "bz2", "csv", "gz", "hdt", "htm", "html", "json", "jsonld", "lz4", "n3", "nq", "nquads", "nt", "ntriples",
	"owl", "php", "rar", "rdf", "rdfs", "rj", "tar", "tbz2", "tgz", "trig", "trix", "tsv", "ttl", "turtle", "txt", "txz",
	"warc", "xhtml", "xml", "xz", "yaml", "yml", "z", "zip", "zst",
}

// looksLikeHost says that a first segment is a host name, perhaps with a port,
// rather than the name of a file or folder.
func looksLikeHost(segment string) bool {
	host, port := splitPort([]byte(segment))
	name := strings.ToLower(string(host))
	if len(host) < len(segment) && !isPort(port) {
		return false
	}
	if name == "localhost" || strings.HasPrefix(name, "[") {
		return true
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	if len(labels) < 2 || len(last) < 2 || slices.Contains(fileExtensions, last) && labels[0] != "www" {
		return false
	}
	for _, label := range labels {
		if label == "" || label[0] == '-' || strings.ContainsFunc(label, func(r rune) bool {
			return r < 0x80 && !isAlpha(byte(r)) && !isDigit(byte(r)) && r != '-'
		}) {
			return false
		}
	}
	return !strings.ContainsFunc(last, func(r rune) bool { return r < 0x80 && !isAlpha(byte(r)) }) || strings.HasPrefix(last, "xn--")
}

// refusedAuthority explains a host or port that no request can be sent to.
func refusedAuthority(s, scheme string, c *rfc3986.Components) (reason, meant string) {
	authority := string(c.Authority)
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	host, port := splitPort([]byte(authority))
	name := string(host)
	switch {
	case strings.EqualFold(name, "http") || strings.EqualFold(name, "https"):
		if inner := strings.TrimLeft(string(c.Path), "/"); inner != "" && port == "" {
			return "a scheme twice", strings.ToLower(name) + "://" + inner
		}
	case name == "":
		// http:///example.org/x has one stroke too many.
		if rest := strings.TrimLeft(string(c.Path), "/"); rest != "" && port == "" {
			first, _, _ := strings.Cut(rest, "/")
			if looksLikeHost(first) {
				return "no host", scheme + "://" + rest + s[len(s)-queryLength(c):]
			}
		}
		return "no host", ""
	case strings.HasPrefix(name, "["):
		if _, err := netip.ParseAddr(strings.Trim(strings.ReplaceAll(name, "%25", "%"), "[]")); err != nil ||
			!strings.HasSuffix(name, "]") {
			return "no IPv6 address in [ ]", ""
		}
	case strings.ContainsAny(name, " \"<>\\^`{|}[]:"):
		return "no host name before the path", ""
	case strings.Trim(name, ".") == "":
		return "no host", ""
	}
	if port != "" && !isPort(port) {
		return "no port number after the host", ""
	}
	return "", ""
}

func queryLength(c *rfc3986.Components) (n int) {
	if c.HasQuery {
		n += 1 + len(c.Query)
	}
	if c.HasFragment {
		n += 1 + len(c.Fragment)
	}
	return n
}
