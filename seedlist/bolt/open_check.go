package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// openFile opens the file, and looks at its structure before the library does. What was opened is locked
// first, so that no other process changes what is looked at.
func openFile(path string, options *seedlist.Options) (db *bbolt.DB, file *os.File, head string, err error) {
	var refused error
	open := func(name string, flag int, mode os.FileMode) (*os.File, error) {
		if file != nil {
			return os.OpenFile(name, flag, mode)
		}
		opened, err := os.OpenFile(name, flag, mode)
		if err != nil {
			return nil, err
		}
		if err := lockFile(opened, !options.ReadOnly, options.LockWait); err != nil {
			opened.Close()
			return nil, err
		}
		if head, refused = checkBeforeOpen(opened, path, options.ReadOnly); refused != nil {
			opened.Close()
			return nil, refused
		}
		file = opened
		return opened, nil
	}
	list := filepath.Base(path)
	err = guarded(list, func() error {
		db, err = bbolt.Open(path, 0o600, &bbolt.Options{
			Timeout:         options.LockWait,
			ReadOnly:        options.ReadOnly,
			FreelistType:    bbolt.FreelistMapType,
			InitialMmapSize: initialMap(options.ReadOnly),
			OpenFile:        open,
		})
		return err
	})
	var damage *seedlist.Damage
	switch {
	case err == nil:
		return db, file, head, nil
	case refused != nil:
		return nil, nil, "", refused
	case errors.Is(err, berrors.ErrTimeout):
		return nil, nil, "", &LockedError{PID: readPID(pidPath(path))}
	case errors.As(err, &damage):
		abandon(file) // the library was ended in the middle
		return nil, nil, "", damage
	}
	return nil, nil, "", fault.New("seedlist.Open", fault.Local, fault.LocalDisk, "open the seed list %s: %w", list, err)
}

// lockPause is how long a process waits that holds no lock yet, before it asks again.
const lockPause = 20 * time.Millisecond

// checkBeforeOpen looks at the structure of a file: its heads, its length, the pages that lead to
// others, and for who writes the free ones. It reads some hundredth of the file. What can be read
// around is no error for who only reads; what says which head is damaged is returned.
func checkBeforeOpen(file *os.File, path string, readOnly bool) (badHead string, err error) {
	list := filepath.Base(path)
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() == 0 {
		if readOnly {
			return "", seedlist.ErrNoStore
		}
		return "", nil
	}
	pages, err := openPages(file, info.Size())
	if err != nil {
		return "", &seedlist.Damage{List: list, Why: "it " + err.Error(), Lost: "all of it"}
	}
	if len(pages.bad) > 0 {
		badHead = pages.badHead()
	}
	if cut := pages.cut(); cut != nil && !readOnly {
		cut.List = list
		return "", cut
	}
	walk := pages.walk(true, nil)
	for _, f := range walk.faults {
		if f.isUnsafe || !readOnly {
			return "", f.damage(list)
		}
	}
	return badHead, nil
}

// badHead says what a damaged head means. A head is torn when the power goes while it is written: then
// nobody was told that its transaction had ended.
func (f *pageFile) badHead() string {
	return fmt.Sprintf("head %d can't be read, and the other one is used", f.bad[0])
}

const lostWithHead = "the last transaction, if the damaged head was the newer one"

// cut says how much of the file is missing at its end; nil if nothing is.
func (f *pageFile) cut() *seedlist.Damage {
	length := int64(f.pages) * int64(f.pageSize)
	if f.size >= length {
		return nil
	}
	return &seedlist.Damage{
		Why:  fmt.Sprintf("it has %d bytes, and %d belong to it: it was cut short", f.size, length),
		Lost: fmt.Sprintf("what was in the last %d of its %d pages", (length-f.size+int64(f.pageSize)-1)/int64(f.pageSize), f.pages),
	}
}

// damage is what a fault of a tree means for who reads.
func (f *pageFault) damage(list string) *seedlist.Damage {
	d := &seedlist.Damage{List: list, Why: f.why.Error()}
	var ofPage *errPage
	if errors.As(f.why, &ofPage) {
		d.Place, d.Why = fmt.Sprintf("page %d", ofPage.id), ofPage.why
	}
	d.Lost = f.lost()
	return d
}

// lost says which keys of which bucket are behind a fault.
func (f *pageFault) lost() string {
	switch f.bucket {
	case "":
		return "where parts of the list begin"
	case freeBucket:
		return "which pages are free, and no record"
	}
	of, isNumbered := summed[slices.Index(bucketNames[:], f.bucket)]
	if !isNumbered {
		return "a part of the index " + f.bucket + ", which is made of the records"
	}
	from, to := "the first", "the last"
	if len(f.low) == 8 {
		from = fmt.Sprint(lastNumber(f.low))
	}
	if len(f.high) == 8 {
		to = fmt.Sprint(lastNumber(f.high) - 1)
	}
	return of.all + " from " + from + " to " + to
}

// Missing says that there is no seed list at path, or an empty file.
func Missing(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	}
	return info.Size() == 0, nil
}
