package disk

import (
	"errors"
	"os"
)

// SyncFolder makes durable which files a folder has, by which names.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
