package inputs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"laundromat/archive"
	"laundromat/internal/inflate"
)

// CleanFile is a file of clean statements, which may be in gzip.
type CleanFile struct {
	Name string
	Open func() (io.ReadCloser, error) // opens its lines from their beginning
}

// cleanNames are the ends of the names of clean files.
var cleanNames = []string{".nq", ".nt", ".nq.gz", ".nt.gz"}

// CleanFiles are the clean files that the arguments name. Of folders they are those that have the name of one, without
// those among outputs; ignored is called with the other names of a folder.
func CleanFiles(ctx context.Context, args []string, outputs []os.FileInfo,
	ignored func(folder string, names []string)) (all []CleanFile, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		names := []string{arg}
		if info.IsDir() {
			var others []string
			if names, others, err = under(arg, outputs); err != nil {
				return nil, err
			}
			names = slices.DeleteFunc(names, func(name string) bool {
				isClean := slices.ContainsFunc(cleanNames, func(end string) bool { return strings.HasSuffix(name, end) })
				if !isClean {
					others = append(others, name)
				}
				return !isClean
			})
			if len(others) > 0 {
				ignored(arg, others)
			}
		}
		if slices.ContainsFunc(outputs, func(output os.FileInfo) bool { return os.SameFile(info, output) }) {
			return nil, &WrittenError{arg}
		}
		for _, name := range names {
			all = append(all, CleanFile{name, func() (io.ReadCloser, error) {
				file, err := OpenFile(ctx, name)
				if err != nil {
					return nil, err
				}
				return Unpacked(file)
			}})
		}
	}
	return all, nil
}

// WrittenError reports an input that is an output, too.
type WrittenError struct{ Name string }

func (e *WrittenError) Error() string { return e.Name + " is read and written" }

// OpenClean opens a clean file that may be read several times. A pipe, or the input "-", is held in memory or a file
// of the folder temp, which spooled closes; it is nil for others.
func OpenClean(ctx context.Context, name string, stdin io.Reader, temp string) (lines func() (io.ReadCloser, error), spooled io.Closer,
	err error) {
	from := stdin
	if name != "-" {
		file, err := OpenFile(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		info, err := file.Stat()
		if err == nil && info.IsDir() {
			err = fmt.Errorf("%s is a folder", name)
		}
		if err != nil || info.Mode().IsRegular() {
			return func() (io.ReadCloser, error) {
				again, err := os.Open(name)
				if err != nil {
					return nil, err
				}
				return Unpacked(again)
			}, nil, errors.Join(err, file.Close())
		}
		defer file.Close()
		from = NewInterruptible(ctx, file)
	}
	held, err := archive.Spool(ctx, from, temp, heldMemory)
	if err != nil {
		return nil, nil, err
	}
	return func() (io.ReadCloser, error) {
		return Unpacked(io.NopCloser(io.NewSectionReader(held, 0, held.Size())))
	}, held, nil
}

// gzipMagic is the beginning of gzip.
var gzipMagic = []byte{0x1F, 0x8B}

// Unpacked reads gzip where it begins so, and anything else as it is.
func Unpacked(file io.ReadCloser) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(file, 64<<10)
	head, _ := in.Peek(len(gzipMagic)) // an error comes again
	if !bytes.Equal(head, gzipMagic) {
		return struct {
			io.Reader
			io.Closer
		}{in, file}, nil
	}
	z, err := inflate.NewMembers(in)
	if err != nil {
		file.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{z, file}, nil
}
