package main

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/files"
	"laundromat/seedlist/bolt"
	"laundromat/storage"
	"laundromat/web"
	"laundromat/web/client"
)

// restored is what restore did, as JSON.
type restored struct {
	Files   int64  `json:"files"`
	Bytes   int64  `json:"number_of_bytes"`
	Missing int64  `json:"missing"` // of those that the backup's list names
	Old     string `json:"old,omitempty"`
}

// restoring is a run of the verb.
type restoring struct {
	*ui
	replace, copied, noVerify bool
	did                       restored
}

func restoreCommand(u *ui) *cobra.Command {
	r := restoring{ui: u}
	c := &cobra.Command{
		Use:   "restore DIR|FILE.tar",
		Short: "Bring back a backup",
		Long: "Restore checks the seed list of a backup, brings its files and then the list into the data folder,\n" +
			"and holds the one against the others as \"laundromat verify\" does. A list that is there is only\n" +
			"replaced with --replace, and kept as seeds.db.replaced. No daemon may run. Exit: 1 if the backup is\n" +
			"damaged, or something is missing.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return r.run(c.Context(), args[0]) },
	}
	c.Flags().BoolVar(&r.replace, "replace", false, "replace the seed list that is there")
	c.Flags().BoolVar(&r.copied, "copy", false, "copy the files, also where links would do")
	c.Flags().BoolVar(&r.noVerify, "no-verify", false, "do not hold the list against the files at the end, which reads them all")
	return c
}

func (r *restoring) run(ctx context.Context, from string) error {
	dir := r.dataDir()
	path := filepath.Join(dir, storage.ListFile)
	if err := storage.OnlyInFolder(dir, "restore", "pg_restore brings back what pg_dump has saved"); err != nil {
		return err
	}
	missing, err := bolt.Missing(path)
	if err != nil {
		return err
	}
	if err := bolt.Held(path); err != nil {
		return exit(exitLocked, fmt.Errorf("%s: %w: restore works on a list that no daemon uses", dir, err))
	}
	if !missing && !r.replace {
		return exit(exitFailed, fmt.Errorf("%s is there: --replace puts the one of the backup in its place, and keeps it as %s.replaced",
			path, storage.ListFile))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(dir, ".restore-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if info, err := os.Stat(from); err != nil {
		return err
	} else if !info.IsDir() {
		if err := readTar(ctx, from, temp); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		from = temp
	}
	if err := bolt.Sound(ctx, filepath.Join(from, storage.ListFile)); err != nil {
		return fmt.Errorf("the backup is not restored: %w", err)
	}
	if err := r.files(ctx, from, dir); err != nil {
		return err
	}
	list := filepath.Join(temp, "restored.db")
	if err := copyFile(filepath.Join(from, storage.ListFile), list); err != nil {
		return err
	}
	if r.did.Old, err = putInPlace(list, path, "replaced"); err != nil {
		return err
	}
	return r.show(ctx, dir)
}

// files brings the files of the backup into the data folder. Those of an object store are only looked for.
func (r *restoring) files(ctx context.Context, from, dir string) error {
	at, err := storage.BlobsAddress(from)
	if err != nil {
		return err
	}
	if at != nil {
		if err := storage.SettleBlobs(dir, at.String()); err != nil {
			return err
		}
	}
	folder := files.OpenToRead(from)
	blobs, err := storage.OpenFilesToRead(ctx, from)
	if err != nil {
		return err
	}
	defer blobs.Close()
	return readFilesList(from, func(f savedFile) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		size, err := blobs.Size(f.Hash, f.Suffix)
		if errors.Is(err, fs.ErrNotExist) || err == nil && size != f.Bytes {
			r.did.Missing++
			return nil
		}
		if err != nil {
			return err
		}
		if at == nil {
			if _, err := folder.PlaceIn(dir, f.Hash, f.Suffix, r.copied); err != nil {
				return err
			}
		}
		r.did.Files++
		r.did.Bytes += size
		return nil
	})
}

// copyFile copies a file, and makes the copy durable.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, source)
	return errors.Join(err, file.Sync(), file.Close())
}

// readTar unpacks what writeTar wrote. Of names that backup gives to nothing none is made.
func readTar(ctx context.Context, name, into string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	packed := tar.NewReader(bufio.NewReaderSize(file, 1<<20))
	for {
		header, err := packed.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		isOurs := header.Name == storage.ListFile || header.Name == filesList || header.Name == storage.BlobsAddressFile ||
			strings.HasPrefix(header.Name, "blobs/")
		if header.Typeflag != tar.TypeReg || !isOurs || !filepath.IsLocal(header.Name) {
			continue
		}
		path := filepath.Join(into, filepath.FromSlash(header.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, packed)
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
}

// show tells what was done, and what verify finds.
func (r *restoring) show(ctx context.Context, dir string) error {
	if r.json {
		if err := encodeTo(r.out, r.did); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(r.out, "%d files restored, %d bytes; %d that the backup names are not in it\n", r.did.Files, r.did.Bytes, r.did.Missing)
		if r.did.Old != "" {
			fmt.Fprintf(r.out, "the list that was there is kept as %s\n", r.did.Old)
		}
	}
	if r.noVerify {
		if r.did.Missing > 0 {
			return exit(exitFailed, nil)
		}
		return nil
	}
	folder, err := storage.Open(dir)
	if err != nil {
		return err
	}
	api := client.InProcess(web.New(apiOf(folder, true)), folder.Close)
	defer api.Close()
	stream, err := api.Open(ctx, "/verify", nil)
	if err != nil {
		return err
	}
	defer stream.Close()
	return showVerified(r.ui, stream)
}
