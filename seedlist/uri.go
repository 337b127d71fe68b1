package seedlist

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/digest"
	"laundromat/internal/rfc3986"
)

// MaxURI is the longest URI that is taken, in bytes. Servers are asked to bear
// 8,000 (RFC 9110 §4.1); longer ones are broken templates or data in disguise.
const MaxURI = 8192

// URI is a reference that a seed can be made of: see [ParseURI].
type URI struct {
	Given    string // as it came, without white space around it: what is requested
	Normal   string // what the key is taken of
	Relative bool   // a reference without scheme: kept to be counted, never fetched
	Host     string // host[:port] in lower case, without the scheme's own port; "" if relative; [FileHost]
}

// FileHost is in place of the host of files of this machine: it needs no pauses.
const FileHost = "file:"

// IsFile says that u is a file of this machine. Whoever takes URIs from others asks: only
// the operator may name such.
func (u URI) IsFile() bool { return u.Host == FileHost }

// ParseURI reads one line of a seed list. It takes http, https and ftp URIs, those of files
// of this machine, and relative references, which Relative marks. It also takes URIs that
// RFC 3986 does not quite allow (spaces, bad percent-encodings), because servers answer
// them. All else is refused with a [*URIError] that says what was meant, where that can be
// guessed. A file name is a relative reference; a host name is not.
func ParseURI(s string) (URI, error) {
	s = strings.Trim(s, " \t\r\n\f\v")
	if err := refusal(s); err != nil {
		return URI{}, err
	}
	u := URI{Given: encodeStray(s), Normal: normalise(s)}
	c := rfc3986.Split([]byte(u.Normal))
	u.Relative = !c.HasScheme
	if !u.Relative {
		u.Host = schedulingHost(&c)
		if bytes.EqualFold(c.Scheme, []byte("file")) {
			u.Host = FileHost
		}
	}
	return u, nil
}

// Hash is the key of the seed that u makes.
func (u URI) Hash() string { return hashOf(u.Normal) }

// Shown is u as people may see it: see the function [Shown].
func (u URI) Shown() string { return Shown(u.Given) }

// Key is the lower-case hex MD5 of uri after these steps, and no others
// (RFC 3986 §6.2.2):
//
//  0. characters outside ASCII become percent-encoded UTF-8 (RFC 3987 §3.1);
//  1. letters of scheme and host become lower case;
//  2. hex digits of percent-encoded octets become upper case;
//  3. percent-encoded unreserved characters are decoded;
//  4. the dot segments of the path are removed (RFC 3986 §5.2.4).
//
// It is defined for every string. A reference without scheme keeps its dot
// segments: they mean something only against a base.
func Key(uri string) string { return hashOf(normalise(uri)) }

// ChildKey is the key of the n-th entry (from 1) called name in the archive whose key is
// parent. The bytes of name are taken as they are, in whatever encoding.
func ChildKey(parent, name string, n int) string { return digest.EntryKey(parent, name, n) }

// Shown replaces what is before the @ of an authority by ***, since that may
// be a password or a token. All that people, logs and the API see goes through it.
func Shown(uri string) string {
	c := rfc3986.Split([]byte(uri))
	at := bytes.LastIndexByte(c.Authority, '@')
	if at < 0 {
		return uri
	}
	c.Authority = append([]byte("***"), c.Authority[at:]...)
	return string(c.Append(nil))
}

// ShownIn is Shown for every URI within a text: a message, a source, what a catalog says.
func ShownIn(text string) string { return rfc3986.MaskUserinfo(text) }

func hashOf(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

func normalise(s string) string {
	c := rfc3986.Split([]byte(s))
	c.Scheme = bytes.ToLower(c.Scheme)
	if c.HasAuthority {
		host := bytes.LastIndexByte(c.Authority, '@') + 1
		authority := appendOctets(make([]byte, 0, len(c.Authority)), c.Authority[:host], false)
		c.Authority = appendOctets(authority, c.Authority[host:], true)
	}
	c.Path = appendOctets(nil, c.Path, false)
	if c.HasScheme {
		c.Path = rfc3986.RemoveDotSegments(c.Path)
	}
	c.Query = appendOctets(nil, c.Query, false)
	c.Fragment = appendOctets(nil, c.Fragment, false)
	return string(c.Append(make([]byte, 0, len(s))))
}

// appendOctets appends src with every octet in its normal form (steps 0 to 3).
func appendOctets(dst, src []byte, lower bool) []byte {
	for i := 0; i < len(src); i++ {
		octet := src[i]
		encoded := octet >= 0x80
		if named, ok := rfc3986.Octet(src[i:]); ok {
			octet, encoded = named, !isUnreserved(named)
			i += 2
		}
		switch {
		case encoded:
			dst = rfc3986.AppendOctet(dst, octet)
		case lower && 'A' <= octet && octet <= 'Z':
			dst = append(dst, octet+('a'-'A'))
		default:
			dst = append(dst, octet)
		}
	}
	return dst
}

// isUnreserved is RFC 3986 §2.3.
func isUnreserved(b byte) bool {
	return isAlpha(b) || isDigit(b) || b == '-' || b == '.' || b == '_' || b == '~'
}

func isAlpha(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// encodeStray percent-encodes the bytes of s that are not UTF-8, since a record
// is JSON and could not give them back.
func encodeStray(s string) string {
	if strings.ToValidUTF8(s, "") == s {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		valid := strings.ToValidUTF8(s, "\x00")
		n := strings.IndexByte(valid, 0)
		if n < 0 {
			n = len(s)
		}
		b.WriteString(s[:n])
		if s = s[n:]; len(s) > 0 {
			fmt.Fprintf(&b, "%%%02X", s[0])
			s = s[1:]
		}
	}
	return b.String()
}

// schedulingHost is the host and port that requests to c are counted for. Port
// 80 of http, 443 of https and 21 of ftp are left out, and so is the root's dot: they are
// the same server's.
func schedulingHost(c *rfc3986.Components) string {
	authority := c.Authority[bytes.LastIndexByte(c.Authority, '@')+1:]
	host, port := splitPort(authority)
	name := strings.TrimSuffix(string(host), ".")
	if port == "" || port == defaultPorts[string(c.Scheme)] {
		return name
	}
	return name + ":" + port
}

// defaultPorts are the schemes that can be fetched.
var defaultPorts = map[string]string{"http": "80", "https": "443", "ftp": "21"}

// splitPort cuts an authority without user info at the colon before its port.
func splitPort(authority []byte) (host []byte, port string) {
	colon := bytes.LastIndexByte(authority, ':')
	if colon < 0 || colon < bytes.LastIndexByte(authority, ']') {
		return authority, ""
	}
	return authority[:colon], string(authority[colon+1:])
}

// Document is the URI of the document that u names a thing in; false if u has no fragment.
func (u URI) Document() (URI, bool) {
	given, _, found := strings.Cut(u.Given, "#")
	if !found || u.Relative {
		return u, false
	}
	normal, _, _ := strings.Cut(u.Normal, "#")
	return URI{Given: given, Normal: normal, Host: u.Host}, true
}

// WithDocuments adds to what a catalog names the documents that it names things in: what it claims is
// claimed of them.
func WithDocuments(seeds []NewSeed) []NewSeed {
	all := slices.Clone(seeds)
	met := map[string]bool{}
	for _, seed := range seeds {
		u, err := ParseURI(seed.URI)
		if err != nil {
			continue
		}
		if document, ok := u.Document(); ok && !met[document.Normal] {
			met[document.Normal] = true
			seed.URI, seed.Title = document.Given, ""
			all = append(all, seed)
		}
	}
	return all
}

// OldKey is the MD5 of a URI as it was given, by which seeds were known in 2018; nil if
// that is the hash.
func OldKey(given, hash string) []byte {
	sum := md5.Sum([]byte(given))
	if hex.EncodeToString(sum[:]) == hash {
		return nil
	}
	return sum[:]
}
