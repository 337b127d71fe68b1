package daemon

import (
	"context"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"io"
	"maps"
	"strings"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
	"laundromat/states"
)

// otherDigests are the checksums that catalogs give, other than those that are always taken.
var otherDigests = map[string]func() hash.Hash{"sha1": sha1.New, "sha384": sha512.New384, "sha512": sha512.New}

// claimedOfBytes are warnings for what a catalog claims of a seed's bytes and their
// reply, and is not so.
func (r *Runner) claimedOfBytes(ctx context.Context, seed seedlist.Seed) ([]fault.Notice, error) {
	if len(seed.Claims) == 0 || seed.Parent != "" {
		return nil, nil
	}
	found := foundOfBytes(seed.Record)
	algorithm, _, _ := strings.Cut(seed.Claims[catalog.Checksum], ":")
	if digest := otherDigests[algorithm]; digest != nil && found.Bytes >= 0 {
		source, err := r.openDirty(ctx, seed)
		if err != nil {
			return nil, err
		}
		defer source.Close()
		sum := digest()
		if _, err := io.Copy(sum, states.WithContext(ctx, io.NewSectionReader(source, 0, source.Size()))); err != nil {
			return nil, err
		}
		found.Digest[algorithm] = hex.EncodeToString(sum.Sum(nil))
	}
	return catalog.Differences(seed.Claims, found), nil
}

// foundOfBytes is what a record says of the bytes as they came. What a server had
// encoded on the way is not the file that a catalog speaks of.
func foundOfBytes(record seedlist.Record) catalog.Found {
	found := catalog.Found{Bytes: -1, Written: -1, Digest: map[string]string{}}
	header := func(name string) string {
		if reply := lastReply(record); reply != nil && len(reply.Headers[name]) > 0 {
			return reply.Headers[name][0]
		}
		return ""
	}
	found.ContentType, found.LastModified = header("content-type"), header("last-modified")
	if coding := strings.ToLower(header("content-encoding")); record.Content != nil && (coding == "" || coding == "identity") {
		found.Bytes = record.Content.NumberOfBytes
		found.Digest["md5"], found.Digest["sha256"] = record.Content.MD5, record.Content.SHA256
	}
	return found
}

// claimedOfReading are warnings for what a catalog claims of a document and its
// reading shows not to be so.
func claimedOfReading(record seedlist.Record, f format.Format, written int64) []fault.Notice {
	if len(record.Claims) == 0 || record.Parent != "" {
		return nil
	}
	return catalog.Differences(record.Claims, catalog.Found{Bytes: -1, Format: f, Written: written})
}

// claimsStand says that a record has the warnings that its claims call for. If a catalog claims
// something else now, the same bytes are washed again.
func claimsStand(record seedlist.Record) bool {
	had, calledFor := map[fault.Code]bool{}, map[fault.Code]bool{}
	for code := range record.Notices {
		if strings.HasPrefix(string(code), "claim/") {
			had[code] = true
		}
	}
	found := foundOfBytes(record)
	if record.Statements != nil {
		found.Format, found.Written = format.Format(record.Format), record.Statements.Written
	}
	for _, n := range catalog.Differences(record.Claims, found) {
		calledFor[n.Code] = true
	}
	if algorithm, _, _ := strings.Cut(record.Claims[catalog.Checksum], ":"); otherDigests[algorithm] != nil && had[fault.ClaimChecksum] {
		calledFor[fault.ClaimChecksum] = true // the bytes are the same, and so is their digest
	}
	return maps.Equal(had, calledFor)
}
