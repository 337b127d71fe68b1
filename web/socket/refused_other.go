//go:build !unix

package socket

// isRefused is not known here: no socket is taken for a stray one.
func isRefused(error) bool { return false }
