//go:build !unix

package token

import "io/fs"

// isOpen is false where the mode of a file does not say it.
func isOpen(fs.FileInfo) bool { return false }
