package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"laundromat/encoding"
	"laundromat/seedlist"
	"laundromat/web"
)

// HashOf is the hash that HASH, URI or URI!/entry!/entry stands for.
func HashOf(ref string) (string, error) {
	if IsHash(ref) {
		return ref, nil
	}
	outer, inner, member := strings.Cut(ref, "!/")
	hash := outer
	if !IsHash(outer) {
		uri, err := seedlist.ParseURI(outer)
		if err != nil {
			return "", refuse(http.StatusBadRequest, "%q is neither a hash nor a URI: %w", seedlist.Shown(ref), err)
		}
		if document, ok := uri.Document(); ok && member {
			uri = document
		}
		hash = uri.Hash()
	}
	if member {
		for entry := range strings.SplitSeq(inner, "!/") {
			hash = seedlist.ChildKey(hash, entry, 1)
		}
	}
	return hash, nil
}

// HashOf is the hash of the seed that ref names: HASH, the first digits of one that no other begins
// with, URI, or URI!/entry!/entry. The error for what names none says what was typed, and what
// may have been meant.
func (c *Client) HashOf(ctx context.Context, ref string) (string, error) {
	hash, err := c.hashOf(ctx, ref)
	if err != nil || c.knows(ctx, hash) {
		return hash, err
	}
	outer, inner, member := strings.Cut(ref, "!/")
	if !member {
		return c.meant(ctx, ref)
	}
	outer, err = c.HashOf(ctx, outer)
	if err != nil {
		return "", err
	}
	if hash, err = c.hashOf(ctx, outer+"!/"+inner); err != nil || c.knows(ctx, hash) {
		return hash, err
	}
	return "", refuse(http.StatusNotFound, "%s is not in the store: no such entry is known of its archive (\"laundromat show %s\" lists "+
		"its entries)", seedlist.Shown(ref), outer)
}

// Begins are seeds whose key or URI begins with what was typed; not all of many.
func (c *Client) Begins(ctx context.Context, typed string) (found []web.Beginning, err error) {
	err = c.Get(ctx, "/begins", url.Values{"typed": {typed}}, &found)
	return found, err
}

// meant is the one key that begins with ref, or an error that says what may have been meant.
func (c *Client) meant(ctx context.Context, ref string) (string, error) {
	var found web.Meant
	if err := c.Get(ctx, "/meant", url.Values{"ref": {ref}}, &found); err != nil && !isRefusal(err) {
		return "", err
	}
	shown := seedlist.Shown(ref)
	switch {
	case len(found.Hashes) == 1:
		return found.Hashes[0], nil
	case len(found.Hashes) > 1:
		return "", refuse(http.StatusBadRequest, "%s is the beginning of several keys: %s", shown, strings.Join(found.Hashes, ", "))
	}
	what := "no seed has the URI " + shown
	if IsHash(ref) {
		what = "no seed has the hash " + shown
	} else if web.IsPrefix(ref) {
		what = "no seed has a hash that begins with " + shown
	}
	add := ""
	if uri, err := seedlist.ParseURI(ref); err == nil && !uri.Relative {
		add = "; \"laundromat seed add " + shown + "\" adds it"
	}
	if found.Nearest != "" {
		return "", refuse(http.StatusNotFound, "%s; the nearest is %s%s", what, found.Nearest, add)
	}
	return "", refuse(http.StatusNotFound, "%s (\"laundromat seed list\" lists all)%s", what, add)
}

// hashOf is the hash that the function HashOf returns, whether or not a seed has it. An entry may be
// given by its name as it is shown, though its bytes in the archive are no UTF-8. Then
// it is the hash of the entry that is there.
func (c *Client) hashOf(ctx context.Context, ref string) (string, error) {
	outer, inner, member := strings.Cut(ref, "!/")
	hash, err := HashOf(outer)
	if err != nil || !member {
		return HashOf(ref)
	}
	for entry := range strings.SplitSeq(inner, "!/") {
		parent := hash
		hash = seedlist.ChildKey(parent, entry, 1)
		if !isOfOneSpelling(entry) && !c.knows(ctx, hash) {
			for _, name := range append([]string{unescaped(entry)}, encoding.FileNameBytes(entry)...) {
				if other := seedlist.ChildKey(parent, name, 1); c.knows(ctx, other) {
					hash = other
					break
				}
			}
		}
	}
	return hash, nil
}

// isOfOneSpelling says that a name is written in one way only, whatever the encoding.
func isOfOneSpelling(entry string) bool {
	return strings.IndexFunc(entry, func(r rune) bool { return r >= 0x80 }) < 0 && !strings.Contains(entry, `\x`)
}

// unescaped reads bytes that are written as \xHH, as they are shown where no encoding was found.
func unescaped(entry string) string {
	var b strings.Builder
	for {
		before, escape, found := strings.Cut(entry, `\x`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		n, err := strconv.ParseUint(escape[:min(2, len(escape))], 16, 8)
		if err != nil || len(escape) < 2 {
			b.WriteString(`\x`)
			entry = escape
			continue
		}
		b.WriteByte(byte(n))
		entry = escape[2:]
	}
}

// knows says that the list has a seed of the hash, also where its record can't be read: who asks for that
// is told why.
func (c *Client) knows(ctx context.Context, hash string) bool {
	err := c.Get(ctx, "/seeds/"+hash, nil, &struct{}{})
	var refused *Error
	return err == nil || errors.As(err, &refused) && refused.Status == http.StatusInternalServerError
}

// IsHash says that s is a hash: 32 hexadecimal digits in lower case.
func IsHash(s string) bool {
	if len(s) != 32 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}

// refuse is an error about what a person named.
func refuse(status int, format string, args ...any) error {
	return &Error{Status: status, Err: fmt.Errorf(format, args...)}
}
