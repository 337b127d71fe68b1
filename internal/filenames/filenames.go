// Package filenames names the files of documents by their URIs, for people: reversed host, tiers, path
// and query. The key and the time, at the end, make each name unique.
//
//	_com/_tw/com.twitter/statuses/friends+0b1…+20081104-162000.xml
//
// A name is safe on ext4, NTFS and APFS. It is of ASCII alone, and keeps below their lengths. It holds
// nothing that one of them, or their programs, forbid or read in another way. Two documents never
// share a name, since the key is in it, also where capital and small letters are the same. Folders may
// be shared. They never have the name of a file, since each name of a file has a "+", and none of a
// folder.
//
// The URI can't be had from a name: empty segments, the scheme, user and password are left out, and
// what is too long. The [Row]s of a manifest name it.
package filenames

import (
	"bytes"
	"net/netip"
	"strings"
	"time"

	"laundromat/internal/pattern"
	"laundromat/internal/rfc3986"
)

// Name is what a file is named by.
type Name struct {
	URI string
	// Entries are the names of an archive's entry, one within the other, if it is one.
	Entries []string
	Key     string    // 32 hex digits; what else it holds is left out
	Time    time.Time // when the document came
	Clean   bool      // the file is the clean N-Quads, in gzip
}

// Manifest is the name of the file that says what a folder holds.
const Manifest = "MANIFEST.tsv"

// Lengths in bytes. MaxPath leaves room for the name of the folder that all is in: 260
// characters are the most for many programs of Windows.
const (
	MaxPath    = 240
	maxSegment = 80
	maxHost    = 64
	maxTier    = 16
	maxStem    = 48
	maxExt     = 18
)

// cutMark ends what was cut, and stands for folders that are left out.
const cutMark = "~"

// Path is the name of a file, with strokes between its segments.
func (n Name) Path() string {
	uri := withoutUser([]byte(n.URI))
	c := rfc3986.Split(uri)
	folders := hostFolders(c.Authority)
	used := len(strings.Join(folders, "/"))
	more, last := segments(c.Path)
	query := ""
	if c.HasQuery {
		query += "?" + string(c.Query)
	}
	if c.HasFragment {
		query += "#" + string(c.Fragment)
	}
	for _, entry := range n.Entries {
		more = append(more, last+query+"!")
		inner, leaf := segments(withoutUser([]byte(entry)))
		more, last, query = append(more, inner...), leaf, ""
	}
	leaf := n.leaf(last, query)

	room := MaxPath - used - len("/") - len(leaf)
	encoded := make([]string, len(more))
	for i, segment := range more {
		encoded[i] = safe(segment, maxSegment)
		room -= len(encoded[i]) + len("/")
	}
	// What is too long loses folders from the end.
	for room < 0 && len(encoded) > 0 {
		end := len(encoded) - 1
		if encoded[end] == cutMark && end > 0 {
			end--
		} else if encoded[end] == cutMark {
			encoded = nil
			break
		}
		room += len(encoded[end]) - len(cutMark)
		if end+1 < len(encoded) {
			room += len(cutMark) + len("/")
		}
		encoded = append(encoded[:end], cutMark)
	}
	return strings.Join(append(append(folders, encoded...), leaf), "/")
}

// leaf is the name of the file in its folder.
func (n Name) leaf(last, query string) string {
	ext := ""
	if n.Clean {
		ext = ".clean.nq.gz"
	} else if found := extension.FindString(last); found != "" && len(found) < len(last) && len(found) <= maxExt {
		ext = found
		last = strings.TrimSuffix(last, found)
	}
	stem := safe(last+query, maxStem)
	if stem == "" {
		stem = "_"
	}
	key := make([]byte, 0, 32)
	for _, c := range []byte(strings.ToLower(n.Key)) {
		if strings.IndexByte("0123456789abcdef", c) >= 0 && len(key) < 32 {
			key = append(key, c)
		}
	}
	at := time.Unix(0, 0)
	if year := n.Time.UTC().Year(); year >= 1970 && year <= 9999 {
		at = n.Time
	}
	return stem + "+" + string(key) + "+" + at.UTC().Format("20060102-150405") + ext
}

// extension is that of a file, with that of its compression.
var extension = pattern.New(`(?:\.[A-Za-z0-9]{1,8})?\.(?i:gz|bz2|xz|zst|lz4|lz|lzma|z|br)$|\.[A-Za-z0-9]{0,7}[A-Za-z][A-Za-z0-9]{0,7}$`)

// withoutUser leaves out what is before the @ of each authority in a text.
func withoutUser(text []byte) []byte {
	var kept []byte
	for {
		before, rest, found := bytes.Cut(text, []byte("//"))
		kept = append(kept, before...)
		if !found {
			return kept
		}
		kept = append(kept, "//"...)
		end := bytes.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		if at := bytes.LastIndexByte(rest[:end], '@'); at >= 0 {
			rest = rest[at+1:]
		}
		text = rest
	}
}

// segments are the folders of a path, and its last segment: "" if it ends in a stroke.
// Empty segments are left out.
func segments(path []byte) (folders []string, last string) {
	parts := strings.Split(string(path), "/")
	for _, part := range parts[:len(parts)-1] {
		if part != "" {
			folders = append(folders, part)
		}
	}
	return folders, parts[len(parts)-1]
}

// hostFolders are the two tiers and the host, the labels of which are the other way
// round: _org/_ex/org.example.www. An address stays as it is, below _ip.
func hostFolders(authority []byte) []string {
	host := strings.ToLower(string(authority))
	name, port := host, ""
	if colon := strings.LastIndexByte(host, ':'); colon > strings.LastIndexByte(host, ']') {
		name, port = host[:colon], host[colon:]
		if port == ":" {
			port = ""
		}
	}
	name = strings.TrimSuffix(name, ".")
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		first := strings.FieldsFunc(name+"0", func(r rune) bool { return strings.ContainsRune("[].:", r) })[0]
		return []string{"_ip", safe("_"+first, maxTier), safe(name+port, maxHost)}
	}
	if name == "" {
		name = "localhost" // file:///
	}
	labels := strings.Split(name, ".")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	second := labels[0]
	if len(labels) > 1 {
		second = labels[1]
	}
	return []string{safe("_"+labels[0], maxTier), safe("_"+second[:min(2, len(second))], maxTier),
		safe(strings.Join(labels, ".")+port, maxHost)}
}

// plain are the characters that stand for themselves, besides letters and digits. A
// tilde is among them: what ends in one was cut, or is called so.
const plain = "-_.~!$'(),;=@&"

// safe is a segment that every file system takes, of at most so many bytes. It is ""
// for "" alone.
func safe(segment string, most int) string {
	const hex = "0123456789ABCDEF"
	b := make([]byte, 0, len(segment)+8)
	escape := func(c byte) { b = append(b, '%', hex[c>>4], hex[c&15]) }
	for i := 0; i < len(segment); i++ {
		switch c := segment[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte(plain, c) >= 0:
			b = append(b, c)
		case c == '%' && i+2 < len(segment) && isHex(segment[i+1]) && isHex(segment[i+2]):
			b = append(b, strings.ToUpper(segment[i:i+3])...)
			i += 2
		default:
			escape(c)
		}
		if len(b) > most+3 {
			break // the rest is cut anyway
		}
	}
	if end := len(b) - 1; end >= 0 && b[end] == '.' && len(b)+2 <= most {
		// "." and ".." mean folders, and Windows drops a dot at the end.
		b = b[:end]
		escape('.')
	}
	if reserved.Match(b) {
		b = append([]byte{'%', hex[b[0]>>4], hex[b[0]&15]}, b[1:]...)
	}
	if len(b) > most || len(b) > 0 && b[len(b)-1] == '.' {
		end := min(most-len(cutMark), len(b))
		for back := 1; back <= 2; back++ {
			if end >= back && b[end-back] == '%' {
				end -= back // not within an octet
				break
			}
		}
		b = append(b[:end], cutMark...)
	}
	return string(b)
}

// reserved are names of devices on Windows, whatever follows a dot.
var reserved = pattern.New(`(?i)^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9]|lpt[0-9])(?:\.|$)`)

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
