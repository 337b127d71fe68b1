// Package filenames names the files of documents by their URIs, for people: reversed host, tiers, path
// and query. The key and the time, at the end, make each name unique.
//
//	_com/_tw/com.twitter/statuses/friends/bob.xml%3Fsince%3D2008+0b1…+20081104-162000.xml
//
// A name is safe on ext4, NTFS and APFS: it is of ASCII alone, and holds nothing that one of them, or their
// programs, forbid or read in another way. Two documents never share a name, since the key is in it, also where
// capital and small letters are the same. Folders may be shared. They never have the name of a file, since each
// name of a file has a "+", and none of a folder.
//
// [Parse] reads a name back: the URI that it gives has the key of the URI that was named. A name that was cut,
// or from which a password was left out, holds a "~", and the [Row]s of a manifest tell its URI.
package filenames

import (
	"bytes"
	"net/netip"
	"slices"
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
	Key     string    // 32 hex digits; others are left out
	Time    time.Time // when the document came
	Clean   bool      // the file is the clean N-Quads, in gzip
	// Product is what the file is in place of these: records, articles, or schema (of the records); "" for none.
	Product string
	// Crowded puts the file into a tier of its folder, by the first two characters of its name.
	Crowded bool
	// Secrets keeps user and password. Without it they are left out, and the name is marked as cut.
	Secrets bool
}

// Manifest is the name of the file that says what a folder holds.
const Manifest = "MANIFEST.tsv"

// Lengths in bytes.
const (
	// MaxPath is the longest path below the folder of the manifest. Linux takes 4,096 with that folder.
	MaxPath = 3_800
	// MaxSegment is the longest name of a file or a folder, on all file systems.
	MaxSegment = 255
	maxTier    = 16
	maxExt     = 18
)

// cutMark ends what was cut, and stands for folders that are left out. No encoded text holds it.
const cutMark = "~"

// entryMark ends the name of an archive whose entries are in the folder. No encoded text holds it.
const entryMark = "!"

// emptySegment stands for an empty segment. No encoded text is so.
const emptySegment = "%"

// cleanExt is the extension of clean N-Quads.
const cleanExt = ".clean.nq.gz"

// Path is the name of a file, with strokes between its segments.
func (n Name) Path() string {
	folders, leaf := n.parts()
	if n.Crowded {
		folders = append(folders, tier(leaf))
	}
	return strings.Join(append(folders, leaf), "/")
}

// Folder is the folder of the file, were it not [Name.Crowded].
func (n Name) Folder() string {
	folders, _ := n.parts()
	return strings.Join(folders, "/")
}

// parts are the folders of a name, without the tier of a crowded one, and the name in them.
func (n Name) parts() (folders []string, leaf string) {
	uri := []byte(n.URI)
	if !n.Secrets {
		uri = withoutUser(uri)
	}
	cut := len(uri) != len(n.URI)
	c := rfc3986.Split(uri)
	folders = hostFolders(&c)
	path := string(c.Path)
	if c.HasAuthority {
		path = strings.TrimPrefix(path, "/")
	}
	more := strings.Split(path, "/")
	last := more[len(more)-1]
	more = more[:len(more)-1]
	for i := range more {
		more[i] = segmentOf(more[i], "", octetsStay)
	}
	rest := ""
	if c.HasQuery {
		rest = "?" + string(c.Query)
	}
	if c.HasFragment {
		rest += "#" + string(c.Fragment)
	}
	// A URI without a path has a leaf without a stem; a path that ends in a stroke an empty segment.
	hasLast := len(c.Path) > 0
	octets := octetsStay
	for _, entry := range n.Entries {
		shown := entry
		if !n.Secrets {
			shown = string(withoutUser([]byte(entry)))
		}
		cut = cut || shown != entry
		more = append(more, segment(stemOf(last, rest, hasLast, octets), entryMark, MaxSegment))
		inner := strings.Split(shown, "/")
		for _, folder := range inner[:len(inner)-1] {
			more = append(more, segmentOf(folder, "", noOctets))
		}
		last, rest, hasLast, octets = inner[len(inner)-1], "", true, noOctets
	}
	leaf = n.leaf(stemOf(last, rest, hasLast, octets), last, cut)

	room := MaxPath - len(strings.Join(folders, "/")) - len("/") - len(leaf) - len("/") - maxTier
	for _, folder := range more {
		room -= len(folder) + len("/")
	}
	// A path that is too long loses folders from the end.
	for room < 0 && len(more) > 0 {
		end := len(more) - 1
		if more[end] == cutMark && end > 0 {
			end--
		}
		room += len(more[end]) - len(cutMark)
		if end+1 < len(more) {
			room += len(cutMark) + len("/")
		}
		more = append(more[:end], cutMark)
	}
	return append(folders, more...), leaf
}

// stemOf is the last segment with query and fragment, encoded.
func stemOf(last, rest string, hasLast bool, octets octetRule) string {
	switch {
	case !hasLast && rest == "":
		return ""
	case !hasLast:
		return encoded(rest, octets)
	case last == "":
		return emptySegment + encoded(rest, octets)
	}
	return encoded(last+rest, octets)
}

// leaf is the name of the file in its folder.
func (n Name) leaf(stem, last string, cut bool) string {
	ext := ""
	if n.Clean {
		ext = cleanExt
	} else if n.Product != "" {
		ext = productExts[n.Product]
	} else if found := extension.FindString(last); found != "" && len(found) < len(last) && len(found) <= maxExt {
		ext = found
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
	end := "+" + string(key) + "+" + at.UTC().Format(timeLayout) + ext
	if cut {
		end = cutMark + end
	}
	return segment(stem, end, MaxSegment)
}

// productExts are the extensions of products.
var productExts = map[string]string{
	"records": ".records.jsonl.gz", "schema": ".records.schema.json", "articles": ".articles.jsonl.gz",
}

// timeLayout is the form of the time in a name, in UTC.
const timeLayout = "20060102-150405"

// extension is that of a file, with that of its compression.
var extension = pattern.New(`(?:\.[A-Za-z0-9]{1,8})?\.(?i:gz|bz2|xz|zst|lz4|lz|lzma|z|br)$|\.[A-Za-z0-9]{0,7}[A-Za-z][A-Za-z0-9]{0,7}$`)

// withoutUser leaves out user and password of each authority in a text, up to the @.
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

// tier is the folder within a crowded folder that a file is in.
func tier(leaf string) string {
	stem, _, _ := strings.Cut(strings.TrimSuffix(leaf, cutMark), "+")
	return segment("_"+firstTwo(strings.TrimSuffix(stem, cutMark)), "", maxTier)
}

// firstTwo are the first two characters of an encoded text, each percent-encoded octet being one.
func firstTwo(text string) string {
	end := 0
	for range 2 {
		switch {
		case end >= len(text):
		case text[end] == '%' && end+2 < len(text):
			end += 3
		default:
			end++
		}
	}
	return text[:end]
}

// hostFolders are the two tiers and the host, the labels of which are the other way round:
// _org/_ex/org.example. Scheme, port, user and password follow it: see [hostText].
func hostFolders(c *rfc3986.Components) []string {
	host := lower(c.Authority[bytes.LastIndexByte(c.Authority, '@')+1:])
	name, _ := splitPort(host)
	if name == "" {
		name = "localhost" // as in file:///data
	}
	first, second := "ip", strings.TrimLeft(name, "[:")
	if labels := strings.Split(name, "."); isReversed(name) {
		slices.Reverse(labels)
		if labels[0] == "" && len(labels) > 1 {
			labels = labels[1:] // the root's dot
		}
		first, second = labels[0], labels[0]
		if len(labels) > 1 {
			second = labels[1]
		}
		second = second[:min(2, len(second))]
	} else if end := strings.IndexAny(second, ".:]"); end >= 0 {
		second = second[:end]
	}
	return []string{tierOf(first), tierOf(second), segment(hostText(c), "", MaxSegment)}
}

// tierOf is a tier of the host.
func tierOf(text string) string { return segment("_"+encodedAll(text, octetsStay), "", maxTier) }

// isReversed reports whether the labels of a host are named in reverse. Those of addresses are not.
func isReversed(name string) bool {
	if strings.ContainsAny(name, "[]:") {
		return false
	}
	address, err := netip.ParseAddr(name)
	return err != nil || !address.Is4()
}

// hostText is the host as it is named, and what a URI has about it: com.example for http://example.com,
// com.example_https, com.example_http%3A8080, com.example_http_user%3Apassword.
func hostText(c *rfc3986.Components) string {
	if !c.HasAuthority {
		return noAuthority + "_" + encodedHost(string(c.Scheme))
	}
	user, host := []byte(nil), c.Authority
	at := bytes.LastIndexByte(host, '@')
	if at >= 0 {
		user, host = host[:at], host[at+1:]
	}
	name, port := splitPort(lower(host))
	text := emptySegment
	if name != "" {
		if isReversed(name) {
			labels := strings.Split(name, ".")
			slices.Reverse(labels)
			name = strings.Join(labels, ".")
		}
		text = encodedHost(name)
	}
	scheme := lower(c.Scheme)
	if scheme == "http" && port == "" && at < 0 {
		return text
	}
	text += "_" + encodedHost(scheme+port)
	if at >= 0 {
		text += "_" + encoded(string(user), octetsStay)
	}
	return text
}

// noAuthority is in place of the host of a URI that has none, such as urn:a:b. No encoded host begins so.
const noAuthority = "-"

// encodedHost encodes the parts of a host's name that "_" separates.
func encodedHost(text string) string {
	text = strings.ReplaceAll(encodedAll(text, octetsStay), "_", "%5F")
	if text != "" && (text[0] == '-' || text[0] == '.') {
		text = octet(text[0]) + text[1:]
	}
	return text
}

// lower is a text whose capital letters of ASCII are small ones. Others make another key.
func lower(text []byte) string {
	b := bytes.Clone(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + ('a' - 'A')
		}
	}
	return string(b)
}

// splitPort cuts a host at the colon before its port. The port keeps the colon.
func splitPort(host string) (name, port string) {
	colon := strings.LastIndexByte(host, ':')
	if colon < 0 || colon < strings.LastIndexByte(host, ']') {
		return host, ""
	}
	return host[:colon], host[colon:]
}

// octetRule says what becomes of percent-encoded octets in a text.
type octetRule bool

const (
	// octetsStay: those of characters outside ASCII stay, since a URI says the same with and without the encoding.
	octetsStay octetRule = true
	// noOctets: a percent sign is one, as in the names of entries.
	noOctets octetRule = false
)

// encoded percent-encodes all but letters and digits of ASCII, "_", "-" and "."; also a first character that isn't
// a letter.
func encoded(text string, octets octetRule) string {
	text = encodedAll(text, octets)
	if text != "" && text[0] != '%' && !isLetter(text[0]) {
		text = octet(text[0]) + text[1:]
	}
	return text
}

// encodedAll is encoded, but for its rule of the first character.
func encodedAll(text string, octets octetRule) string {
	b := make([]byte, 0, len(text)+8)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case isLetter(c), '0' <= c && c <= '9', c == '_', c == '-', c == '.':
			b = append(b, c)
		default:
			if named, ok := rfc3986.Octet(text[i:]); ok && octets == octetsStay && named >= 0x80 {
				c = named
				i += 2
			}
			b = rfc3986.AppendOctet(b, c)
		}
	}
	return string(b)
}

// octet is a percent-encoded octet.
func octet(c byte) string { return string(rfc3986.AppendOctet(nil, c)) }

// segmentOf is a folder's name of a text.
func segmentOf(text, end string, octets octetRule) string {
	if text == "" {
		return emptySegment + end
	}
	return segment(encoded(text, octets), end, MaxSegment)
}

// segment is an encoded text and what follows it, of at most so many bytes, as every file system takes it.
func segment(text, end string, most int) string {
	// "." and ".." mean folders, and Windows drops a dot at the end.
	if end == "" && strings.HasSuffix(text, ".") {
		text = text[:len(text)-1] + octet('.')
	}
	// Names of devices can't be had on Windows.
	if reserved.MatchString(text + end) {
		text = octet(text[0]) + text[1:]
	}
	if len(text)+len(end) <= most {
		return text + end
	}
	end = cutMark + strings.TrimPrefix(end, cutMark)
	text = text[:most-len(end)]
	for back := 1; back <= 2; back++ {
		if len(text) >= back && text[len(text)-back] == '%' {
			text = text[:len(text)-back] // not within an octet
			break
		}
	}
	return text + end
}

// reserved are names of devices on Windows, whatever follows a dot.
var reserved = pattern.New(`(?i)^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9]|lpt[0-9])(?:\.|$)`)

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
