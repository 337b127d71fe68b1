package main

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

	"github.com/spf13/cobra"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/states/daemon"
	"laundromat/storage"
	"laundromat/web/client"
)

// filesList is the list of files in a backup: a line of JSON each.
const filesList = "files.jsonl"

// savedFile is a line of it.
type savedFile struct {
	Hash   string       `json:"hash"`
	Suffix files.Suffix `json:"file"`
	Bytes  int64        `json:"number_of_bytes"`
}

// backedUp is what backup did, as JSON.
type backedUp struct {
	To      string `json:"to"`
	Seeds   int64  `json:"seeds"`
	Files   int64  `json:"files"`
	Linked  int64  `json:"linked"` // of these, in place of a copy
	Bytes   int64  `json:"number_of_bytes"`
	Changed int64  `json:"changed"` // seeds whose files were replaced meanwhile, and do not fit
}

// backup is a run of the verb.
type backup struct {
	*ui
	copied, noFiles bool
	dir             string // the data folder
	folder          string // that is filled
	blobs           *files.Folder
	// elsewhere is the object store that holds the files, which are not saved then; nil if the folder does.
	elsewhere storage.Files
	did       backedUp
}

func backupCommand(u *ui) *cobra.Command {
	b := backup{ui: u}
	c := &cobra.Command{
		Use:   "backup DIR|FILE.tar",
		Short: "Save the seed list and the files, also while the daemon runs",
		Long: "Backup writes the seed list as it is at one moment, a list of the files, and the files into a\n" +
			"new folder, or into one tar file if the name ends in .tar. In a folder on the same disk the\n" +
			"files are hard links: they cost no room, and outlast what the daemon removes or replaces, but\n" +
			"not a broken disk. The list is checked. \"laundromat restore\" brings it back. Exit: 1 if the\n" +
			"list is damaged, or files did not fit it.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return b.run(c.Context(), args[0]) },
	}
	c.Flags().BoolVar(&b.copied, "copy", false, "copy the files, also where links would do")
	c.Flags().BoolVar(&b.noFiles, "no-files", false, "save the seed list and the list of files alone")
	return c
}

func (b *backup) run(ctx context.Context, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return usage("%s is there already: a backup is a new folder or file", to)
	}
	b.dir = b.dataDir()
	if err := storage.OnlyInFolder(b.dir, "backup", "pg_dump saves that"); err != nil {
		return err
	}
	b.blobs = files.OpenToRead(b.dir)
	at, err := storage.BlobsAddress(b.dir)
	if err != nil {
		return err
	}
	if at != nil {
		if b.elsewhere, err = storage.OpenFilesToRead(ctx, b.dir); err != nil {
			return err
		}
		defer b.elsewhere.Close()
		b.noFiles = true
		b.note("the files are in %s and are not saved: the backup lists them, and where they are", at)
	}
	api, err := connect(ctx, b.ui, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	isTar := strings.HasSuffix(to, ".tar")
	parent := filepath.Dir(to)
	if isTar && !b.noFiles {
		parent = b.dir // where files can be linked, until they are in the tar file
	}
	if b.folder, err = os.MkdirTemp(parent, storage.Unfinished+"*"); err != nil {
		return err
	}
	defer os.RemoveAll(b.folder)
	if err := b.fill(ctx, api); err != nil {
		return err
	}
	if isTar {
		err = writeTar(b.folder, to)
	} else if err = os.Rename(b.folder, to); err == nil {
		err = files.Sync(parent)
	}
	if err != nil {
		return err
	}
	b.did.To = to
	return b.show()
}

// fill makes the folder a backup. A file may be replaced while it is filled. So the files are linked before the
// moment that the list is of, and those that are new after it. Of those that were replaced
// meanwhile, the list decides which it means.
func (b *backup) fill(ctx context.Context, api *client.Client) error {
	if err := b.place(ctx, nil); err != nil {
		return err
	}
	list := filepath.Join(b.folder, storage.ListFile)
	if err := b.snapshot(ctx, api, list); err != nil {
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
	if b.noFiles {
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
		placed, err := b.blobs.PlaceIn(b.folder, hash, suffix, b.copied)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was removed meanwhile
		}
		if err == nil && !placed.Copied {
			b.did.Linked++
		}
		return err
	})
}

func (b *backup) snapshot(ctx context.Context, api *client.Client, path string) error {
	stream, err := api.Open(ctx, "/snapshot", nil)
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
				if _, err := b.blobs.PlaceIn(b.folder, hash, suffix, b.copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
	var of files.Upkeep = files.OpenToRead(b.folder)
	switch {
	case b.elsewhere != nil:
		of = b.elsewhere
		if err := copyFile(filepath.Join(b.dir, storage.BlobsAddressFile), filepath.Join(b.folder, storage.BlobsAddressFile)); err != nil {
			return err
		}
	case b.noFiles:
		of = b.blobs
	}
	err = of.Walk(ctx, func(hash string, suffix files.Suffix, size int64) error {
		b.did.Files++
		b.did.Bytes += size
		return encodeTo(out, savedFile{hash, suffix, size})
	})
	return errors.Join(err, out.Flush(), file.Sync(), file.Close())
}

func (b *backup) show() error {
	if b.json {
		if err := encodeTo(b.out, b.did); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(b.out, "%s: %d seeds, %d files (%d of them links), %d bytes\n", b.did.To, b.did.Seeds, b.did.Files, b.did.Linked,
			b.did.Bytes)
	}
	if b.did.Changed > 0 {
		return exit(exitFailed, fmt.Errorf("the files of %d seeds were replaced while they were saved, and do not fit the list: "+
			"\"laundromat verify\" after a restore names them", b.did.Changed))
	}
	return nil
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

// readFilesList reads the list of files of a backup.
func readFilesList(folder string, each func(savedFile) error) error {
	file, err := os.Open(filepath.Join(folder, filesList))
	if err != nil {
		return err
	}
	defer file.Close()
	decoder := json.NewDecoder(bufio.NewReader(file))
	for {
		var line savedFile
		if err := decoder.Decode(&line); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", filesList, err)
		}
		if err := each(line); err != nil {
			return err
		}
	}
}
