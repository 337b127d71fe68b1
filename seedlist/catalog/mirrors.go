package catalog

import (
	"slices"
	"strings"

	"laundromat/seedlist"
)

// sameFiles makes one entry of those that a dataset claims to have the same bytes. The first that can
// be taken stays, and the others are its mirrors. A checksum and, where both claim one, the size must
// be the same.
func (r *reading) sameFiles(all []found) []found {
	first := map[string]int{}
	var kept []found
	for _, f := range all {
		sum := f.claims[Checksum]
		if sum == "" || slices.Contains(sumsOfNothing, sum) || !r.canBeTaken(f) {
			kept = append(kept, f)
			continue
		}
		at, known := first[sum]
		if !known {
			first[sum] = len(kept)
			kept = append(kept, f)
			continue
		}
		other := &kept[at]
		if a, b := other.claims[Size], f.claims[Size]; a != "" && b != "" && a != b {
			kept = append(kept, f)
			continue
		}
		mirror, _ := r.resolve(f.uri)
		main, _ := r.resolve(other.uri)
		if seedlist.Key(mirror) == seedlist.Key(main) {
			kept = append(kept, f) // named twice, as anywhere
			continue
		}
		other.claims.addMirror(mirror)
		r.refuse(mirror, Mirror, "the same bytes as "+main)
	}
	return kept
}

// sumsOfNothing are the checksums of no bytes at all: what programs write that could not
// read the file.
var sumsOfNothing = []string{
	"md5:d41d8cd98f00b204e9800998ecf8427e",
	"sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
	"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
}

// canBeTaken says that take would give an entry out.
func (r *reading) canBeTaken(f found) bool {
	uri, err := r.resolve(f.uri)
	if err != nil {
		return false
	}
	if !f.sure && !r.opt.All {
		if reason, _ := judge(f.formats, uri, f.needsSign); reason != "" {
			return false
		}
	}
	u, err := seedlist.ParseURI(uri)
	return err == nil && !slices.Contains(r.opt.Own, u.Host)
}

// addMirror adds a URI to the mirrors, if there is room for all of it.
func (c Claims) addMirror(uri string) {
	if uri == "" || strings.ContainsAny(uri, " \t\r\n") || slices.Contains(strings.Fields(c[Mirrors]), uri) {
		return
	}
	if all := strings.TrimSpace(c[Mirrors] + " " + uri); len(all) <= maxClaim {
		c[Mirrors] = all
	}
}

// takeAll takes the entries of a dataset.
func (r *reading) takeAll(all []found) error {
	for _, f := range r.sameFiles(all) {
		if err := r.take(f); err != nil {
			return err
		}
	}
	return nil
}
