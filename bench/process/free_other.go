//go:build !linux && !darwin && !freebsd

package process

// Free is not known.
func Free(string) int64 { return -1 }
