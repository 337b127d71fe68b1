// Package bucket keeps the files of seeds in an object store that speaks the protocol of Amazon S3.
//
// A file is written to a folder of this machine first, the spool. Commit puts it into the store under
// its final name, with its length and SHA-256. So no object is ever half of a file. The name of an
// object is PREFIX/ab/cd/HASH.suffix if the hash says what it holds. A file that a claim on a seed wrote
// is PREFIX/ab/cd/SEED/FENCE.suffix, so that many processes may write to one PREFIX. What a version
// before this wrote is called SEED.suffix, and its record has no fence.
package bucket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"

	"laundromat/internal/fault"
	"laundromat/internal/files"
)

// Bucket is a store of files in a bucket: see [files.Blobs].
type Bucket struct {
	at     Address
	client *minio.Core
	spool  *files.Folder // nil if nothing is to be written
	puts   chan struct{} // a place for each object that is put at the same time
	checks atomic.Int32  // of the type checks: the best that the store is known to take
	// smallParts is the size of parts in tests; 0 for the usual.
	smallParts int64
	watched    watched
}

// mostPuts is how many objects are put at the same time. A store answers after milliseconds, and
// does not mind that others wait as well.
const mostPuts = 16

// Open opens the store at an address, to write or to read. What is not committed yet lies in the
// folder spool, which is made if need be; with spool "" nothing can be written. The bucket must be
// there. Trouble of the network or the server is an error of kind Local.
func Open(ctx context.Context, at Address, spool string) (*Bucket, error) {
	b := &Bucket{at: at, puts: make(chan struct{}, mostPuts)}
	client, err := at.client(&b.watched)
	if err != nil {
		return nil, fmt.Errorf("blobs at %s: %w", at, err)
	}
	b.client = client
	found, err := client.BucketExists(ctx, at.Bucket)
	if err != nil {
		return nil, b.trouble("bucket.Open", err)
	}
	if !found {
		return nil, b.trouble("bucket.Open", minio.ErrorResponse{Code: noSuchBucket})
	}
	if spool != "" {
		if b.spool, err = files.Open(spool); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Close ends the use of the store. Blobs that are open stay so.
func (b *Bucket) Close() error {
	if b.spool == nil {
		return nil
	}
	return b.spool.Close()
}

// key is the name of the object that holds a file.
func (b *Bucket) key(hash string, suffix files.Suffix) (string, error) {
	if err := files.CheckName(hash, suffix); err != nil {
		return "", err
	}
	return b.folder(hash) + hash + string(suffix), nil
}

// folder is what the names of objects begin with before the hash.
func (b *Bucket) folder(hash string) string { return b.at.Prefix + hash[:2] + "/" + hash[2:4] + "/" }

// Fenced says that the files of each claim have names of their own.
func (b *Bucket) Fenced() bool { return true }

// Create makes a temporary file in the spool.
func (b *Bucket) Create() (files.Pending, error) {
	if b.spool == nil {
		return nil, files.ErrReadOnly
	}
	return b.spool.Create()
}

// NewBatch begins a batch of temporary files in the spool.
func (b *Bucket) NewBatch() files.Batch {
	if b.spool == nil {
		return files.OpenToRead("").NewBatch()
	}
	return b.spool.NewBatch()
}

// Again makes a sealed file of a committed one. It is copied into the spool.
func (b *Bucket) Again(hash string, suffix files.Suffix, as string) (files.Pending, error) {
	p, err := b.Create()
	if err != nil {
		return nil, err
	}
	blob, err := b.Open(hash, suffix)
	if err != nil {
		p.Abort()
		return nil, err
	}
	defer blob.Close()
	if _, err = io.Copy(p, files.Sequential(blob)); err == nil {
		err = p.Seal(as, suffix)
	}
	if err != nil {
		p.Abort()
		return nil, err
	}
	return p, nil
}

// Commit puts sealed files into the store, several at the same time. When it returns nil all are there. While the
// store is away the files stay in the spool, and the error is a [files.UnstoredError]. After any other the files of the
// call are given up. Some may be in the store, whole.
func (b *Bucket) Commit(ctx context.Context, pending ...files.Pending) error {
	if b.spool == nil {
		return files.ErrReadOnly
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all := make([]error, len(pending))
	var working sync.WaitGroup
	for i, p := range pending {
		working.Go(func() {
			if all[i] = b.commit(ctx, p); all[i] != nil {
				cancel()
			}
		})
	}
	working.Wait()
	err := first(all)
	if fault.CodeOf(err) == fault.LocalBucket {
		return &files.UnstoredError{Err: err}
	}
	for _, p := range pending {
		p.Abort() // the spool's copy, which nobody needs any more
	}
	return err
}

// first is the error that ended the others: one that is not their being ended.
func first(all []error) (err error) {
	for _, one := range all {
		if one != nil && (err == nil || errors.Is(err, context.Canceled)) {
			err = one
		}
	}
	return err
}

func (b *Bucket) commit(ctx context.Context, p files.Pending) error {
	key, err := b.key(p.Hash(), p.Suffix())
	if err != nil {
		return fmt.Errorf("only a sealed file can be committed: %w", err)
	}
	select {
	case b.puts <- struct{}{}:
		defer func() { <-b.puts }()
	case <-ctx.Done():
		return ctx.Err()
	}
	blob, err := p.Open()
	if err != nil {
		return err
	}
	defer blob.Close()
	return b.put(ctx, key, blob)
}

// Size is the length of a file in bytes. If there is none, the error is fs.ErrNotExist.
func (b *Bucket) Size(hash string, suffix files.Suffix) (int64, error) {
	key, err := b.key(hash, suffix)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestRequest)
	defer cancel()
	info, err := b.client.StatObject(ctx, b.at.Bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return 0, b.missingOr("bucket.Size", key, err)
	}
	return info.Size, nil
}

// longestRequest is how long one request may take, with all its tries.
const longestRequest = 10 * time.Minute

// Remove removes a file; that there is none is no error.
func (b *Bucket) Remove(hash string, suffix files.Suffix) error {
	if b.spool == nil {
		return files.ErrReadOnly
	}
	key, err := b.key(hash, suffix)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestRequest)
	defer cancel()
	err = b.client.RemoveObject(ctx, b.at.Bucket, key, minio.RemoveObjectOptions{})
	if err != nil && !isMissing(err) {
		return b.trouble("bucket.Remove", err)
	}
	return nil
}

// RemoveAll removes all files of a hash, of whatever suffix and fence.
func (b *Bucket) RemoveAll(ctx context.Context, hash string) error {
	if b.spool == nil {
		return files.ErrReadOnly
	}
	if err := files.CheckName(hash, files.Clean); err != nil {
		return err
	}
	return b.walk(ctx, b.folder(hash)+hash, func(key string, suffix files.Suffix, _ int64) error { return b.Remove(key, suffix) })
}

// Walk calls fn for each file, in the order of the hashes. Objects that are no files of a store
// are left out.
func (b *Bucket) Walk(ctx context.Context, fn func(key string, suffix files.Suffix, size int64) error) error {
	return b.walk(ctx, b.at.Prefix, fn)
}

// walk calls fn for each file whose object's name begins with a prefix.
func (b *Bucket) walk(ctx context.Context, prefix string, fn func(key string, suffix files.Suffix, size int64) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for object := range b.client.ListObjectsIter(ctx, b.at.Bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if object.Err != nil {
			if err := ctx.Err(); err != nil {
				return err
			}
			return b.trouble("bucket.Walk", object.Err)
		}
		fileKey, suffix, ok := b.fileOf(object.Key)
		if !ok {
			continue
		}
		if err := fn(fileKey, suffix, object.Size); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// fileOf is the file that an object of a name holds; ok is false if it is none of ours.
func (b *Bucket) fileOf(name string) (key string, suffix files.Suffix, ok bool) {
	folders := len(b.folder("0000"))
	if len(name) < folders {
		return "", "", false
	}
	dot := strings.IndexByte(name[folders:], '.')
	if dot < 0 {
		return "", "", false
	}
	key, suffix = name[folders:folders+dot], files.Suffix(name[folders+dot:])
	again, err := b.key(key, suffix)
	return key, suffix, err == nil && again == name
}

// Sweep removes what a crash left: temporary files of the spool, and parts of objects whose
// uploading began more than a day ago. It reports how many. A dry run does not look at such parts.
func (b *Bucket) Sweep(ctx context.Context, o files.SweepOptions) (removed int, err error) {
	if b.spool == nil {
		if o.DryRun {
			return 0, nil
		}
		return 0, files.ErrReadOnly
	}
	if removed, err = b.spool.Sweep(ctx, o); err != nil || o.DryRun {
		return removed, err
	}
	parts, err := b.endUploads(ctx, time.Now().Add(-abandonedAfter))
	return removed + parts, err
}

// Left is how many bytes are free where the spool is, and how many of these are to be kept free. A bucket
// that is only read has no spool.
func (b *Bucket) Left() (free, keep int64, err error) {
	if b.spool == nil {
		return 0, 0, errors.ErrUnsupported
	}
	return b.spool.Left()
}

// KeepFree makes writing end with an error of kind Local while the disk of the spool has less than
// n bytes left.
func (b *Bucket) KeepFree(n int64) {
	if b.spool != nil {
		b.spool.KeepFree(n)
	}
}

// Short says, as an error of kind Local, that the disk of the spool has too little room left.
func (b *Bucket) Short() error {
	if b.spool == nil {
		return nil
	}
	return b.spool.Short()
}

// Place copies a file to path, where people find it, since there are no links to an object. One of the
// same length and time that is there already is left alone.
func (b *Bucket) Place(hash string, suffix files.Suffix, path string, _ bool) (files.Placed, error) {
	blob, err := b.Open(hash, suffix)
	if err != nil {
		return files.Placed{}, err
	}
	defer blob.Close()
	return files.PlaceBlob(blob, path)
}

// sumOf is the SHA-256 of a blob's bytes from one place to another.
func sumOf(blob io.ReaderAt, from, length int64) (sum [sha256.Size]byte, err error) {
	hash := sha256.New()
	if _, err = io.Copy(hash, io.NewSectionReader(blob, from, length)); err != nil {
		return sum, err
	}
	hash.Sum(sum[:0])
	return sum, nil
}

func hexOf(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:]) }

// missingOr is fs.ErrNotExist where there is no such object, else the trouble.
func (b *Bucket) missingOr(op, key string, err error) error {
	if isMissing(err) {
		return fmt.Errorf("no file %s: %w", strings.TrimPrefix(key, b.at.Prefix), fs.ErrNotExist)
	}
	return b.trouble(op, err)
}
