package clean

import (
	"bytes"
	"net/netip"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// judgeAuthority judges what is between // and the next / (RFC 3986 §3.2), in
// view of what follows it. Its characters are judged with the rest.
func judgeAuthority(text, path, scheme []byte) (faults iriFaults) {
	host, needsHost := text, isHTTP(scheme)
	if i := bytes.IndexByte(host, '@'); i >= 0 {
		if bytes.ContainsAny(host[:i], "[]") {
			return badHost
		}
		if bytes.IndexByte(host[i+1:], '@') >= 0 {
			return authority
		}
		if bytes.IndexByte(host[:i], ':') >= 0 {
			faults |= password
		}
		host = host[i+1:]
	}
	host, port, wrong := cutPort(host)
	if wrong != 0 {
		return wrong
	}
	if len(port) > 0 {
		faults |= judgePort(port[1:], scheme)
	}
	switch {
	case len(host) == 0 && needsHost:
		return faults | authority
	case len(host) > 0 && host[0] == '[' && needsHost && !bytes.Equal(host, bytes.ToLower(host)): // RFC 5952 §4.3
		return faults | letterCase
	case !needsHost || len(host) == 0 || host[0] == '[':
		return faults
	case len(port) <= 1 && bytes.HasPrefix(path, []byte("//")) && isHTTP(host): // http://http://example.org/
		return faults | authority
	}
	for i, b := range host {
		if 'A' <= b && b <= 'Z' && bytes.IndexByte(host[max(i-2, 0):i], '%') < 0 {
			faults |= letterCase
		}
	}
	return faults | judgeHost(host)
}

// cutPort parts a host from its port, which begins with the colon. wrong says why they can't be parted.
func cutPort(text []byte) (host, port []byte, wrong iriFaults) {
	if len(text) == 0 || text[0] != '[' {
		host = text
		if i := bytes.IndexByte(text, ':'); i >= 0 {
			host, port = text[:i], text[i:]
		}
		if bytes.ContainsAny(host, "[]") {
			return host, port, badHost
		}
		return host, port, 0
	}
	end := bytes.IndexByte(text, ']')
	if end < 0 || !isIPLiteral(text[1:end]) {
		return text, nil, badHost
	}
	host, port = text[:end+1], text[end+1:]
	if len(port) > 0 && port[0] != ':' {
		return host, port, badHost
	}
	return host, port, 0
}

// judgePort judges what follows the colon after a host (RFC 3986 §3.2.3, §6.2.3).
func judgePort(port, scheme []byte) iriFaults {
	n := 0
	for _, b := range port {
		if !isDigit(b) {
			return authority
		}
		n = min(n*10+int(b-'0'), 1<<20)
	}
	usual := map[string]int{"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}[string(bytes.ToLower(scheme))]
	switch {
	case n > 0xFFFF:
		return authority
	case usual != 0 && (len(port) == 0 || n == usual), len(port) > 1 && port[0] == '0':
		return needlessPort
	}
	return 0
}

// judgeHost judges a host of a scheme that finds it by DNS (RFC 1123 §2.1, RFC 3986 §3.2.2). The
// labels between its points have 1 to 63 characters and no hyphen at their ends. If the last is a
// number the whole is an IPv4 address. Underscores are let be, since names with them work.
func judgeHost(host []byte) iriFaults {
	if len(host) > 253 && isASCII(host) {
		return authority
	}
	rest := bytes.TrimSuffix(host, []byte("."))
	for more := true; more; {
		var label []byte
		label, rest, more = bytes.Cut(rest, []byte("."))
		n := len(label)
		if n == 0 || n > 63 && isASCII(label) || label[0] == '-' || label[n-1] == '-' {
			return authority
		}
		if !more {
			if digits, after := cutDigits(label); len(after) == 0 && len(digits) > 0 {
				if ip, err := netip.ParseAddr(string(host)); err != nil || !ip.Is4() {
					return authority
				}
			}
		}
	}
	return judgeName(host)
}

// lookup is how a name is written before DNS is asked for it (UTS 46 §4). As in browsers, the rule
// for hyphens is left out, since hosts that break it work.
var lookup = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false),
	idna.CheckHyphens(false), idna.CheckJoiners(true), idna.BidiRule(), idna.VerifyDNSLength(true))

// judgeName judges a host as an internationalised name: one with characters outside ASCII, or with
// labels that encode such. It must be a name, and be written as it is looked up. The mapping takes
// capital letters and wide points for others, and RDF takes no letter for another.
func judgeName(host []byte) iriFaults {
	var kept [256]byte
	small := kept[:0]
	high := false
	for _, b := range host {
		if 'A' <= b && b <= 'Z' {
			b |= 0x20 // reported elsewhere
		}
		small = append(small, b)
		high = high || b >= utf8.RuneSelf
	}
	encodes := bytes.HasPrefix(small, []byte("xn--")) || bytes.Contains(small, []byte(".xn--"))
	if !high && !encodes || bytes.IndexByte(small, '%') >= 0 {
		return 0
	}
	if len(small) > 4*253 { // encoded, each character takes one of 253 at least
		return badName
	}
	name := string(small)
	if _, err := lookup.ToASCII(name); err != nil {
		return badName
	}
	if encodes {
		return 0
	}
	if mapped, err := lookup.ToUnicode(name); err != nil || mapped != norm.NFC.String(name) {
		return badName
	}
	return 0
}

func cutDigits(text []byte) (digits, rest []byte) {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return text[:n], text[n:]
}

// isIPLiteral says that text is an IPv6 address, or one of a later version
// (RFC 3986 §3.2.2, IP-literal without its brackets).
func isIPLiteral(text []byte) bool {
	if len(text) > 0 && text[0]|0x20 == 'v' {
		version, address, found := bytes.Cut(text[1:], []byte("."))
		for _, b := range version {
			found = found && isHex(b)
		}
		for _, b := range address {
			found = found && classes[b]&(isAnyOdd|isHash) == 0 && b != '/' && b != '?' && b != '@'
		}
		return found && len(version) > 0 && len(address) > 0
	}
	ip, err := netip.ParseAddr(string(text))
	return err == nil && ip.Is6() && ip.Zone() == ""
}
