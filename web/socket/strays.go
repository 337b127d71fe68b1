package socket

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// youngest is how old a folder of a socket must be to be taken for a stray one. A daemon that starts
// makes the folder a moment before the socket listens.
const youngest = time.Minute

// Strays are the folders of sockets of this user at which no daemon listens. One was killed, and none was
// started since that would have removed it. None is younger than the time before, or than a minute.
// They are looked for where [Listen] makes those of a daemon that serves dir.
func Strays(dir string, before time.Time) (folders []string) {
	if latest := time.Now().Add(-youngest); before.After(latest) {
		before = latest
	}
	for _, place := range places(dir) {
		entries, err := os.ReadDir(place)
		if err != nil {
			continue
		}
		for _, e := range entries {
			digits, ok := strings.CutPrefix(e.Name(), socketFolder)
			if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" || !e.IsDir() {
				continue
			}
			if folder := filepath.Join(place, e.Name()); isStray(folder, before) {
				folders = append(folders, folder)
			}
		}
	}
	return folders
}

// isStray says that a folder holds nothing but a socket at which nobody listens.
func isStray(folder string, before time.Time) bool {
	info, err := os.Lstat(folder)
	if err != nil || info.ModTime().After(before) || info.Mode().Perm() != 0o700 {
		return false
	}
	entries, err := os.ReadDir(folder) // fails in folders of others
	if err != nil || len(entries) > 1 {
		return false
	}
	if len(entries) == 0 {
		return true
	}
	if entries[0].Name() != socketName || entries[0].Type()&fs.ModeSocket == 0 {
		return false
	}
	short, release, err := shorten(filepath.Join(folder, socketName))
	if err != nil {
		return false
	}
	defer release()
	connection, err := net.DialTimeout("unix", short, time.Second)
	if err == nil {
		connection.Close()
		return false
	}
	return isRefused(err)
}

// RemoveStray removes a folder that Strays named.
func RemoveStray(folder string) error {
	if err := os.Remove(filepath.Join(folder, socketName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(folder)
}
