package files

import (
	"fmt"
	"strconv"
	"strings"
)

// Key names a file of a seed, up to its suffix: the hash of the seed, and behind a stroke a fence. That is of
// the claim that wrote the file. The fence 0 is none: the hash alone, which also names a file by what it holds.
//
// The files of two claims are apart by it. So what is served stays beside what came since, and a worker that has lost
// its claim never writes over what its successor wrote.
func Key(hash string, fence uint64) string {
	if fence == 0 {
		return hash
	}
	return hash + keyMark + strconv.FormatUint(fence, 10)
}

const keyMark = "/"

// SplitKey gives back what Key was given.
func SplitKey(key string) (hash string, fence uint64, err error) {
	hash, number, isFenced := strings.Cut(key, keyMark)
	if !isHash(hash) {
		return "", 0, fmt.Errorf("files: %q is not a hash", key)
	}
	if isFenced {
		fence, err = strconv.ParseUint(number, 10, 64)
		if err != nil || Key(hash, fence) != key {
			return "", 0, fmt.Errorf("files: %q is not a hash with a fence", key)
		}
	}
	return hash, fence, nil
}

// HashOf is the hash of a key.
func HashOf(key string) string {
	hash, _, _ := strings.Cut(key, keyMark)
	return hash
}
