package files

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"laundromat/internal/fault"
)

// committed is a store whose syncs are watched, and files that are to be committed to it.
type committed struct {
	*Folder
	t *testing.T

	mu    sync.Mutex
	files map[string]bool // temporary files whose content is durable
	names map[string]bool // folders, and files that were in them, whose names are durable
	trouble,
	syncs atomic.Int64
}

func watch(t *testing.T) *committed {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := &committed{Folder: s, t: t, files: map[string]bool{}, names: map[string]bool{}}
	s.sync = func(files, folders []string) error {
		c.syncs.Add(1)
		if c.trouble.Add(-1) == 0 {
			return errors.New("the disk has trouble")
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, path := range files {
			c.files[path] = true
		}
		for _, folder := range folders {
			c.names[folder] = true
			entries, err := os.ReadDir(folder)
			if err != nil {
				return err
			}
			for _, e := range entries {
				c.names[filepath.Join(folder, e.Name())] = true
			}
		}
		return nil
	}
	return c
}

func (c *committed) sealed(name string) *pendingFile {
	p, err := c.Create()
	if err != nil {
		c.t.Error(err)
		return nil
	}
	sum := md5.Sum([]byte(name))
	if _, err := p.Write([]byte(name)); err != nil {
		c.t.Error(err)
	}
	if err := p.Seal(hex.EncodeToString(sum[:]), Dirty); err != nil {
		c.t.Error(err)
	}
	return p.(*pendingFile)
}

// commitMany commits files from many goroutines; ended is called for each call of Commit.
func (c *committed) commitMany(ended func(*pendingFile, error)) {
	var wait sync.WaitGroup
	for g := range 32 {
		wait.Go(func() {
			for i := range 20 {
				p := c.sealed(fmt.Sprint(g, " ", i))
				if p == nil {
					return
				}
				ended(p, c.Commit(c.t.Context(), p))
			}
		})
	}
	wait.Wait()
}

// TestCommitReturnsWhenContentAndNameAreDurable holds the order in which commits that
// share their syncs are done.
func TestCommitReturnsWhenContentAndNameAreDurable(t *testing.T) {
	c := watch(t)
	c.commitMany(func(p *pendingFile, err error) {
		if err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.files[p.path] {
			t.Error("what the file holds is not durable")
		}
		folder := filepath.Dir(p.target)
		if !c.names[p.target] || !c.names[folder] || !c.names[filepath.Dir(folder)] {
			t.Error("the name is not durable")
		}
	})
	if n := c.syncs.Load(); n > 640 {
		t.Errorf("%d syncs for 640 files of 32 goroutines", n)
	}
}

// TestFileHasItsNameOnlyOnceItsContentIsDurable looks at each sync whether a file that is
// synced is under its name already.
func TestFileHasItsNameOnlyOnceItsContentIsDurable(t *testing.T) {
	c := watch(t)
	inner := c.sync
	var targets sync.Map
	c.sync = func(files, folders []string) error {
		for _, path := range files {
			target, _ := targets.Load(path)
			if _, err := os.Stat(target.(string)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%v before the content was durable", err)
			}
		}
		return inner(files, folders)
	}
	var wait sync.WaitGroup
	for g := range 32 {
		wait.Go(func() {
			for i := range 20 {
				p := c.sealed(fmt.Sprint(g, " ", i))
				targets.Store(p.path, p.target)
				if err := c.Commit(t.Context(), p); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// TestTroubleOfADiskIsToldToAllWhoShareASync lets one sync fail, and counts.
func TestTroubleOfADiskIsToldToAllWhoShareASync(t *testing.T) {
	c := watch(t)
	c.trouble.Store(10)
	var failed, good atomic.Int64
	c.commitMany(func(p *pendingFile, err error) {
		c.mu.Lock()
		durable := c.files[p.path] && c.names[p.target]
		c.mu.Unlock()
		switch {
		case err == nil && !durable:
			t.Error("a commit is said to be done that is not")
		case err == nil:
			good.Add(1)
		case fault.KindOf(err) != fault.Local:
			t.Error(err)
		default:
			failed.Add(1)
		}
	})
	if failed.Load() == 0 || good.Load() == 0 {
		t.Errorf("%d failed, %d are good", failed.Load(), good.Load())
	}
	if entries, err := os.ReadDir(c.temp); err != nil || len(entries) > 0 {
		t.Errorf("%d temporary files, %v", len(entries), err)
	}
}
