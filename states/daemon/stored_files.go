package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/digest"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// missingFile is what is said of a file that is not there.
const missingFile = "missing"

// dirtyTrouble says what is wrong with the stored bytes of a seed; "" if they are what its record
// says. It reads them whole.
func dirtyTrouble(ctx context.Context, blobs files.Opener, seed *seedlist.Seed) (problem string, err error) {
	suffix := seedfile.DirtyForm(seed)
	is, problem, err := hashStored(ctx, blobs, seedfile.Key(seed, suffix), suffix, suffix == files.DirtyGzip)
	if problem == "" && err == nil && is.SHA256 != seed.Content.SHA256 {
		problem = fmt.Sprintf("its %d bytes have the SHA-256 %s, the record says %d bytes and %s",
			is.NumberOfBytes, is.SHA256, seed.Content.NumberOfBytes, seed.Content.SHA256)
	}
	return problem, err
}

// changeTrouble says what is wrong with a file of changes; "" if it is what the record says.
func changeTrouble(ctx context.Context, blobs files.Opener, seed *seedlist.Seed, suffix files.Suffix,
	said seedlist.ChangeFile) (problem string, err error) {
	is, problem, err := hashStored(ctx, blobs, seedfile.Key(seed, suffix), suffix, true)
	if problem == "" && err == nil && is.SHA256 != said.SHA256 {
		problem = fmt.Sprintf("its lines have the SHA-256 %s, the record says %s", is.SHA256, said.SHA256)
	}
	return problem, err
}

// namedTrouble says what is wrong with a file; "" if it is what the record that names it says. It reads it whole.
func namedTrouble(ctx context.Context, blobs files.Opener, n *seedfile.Named) (problem string, err error) {
	is, problem, err := hashStored(ctx, blobs, n.Key, n.Suffix, n.Packed)
	if problem == "" && err == nil && n.SHA256 != "" && is.SHA256 != n.SHA256 {
		problem = fmt.Sprintf("its content has the SHA-256 %s, the record says %s", is.SHA256, n.SHA256)
	}
	return problem, err
}

// hashStored reads a file whole, unpacked if it is packed. The problem is why it can't be read to
// its end, the error is of this machine.
func hashStored(ctx context.Context, blobs files.Opener, key string, suffix files.Suffix, isPacked bool) (is digest.Content, problem string,
	err error) {
	file, err := blobs.Open(key, suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return is, missingFile, nil
	}
	if err != nil {
		return is, "", err
	}
	defer file.Close()
	var body io.Reader = cancelled{ctx, files.Sequential(file)}
	if isPacked {
		if body, err = gzip.NewReader(body); err != nil {
			return is, fmt.Sprintf("damaged: %v", err), ctx.Err()
		}
	}
	hasher := digest.NewHasher()
	if _, err := io.Copy(hasher, body); err != nil {
		return is, fmt.Sprintf("damaged: %v", err), ctx.Err()
	}
	return hasher.Content(), "", nil
}

// cancelled ends a read when its context ends.
type cancelled struct {
	ctx context.Context
	in  io.Reader
}

func (c cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.in.Read(p)
}

// isWholeClean says that the clean file of a seed, and its index, are what the record says.
func (r *Runner) isWholeClean(ctx context.Context, clean *seedlist.Seed) (bool, error) {
	v := verification{ctx: ctx, blobs: r.files}
	err := v.clean(clean)
	return err == nil && len(v.faults) == 0, err
}
