package fetch

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Exchange is one request and its reply, or a connection that brought none. Of FTP,
// Status is the code of a reply, and the headers are what its server said in other words.
type Exchange struct {
	URI     string              `json:"uri"`
	Time    time.Time           `json:"time"` // in UTC, when it was sent
	Status  int                 `json:"status,omitempty"`
	Version *Version            `json:"version,omitempty"`
	Headers map[string][]string `json:"headers,omitempty"` // names in lower case
	Error   string              `json:"error,omitempty"`
	// Conditions are the headers of the request that asked for less than the whole,
	// names in lower case.
	Conditions map[string]string `json:"conditions,omitempty"`
	Walltime   float64           `json:"walltime"` // seconds, body included
	// Robots says that the host was asked for its robots.txt, and not for the document.
	Robots bool `json:"robots,omitempty"`
}

// Version is the version of HTTP that a reply came in; nil for FTP.
type Version struct {
	Major int `json:"major"`
	Minor int `json:"minor"`
}

// maxHeaders is how many bytes of headers are kept of one reply.
const maxHeaders = 64 << 10

// unkept are headers that hold cookies or credentials.
var unkept = []string{
	"Set-Cookie", "Set-Cookie2", "Cookie", "Authorization", "Proxy-Authorization", "Authentication-Info",
	"Proxy-Authentication-Info", "Www-Authenticate", "Proxy-Authenticate",
}

// exchange records what came of a request.
func (a *answer) exchange() Exchange {
	e := Exchange{URI: a.uri, Time: a.start.UTC(), Walltime: time.Since(a.start).Seconds()}
	for name, value := range a.conditions {
		if e.Conditions == nil {
			e.Conditions = map[string]string{}
		}
		e.Conditions[strings.ToLower(name)] = value
	}
	if a.failure != nil {
		e.Error = a.failure.Error()
	}
	if a.reply == nil {
		return e
	}
	e.Status = a.reply.StatusCode
	if a.reply.ProtoMajor > 0 {
		e.Version = &Version{a.reply.ProtoMajor, a.reply.ProtoMinor}
	}
	e.Headers = Kept(a.reply.Header)
	return e
}

// Kept are the headers of a reply that a record keeps, at most 64 kB. Their names are canonical in
// headers, and in lower case in the result; cookies and credentials are left out.
func Kept(header map[string][]string) map[string][]string {
	kept := map[string][]string{}
	room := maxHeaders
	for _, name := range slices.Sorted(maps.Keys(header)) {
		if slices.Contains(unkept, name) {
			continue
		}
		lower := strings.ToValidUTF8(strings.ToLower(name), "\uFFFD")
		for _, value := range header[name] {
			if room -= len(lower) + len(value); room < 0 {
				return kept
			}
			if name == "Location" || name == "Content-Location" || name == "Refresh" {
				value = withoutCredentials(value)
			}
			kept[lower] = append(kept[lower], strings.ToValidUTF8(value, "\uFFFD"))
		}
	}
	return kept
}

// withoutCredentials hides what is before the @ of a URI's authority.
func withoutCredentials(value string) string {
	before, rest, found := strings.Cut(value, "//")
	if !found {
		return value
	}
	authority, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		return before + "//***" + authority[at:] + path
	}
	return value
}
