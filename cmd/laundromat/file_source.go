package main

import (
	"io"
	"os"

	"laundromat/archive"
)

// fileSource makes a source of an open file, whose size is that of now. The file
// must stay open as long as the source is used.
func fileSource(file *os.File) (archive.Source, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(file, 0, info.Size()), nil
}
