// Package backup saves a data folder, and brings it back.
//
// A backup is a folder, or a tar file of one: the seed list as it was at one moment, a list of the files, and the
// files. [Save] works while a daemon runs. [Restore] refuses a list that is damaged, and keeps the list that it
// replaces.
package backup

import (
	"archive/tar"
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/states/daemon"
	"laundromat/storage"
)

// filesList is the list of files in a backup: a line of JSON each.
const filesList = "files.jsonl"

// savedFile is a line of it.
type savedFile struct {
	Hash   string       `json:"hash"`
	Suffix files.Suffix `json:"file"`
	Bytes  int64        `json:"number_of_bytes"`
}

// Options are those of a backup.
type Options struct {
	// Copied copies the files, also where links would do.
	Copied bool
	// NoFiles saves the seed list and the list of files alone.
	NoFiles bool
	// Secrets saves the file of secrets by host, if there is one.
	Secrets bool
	// Snapshot opens the seed list as it is at one moment.
	Snapshot func(ctx context.Context) (io.ReadCloser, error)
	// Note is called with what a person should know meanwhile.
	Note func(format string, args ...any)
}

// Saved is what a backup holds.
type Saved struct {
	To     string `json:"to"`
	Seeds  int64  `json:"seeds"`
	Files  int64  `json:"files"`
	Linked int64  `json:"linked"` // of these, in place of a copy
	// NoFiles says that the files are listed alone, and that the backup does not hold them.
	NoFiles bool  `json:"no_files,omitempty"`
	Bytes   int64 `json:"number_of_bytes"`
	Changed int64 `json:"changed"` // seeds whose files were replaced meanwhile, and do not fit
}

// backup is the work of Save.
type backup struct {
	Options
	dir    string // the data folder
	folder string // that is filled
	blobs  *files.Folder
	// elsewhere is the object store that holds the files, which are not saved then; nil if the folder does.
	elsewhere storage.Files
	did       Saved
}

// Save saves the data folder dir as the new folder, or the new tar file, to.
func Save(ctx context.Context, dir, to string, options Options) (Saved, error) {
	b := backup{Options: options, dir: dir}
	if err := storage.OnlyInFolder(dir, "backup", "pg_dump saves that"); err != nil {
		return b.did, err
	}
	b.blobs = files.OpenToRead(b.dir)
	at, err := storage.BlobsAddress(b.dir)
	if err != nil {
		return b.did, err
	}
	if at != nil {
		if b.elsewhere, err = storage.OpenFilesToRead(ctx, b.dir); err != nil {
			return b.did, err
		}
		defer b.elsewhere.Close()
		b.NoFiles = true
		b.Note("the files are in %s and are not saved: the backup lists them, and where they are", at)
	}
	if b.Secrets && strings.HasSuffix(to, ".tar") {
		b.Note("the backup holds secrets: keep %s for its owner alone", to)
	}
	isTar := strings.HasSuffix(to, ".tar")
	parent := filepath.Dir(to)
	if isTar && !b.NoFiles {
		parent = b.dir // where files can be linked, until they are in the tar file
	}
	if b.folder, err = os.MkdirTemp(parent, storage.Unfinished+"*"); err != nil {
		return b.did, err
	}
	defer os.RemoveAll(b.folder)
	if err := b.fill(ctx); err != nil {
		return b.did, err
	}
	if b.Secrets {
		if err := copySecrets(b.dir, b.folder); err != nil {
			return b.did, err
		}
	}
	if isTar {
		err = writeTar(b.folder, to)
		b.did.Linked = 0 // they were until now
	} else if err = os.Rename(b.folder, to); err == nil {
		err = files.Sync(parent)
	}
	if err != nil {
		return b.did, err
	}
	b.did.To, b.did.NoFiles = to, b.NoFiles
	if err := noteSaved(dir, time.Now()); err != nil {
		b.Note("the backup is complete, but its time could not be written into %s: %v", dir, err)
	}
	return b.did, nil
}

// fill makes the folder a backup. A file may be replaced while it is filled. So the files are linked before the
// moment that the list is of, and those that are new after it. Of those that were replaced
// meanwhile, the list decides which it means.
func (b *backup) fill(ctx context.Context) error {
	if err := b.place(ctx, nil); err != nil {
		return err
	}
	list := filepath.Join(b.folder, storage.ListFile)
	if err := b.snapshot(ctx, list); err != nil {
		return err
	}
	if err := bolt.Sound(ctx, list); err != nil {
		return fmt.Errorf("nothing was saved: %w", err)
	}
	var replaced []string
	if err := b.place(ctx, &replaced); err != nil {
		return err
	}
	if err := b.settle(ctx, list, replaced); err != nil {
		return err
	}
	return b.listFiles(ctx)
}

// place links or copies files that are not in the backup yet. Those that are there as others are collected.
func (b *backup) place(ctx context.Context, replaced *[]string) error {
	if b.NoFiles {
		return nil
	}
	return b.blobs.Walk(ctx, func(hash string, suffix files.Suffix, _ int64) error {
		isThere, isSame, err := b.blobs.IsIn(b.folder, hash, suffix)
		switch {
		case err != nil:
			return err
		case isThere && !isSame && replaced != nil:
			*replaced = append(*replaced, hash)
			return nil
		case isThere:
			return nil
		}
		placed, err := b.blobs.PlaceIn(b.folder, hash, suffix, b.Copied)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was removed meanwhile
		}
		if err == nil && !placed.Copied {
			b.did.Linked++
		}
		return err
	})
}

func (b *backup) snapshot(ctx context.Context, path string) error {
	stream, err := b.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer stream.Close()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, stream)
	return errors.Join(err, file.Sync(), file.Close())
}

// settle holds the seeds whose files were replaced meanwhile against the list. It takes the newer file where
// the list means that.
func (b *backup) settle(ctx context.Context, list string, replaced []string) error {
	seeds, err := bolt.Open(list, seedlist.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer seeds.Close()
	counts, err := seeds.Counts(ctx)
	if err != nil {
		return err
	}
	b.did.Seeds = counts.Seeds
	saved := files.OpenToRead(b.folder)
	for _, hash := range replaced {
		seed, err := seeds.Record(ctx, hash)
		if errors.Is(err, seedlist.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		isWhole, err := daemon.IsWhole(ctx, seeds, saved, &seed)
		if err == nil && !isWhole {
			for _, suffix := range files.Suffixes() {
				if _, err := b.blobs.PlaceIn(b.folder, hash, suffix, b.Copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
			isWhole, err = daemon.IsWhole(ctx, seeds, saved, &seed)
		}
		if err != nil {
			return err
		}
		if !isWhole {
			b.did.Changed++
		}
	}
	return nil
}

// listFiles writes the list of the files; without these, of those that the data folder has.
func (b *backup) listFiles(ctx context.Context) error {
	file, err := os.OpenFile(filepath.Join(b.folder, filesList), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	var of files.Upkeep = files.OpenToRead(b.folder)
	switch {
	case b.elsewhere != nil:
		of = b.elsewhere
		if err := copyFile(filepath.Join(b.dir, storage.BlobsAddressFile), filepath.Join(b.folder, storage.BlobsAddressFile)); err != nil {
			return err
		}
	case b.NoFiles:
		of = b.blobs
	}
	err = of.Walk(ctx, func(hash string, suffix files.Suffix, size int64) error {
		b.did.Files++
		b.did.Bytes += size
		return lines.Encode(savedFile{hash, suffix, size})
	})
	return errors.Join(err, out.Flush(), file.Sync(), file.Close())
}

// writeTar writes a folder as a tar file, which takes its name when it is complete.
func writeTar(folder, to string) error {
	out, err := os.CreateTemp(filepath.Dir(to), ".backup-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	buffered := bufio.NewWriterSize(out, 1<<20)
	packed := tar.NewWriter(buffered)
	err = packed.AddFS(os.DirFS(folder))
	err = errors.Join(err, packed.Close(), buffered.Flush(), out.Sync(), out.Close())
	if err != nil {
		return err
	}
	if err := os.Link(out.Name(), to); err != nil { // never over another file
		return err
	}
	return files.Sync(filepath.Dir(to))
}

// copySecrets copies the file of secrets by host, if there is one, unless the other folder has its own.
func copySecrets(from, to string) error {
	text, err := os.ReadFile(filepath.Join(from, storage.HostsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	name := filepath.Join(to, storage.HostsFile)
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// savedFileName holds the time of the last backup, in the data folder.
const savedFileName = "last-backup"

func noteSaved(dir string, at time.Time) error {
	return os.WriteFile(filepath.Join(dir, savedFileName), []byte(at.UTC().Format(time.RFC3339)+"\n"), 0o600)
}

// Last is when the last backup of a data folder was complete; zero: never.
func Last(dir string) time.Time {
	text, err := os.ReadFile(filepath.Join(dir, savedFileName))
	if err != nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	if err != nil {
		return time.Time{}
	}
	return at
}
