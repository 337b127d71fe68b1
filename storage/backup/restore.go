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

	"laundromat/internal/files"
	"laundromat/seedlist/bolt"
	"laundromat/storage"
)

// Restored is what was brought back.
type Restored struct {
	Files   int64  `json:"files"`
	Bytes   int64  `json:"number_of_bytes"`
	Missing int64  `json:"missing"`       // of those that the backup's list names
	Old     string `json:"old,omitempty"` // the name of the list that was there
}

// RestoreOptions are those of a restoration.
type RestoreOptions struct {
	// Replace replaces the seed list that is there.
	Replace bool
	// Copied copies the files, also where links would do.
	Copied bool
}

// restoring is the work of Restore.
type restoring struct {
	RestoreOptions
	did Restored
}

// Restore brings the backup from into the data folder dir, on which no daemon may work.
func Restore(ctx context.Context, dir, from string, options RestoreOptions) (Restored, error) {
	r := restoring{RestoreOptions: options}
	path := filepath.Join(dir, storage.ListFile)
	if err := storage.OnlyInFolder(dir, "restore", "pg_restore brings back what pg_dump has saved"); err != nil {
		return r.did, err
	}
	missing, err := bolt.Missing(path)
	if err != nil {
		return r.did, err
	}
	if err := bolt.Held(path); err != nil {
		return r.did, fmt.Errorf("%s: %w: restore works on a list that no daemon uses", dir, err)
	}
	if !missing && !r.Replace {
		return r.did, fmt.Errorf("%s is there: --replace puts the one of the backup in its place, and keeps it as %s.replaced",
			path, storage.ListFile)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return r.did, err
	}
	temp, err := os.MkdirTemp(dir, ".restore-*")
	if err != nil {
		return r.did, err
	}
	defer os.RemoveAll(temp)
	if info, err := os.Stat(from); err != nil {
		return r.did, err
	} else if !info.IsDir() {
		if err := readTar(ctx, from, temp); err != nil {
			return r.did, fmt.Errorf("%s: %w", from, err)
		}
		from = temp
	}
	if err := bolt.Sound(ctx, filepath.Join(from, storage.ListFile)); err != nil {
		return r.did, fmt.Errorf("the backup is not restored: %w", err)
	}
	if err := r.files(ctx, from, dir); err != nil {
		return r.did, err
	}
	list := filepath.Join(temp, "restored.db")
	if err := copyFile(filepath.Join(from, storage.ListFile), list); err != nil {
		return r.did, err
	}
	if err := copySecrets(from, dir); err != nil {
		return r.did, err
	}
	if r.did.Old, err = storage.PutInPlace(list, path, "replaced"); err != nil {
		return r.did, err
	}
	return r.did, nil
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
			if _, err := folder.PlaceIn(dir, f.Hash, f.Suffix, r.Copied); err != nil {
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
			header.Name == storage.HostsFile ||
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
