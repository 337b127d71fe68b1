//go:build unix

package token

import "io/fs"

// isOpen says that others than the owner may read or write a file.
func isOpen(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
