package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// commit is one call of Commit; several are done together.
type commit struct {
	pending []*pendingFile
	folders []string // whose names are to be made durable
	done    chan struct{}
	err     error
}

// Commit puts sealed files on the disk under their names; when it returns nil they
// survive a loss of power. The steps are: what the files hold is made durable, they
// are renamed, their names are made durable. A clean file or an index that is there
// already with the same bytes is kept. One with others is damaged, or was packed otherwise;
// it is replaced as a whole, as any other file is.
//
// With an error, the files of this call are given up; some may be under their
// names, whole, without a record. A context that ends while the call waits for its
// turn ends the call; once its turn has come it is finished.
func (s *Folder) Commit(ctx context.Context, pending ...Pending) error {
	sealed := make([]*pendingFile, len(pending))
	for i, p := range pending {
		file, ok := p.(*pendingFile)
		if !ok || !file.sealed || file.ended || file.store != s {
			return errors.New("files: only a sealed file can be committed, once")
		}
		sealed[i] = file
	}
	if len(pending) == 0 {
		return nil
	}
	for _, p := range sealed {
		// In a folder that is not known yet there is most often nothing: [Folder.rename] sees.
		if p.isCompared = p.suffix.named() && s.knowsFolder(p.hash); p.isCompared {
			p.isThere = isSameFile(p.path, p.target)
		}
	}
	c := &commit{pending: sealed, done: make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, c)
	s.mu.Unlock()
	for ended := ctx.Done(); ; {
		select {
		case <-c.done:
			return c.err
		case s.turn <- struct{}{}: // ours, for all who wait, until we are done
			for !c.isDone() {
				s.commit()
			}
			<-s.turn
			return c.err
		case <-ended:
			if s.withdraw(c) {
				c.abort()
				return ctx.Err()
			}
			ended = nil
		}
	}
}

func (c *commit) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// withdraw takes c from those who wait; it reports false if c's turn has come.
func (s *Folder) withdraw(c *commit) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, c)
	if i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	return i >= 0
}

func (c *commit) abort() {
	for _, p := range c.pending {
		p.Abort()
	}
}

// end reports to the caller what became of its commit.
func (c *commit) end(err error) {
	if c.err == nil {
		c.err = err
	}
	if c.err != nil {
		c.err = local("files.Commit", c.err)
		c.abort()
	}
	close(c.done)
}

// commit does half of what Commit promises for all who wait, and the other half for those
// whose files were renamed before. The contents of the first and the names of the second are
// made durable together, since a disk does both in the time of one. Who calls it has the turn.
func (s *Folder) commit() {
	s.mu.Lock()
	group := s.waiting
	s.waiting = nil
	s.mu.Unlock()
	renamed := s.renamed
	s.renamed = nil

	var paths, folders []string
	for _, c := range group {
		for _, p := range c.pending {
			paths = append(paths, p.path)
		}
	}
	for _, c := range renamed {
		folders = append(folders, c.folders...)
	}
	slices.Sort(folders)
	err := s.sync(paths, slices.Compact(folders))
	for _, c := range renamed {
		c.end(err)
	}
	for _, c := range group {
		if c.err = err; c.err == nil {
			c.folders, c.err = s.rename(c)
		}
		if c.err != nil {
			c.end(nil)
			continue
		}
		s.renamed = append(s.renamed, c)
	}
}

// rename gives the files of c their names, and returns the folders that changed.
func (s *Folder) rename(c *commit) (folders []string, err error) {
	made := "" // of this commit, the last: there is nothing in it but what it put there
	for _, p := range c.pending {
		folder := filepath.Dir(p.target)
		folders = append(folders, folder)
		if s.makeFolder(folder, p.hash) {
			folders = append(folders, filepath.Dir(folder), s.dir)
			made = folder
		}
		if p.suffix.named() && !p.isCompared && folder != made {
			p.isThere = isSameFile(p.path, p.target)
		}
		if p.isThere {
			p.Abort()
			continue
		}
		err := rename(p.path, p.target)
		if errors.Is(err, fs.ErrNotExist) {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				return folders, err
			}
			folders = append(folders, filepath.Dir(folder), s.dir)
			err = rename(p.path, p.target)
		}
		if err != nil {
			return folders, err
		}
		p.end()
	}
	return folders, nil
}

// isSameFile says that two files are there and hold the same bytes.
func isSameFile(a, b string) bool {
	is, err := os.Stat(b)
	if err != nil {
		return false
	}
	made, err := os.Stat(a)
	if err != nil || made.Size() != is.Size() {
		return false
	}
	if os.SameFile(made, is) {
		return true
	}
	first, err := os.Open(a)
	if err != nil {
		return false
	}
	defer first.Close()
	second, err := os.Open(b)
	if err != nil {
		return false
	}
	defer second.Close()
	return isSameText(first, second)
}

// isSameText says that two readers give the same bytes, and end without an error.
func isSameText(a, b io.Reader) bool {
	var one, other [64 << 10]byte
	for {
		n, err := io.ReadFull(a, one[:])
		m, again := io.ReadFull(b, other[:])
		switch {
		case n != m || !bytes.Equal(one[:n], other[:m]) || err != again:
			return false
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return true
		case err != nil:
			return false
		}
	}
}

// makeFolder makes the folder of a hash, unless an earlier look found it. In a growing store, each of the first
// 65,536 or so files has a new folder. It says that it made it; what goes wrong shows when the file is named. Who
// calls it has the turn.
func (s *Folder) makeFolder(folder, hash string) bool {
	number, ok := folderNumber(hash)
	if !ok || s.knowsFolder(hash) {
		return false
	}
	err := os.Mkdir(folder, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(folder, 0o700)
	}
	if err == nil || errors.Is(err, fs.ErrExist) {
		s.folders[number/64].Or(1 << (number % 64))
	}
	return err == nil
}

// knowsFolder says that the folder of a hash is known to be there.
func (s *Folder) knowsFolder(hash string) bool {
	number, ok := folderNumber(hash)
	return ok && s.folders[number/64].Load()&(1<<(number%64)) != 0
}

// folderNumber is the number of the folder of a hash.
func folderNumber(hash string) (number uint64, ok bool) {
	number, err := strconv.ParseUint(hash[:4], 16, 16)
	return number, err == nil
}

// Sync makes a file, or the names in a folder, durable.
func Sync(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	err = syncOpen(file)
	return errors.Join(err, file.Close())
}
