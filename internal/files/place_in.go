package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// PlaceIn is [Folder.Place] at the place that the file has in the store of another data folder.
func (s *Folder) PlaceIn(dir, hash string, suffix Suffix, copied bool) (Placed, error) {
	other := Folder{dir: filepath.Join(dir, "blobs")}
	path, err := other.path(hash, suffix)
	if err != nil {
		return Placed{}, err
	}
	return s.Place(hash, suffix, path, copied)
}

// IsIn says whether the store of another data folder has a file of the name. With isSame it is this one: a link,
// or a copy of what it is now.
func (s *Folder) IsIn(dir, hash string, suffix Suffix) (isThere, isSame bool, err error) {
	other := Folder{dir: filepath.Join(dir, "blobs")}
	var infos [2]os.FileInfo
	for i, of := range []*Folder{s, &other} {
		path, err := of.path(hash, suffix)
		if err != nil {
			return false, false, err
		}
		if infos[i], err = os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			infos[i] = nil
		} else if err != nil {
			return false, false, local("files.IsIn", err)
		}
	}
	from, there := infos[0], infos[1]
	if from == nil || there == nil {
		return there != nil, false, nil
	}
	return true, os.SameFile(from, there) || from.Size() == there.Size() && from.ModTime().Equal(there.ModTime()), nil
}
