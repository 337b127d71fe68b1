package digest

import (
	"crypto/md5"
	"encoding/hex"
	"strconv"
)

// EntryKey is the key of the n-th entry (from 1) called name in the archive whose key is
// parent: an MD5 in lower-case hex. The bytes of name are taken as they are, in whatever
// encoding.
func EntryKey(parent, name string, n int) string {
	s := parent + " " + name
	if n >= 2 {
		s += "\x00" + strconv.Itoa(n)
	}
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}
