package filenames

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"laundromat/internal/rfc3986"
)

// Errors of [Parse].
var (
	// ErrCut says that a name doesn't hold the whole URI: it was too long, or a password was left out.
	ErrCut = errors.New("the name was cut or a password was left out of it; " + Manifest + " has the URI")
	// ErrNotAName says that a path is none that [Name.Path] gives.
	ErrNotAName = errors.New("not a name of an exported file")
)

// Parse reads the path of a file back, by rule alone. Folders before the first that begins with "_" are passed over.
// With [ErrCut] the key, the time, Clean and Product are set.
func Parse(path string) (n Name, err error) {
	parts := strings.Split(path, "/")
	first := slices.IndexFunc(parts, isTier)
	if first < 0 {
		return n, fmt.Errorf("%w: no folder begins with \"_\"", ErrNotAName)
	}
	parts = slices.DeleteFunc(parts[first:], isTier)
	if len(parts) < 2 {
		return n, fmt.Errorf("%w: no host", ErrNotAName)
	}
	ends := strings.Split(parts[len(parts)-1], "+")
	if len(ends) != 3 || len(ends[1]) != 32 || len(ends[2]) < len(timeLayout) {
		return n, fmt.Errorf("%w: no key and time between its \"+\"", ErrNotAName)
	}
	at, ext := ends[2][:len(timeLayout)], ends[2][len(timeLayout):]
	if n.Time, err = time.Parse(timeLayout, at); err != nil {
		return n, fmt.Errorf("%w: %q is not a time", ErrNotAName, at)
	}
	n.Key, n.Clean = ends[1], ext == cleanExt
	for product, of := range productExts {
		if ext == of {
			n.Product = product
		}
	}
	if strings.Contains(path, cutMark) {
		return n, ErrCut
	}
	host, err := parseHost(parts[0])
	if err != nil {
		return n, err
	}
	return n, n.parsePath(host, parts[1:len(parts)-1], ends[0])
}

// isTier reports whether a folder is a tier, which the URI doesn't know.
func isTier(folder string) bool { return strings.HasPrefix(folder, "_") }

// parsePath reads the path, the query and the fragment, and the entries of archives after them.
func (n *Name) parsePath(host string, folders []string, stem string) error {
	var text strings.Builder
	text.WriteString(host)
	inEntry := false
	stroke := strings.Contains(host, "//") // not before the path of a URI without an authority
	next := func(encoded string) error {
		decoded, err := decode(encoded, octetRule(!inEntry))
		if err != nil {
			return err
		}
		// A URI without a path has a stem of its query and fragment, or none.
		pathless := encoded == "" || !inEntry && (strings.HasPrefix(encoded, "%3F") || strings.HasPrefix(encoded, "%23"))
		if stroke && !pathless {
			text.WriteString("/")
		}
		stroke = true
		text.WriteString(decoded)
		return nil
	}
	end := func() {
		if inEntry {
			n.Entries = append(n.Entries, text.String())
		} else {
			n.URI = text.String()
		}
		text.Reset()
	}
	for _, folder := range folders {
		name, isArchive := strings.CutSuffix(folder, entryMark)
		if err := next(name); err != nil {
			return err
		}
		if isArchive {
			end()
			inEntry, stroke = true, false
		}
	}
	if err := next(stem); err != nil {
		return err
	}
	end()
	return nil
}

// parseHost is the URI up to its path.
func parseHost(folder string) (string, error) {
	parts := strings.SplitN(folder, "_", 3)
	scheme, port := "http", ""
	if len(parts) > 1 {
		text, err := decode(parts[1], octetsStay)
		if err != nil {
			return "", err
		}
		scheme, port = splitPort(text)
	}
	prefix := ""
	if scheme != "" {
		prefix = scheme + ":"
	}
	if parts[0] == noAuthority {
		return prefix, nil
	}
	name, err := decode(parts[0], octetsStay)
	if err != nil {
		return "", err
	}
	if isReversed(name) {
		labels := strings.Split(name, ".")
		slices.Reverse(labels)
		name = strings.Join(labels, ".")
	}
	if len(parts) > 2 {
		user, err := decode(parts[2], octetsStay)
		if err != nil {
			return "", err
		}
		name = user + "@" + name
	}
	return prefix + "//" + name + port, nil
}

// decode gives the text back that was encoded. With octetsStay octets of characters outside ASCII stay encoded.
func decode(text string, octets octetRule) (string, error) {
	if rest, ok := strings.CutPrefix(text, emptySegment); ok && (rest == "" || rest[0] == '%') {
		text = rest
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b = append(b, text[i])
			continue
		}
		named, ok := rfc3986.Octet(text[i:])
		switch {
		case !ok:
			return "", fmt.Errorf("%w: %q isn't percent-encoded", ErrNotAName, text)
		case octets == octetsStay && named >= 0x80:
			b = append(b, text[i:i+3]...)
		default:
			b = append(b, named)
		}
		i += 2
	}
	return string(b), nil
}
