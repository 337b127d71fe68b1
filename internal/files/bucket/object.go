package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"

	"laundromat/internal/files"
)

const (
	blockSize = 1 << 20 // bytes that are asked for at once
	ahead     = 4       // blocks that are asked for before they are read, by who reads one after the other
	mostKept  = 12      // blocks of an object that are held
)

// object is an open file of a bucket. It is read in blocks of 1 MiB, of which the last few are held.
// So a small file is one request, and the members of a clean file cost few.
type object struct {
	bucket  *Bucket
	key     string
	etag    string // of what was opened: a request for other bytes is refused by the server
	size    int64
	written time.Time

	ctx    context.Context
	cancel context.CancelFunc

	mu   sync.Mutex
	kept map[int64]*block
	// recent are the numbers of the kept blocks; the one that was asked for last is last.
	recent []int64
	// next is the number of the block after the one that was read last.
	next int64
}

// block is a piece of an object. What it holds may be read once ready is closed.
type block struct {
	ready chan struct{}
	data  []byte
	err   error
}

// Open opens a file. Its first block comes with the same request.
func (b *Bucket) Open(hash string, suffix files.Suffix) (files.Blob, error) {
	key, err := b.key(hash, suffix)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := &object{bucket: b, key: key, ctx: ctx, cancel: cancel, kept: map[int64]*block{}}
	begun := &block{ready: make(chan struct{})}
	begun.data, err = o.get(0)
	if isOutOfRange(err) {
		// A file without a byte has no range: what it is called is all there is to ask.
		var info minio.ObjectInfo
		if info, err = b.client.StatObject(ctx, b.at.Bucket, key, minio.StatObjectOptions{}); err == nil {
			o.etag, o.size, o.written = info.ETag, info.Size, info.LastModified
		}
	}
	if err != nil {
		cancel()
		return nil, b.missingOr("bucket.Open", key, err)
	}
	close(begun.ready)
	o.kept[0], o.recent = begun, []int64{0}
	return o, nil
}

func (o *object) Size() int64        { return o.size }
func (o *object) ModTime() time.Time { return o.written }

// Close ends what is on its way.
func (o *object) Close() error {
	o.cancel()
	return nil
}

// ReadAt reads through the blocks. See [io.ReaderAt].
func (o *object) ReadAt(p []byte, at int64) (n int, err error) {
	if at < 0 {
		return 0, errors.New("bucket: a place before the beginning")
	}
	for n < len(p) && at+int64(n) < o.size {
		from := at + int64(n)
		data, err := o.block(from / blockSize)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], data[from%blockSize:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// block gives the bytes of a block, when they are there. They must not be changed.
func (o *object) block(number int64) ([]byte, error) {
	o.mu.Lock()
	wanted := o.take(number)
	if number == o.next {
		for further := number + 1; further <= number+ahead && further*blockSize < o.size; further++ {
			o.take(further)
		}
		o.take(number) // so that it is the last to go
	}
	o.next = number + 1
	o.mu.Unlock()
	<-wanted.ready
	return wanted.data, wanted.err
}

// take finds a block among those that are held, or asks for it. Who calls it holds mu.
func (o *object) take(number int64) *block {
	if i := slices.Index(o.recent, number); i >= 0 {
		o.recent = append(slices.Delete(o.recent, i, i+1), number)
		return o.kept[number]
	}
	if len(o.recent) == mostKept {
		delete(o.kept, o.recent[0])
		o.recent = slices.Delete(o.recent, 0, 1)
	}
	wanted := &block{ready: make(chan struct{})}
	o.kept[number], o.recent = wanted, append(o.recent, number)
	go o.load(wanted, number)
	return wanted
}

// load gets a block. One that could not be had is forgotten, so that it is asked for again.
func (o *object) load(wanted *block, number int64) {
	wanted.data, wanted.err = o.get(number)
	if wanted.err != nil {
		if isMissing(wanted.err) || replyOf(wanted.err).StatusCode == http.StatusPreconditionFailed {
			wanted.err = fmt.Errorf("%s was removed or replaced while it was read: %w", o.key, wanted.err)
		}
		wanted.err = o.bucket.trouble("bucket.ReadAt", wanted.err)
		o.mu.Lock()
		if i := slices.Index(o.recent, number); i >= 0 && o.kept[number] == wanted {
			o.recent = slices.Delete(o.recent, i, i+1)
			delete(o.kept, number)
		}
		o.mu.Unlock()
	}
	close(wanted.ready)
}

// get asks for a block. The first time it finds out what the object is.
func (o *object) get(number int64) (data []byte, err error) {
	for range tries {
		if data, err = o.getOnce(number); err == nil || !errors.Is(err, io.ErrUnexpectedEOF) || o.ctx.Err() != nil {
			return data, err // the client itself tries again what got no reply
		}
	}
	return nil, err
}

func (o *object) getOnce(number int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(o.ctx, longestRequest)
	defer cancel()
	var options minio.GetObjectOptions
	if err := options.SetRange(number*blockSize, (number+1)*blockSize-1); err != nil {
		return nil, err
	}
	if o.etag != "" {
		if err := options.SetMatchETag(o.etag); err != nil {
			return nil, err
		}
	}
	body, info, header, err := o.bucket.client.GetObject(ctx, o.bucket.at.Bucket, o.key, options)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	if o.etag == "" {
		if o.size, err = wholeSize(header, info.Size); err != nil {
			return nil, err
		}
		o.etag, o.written = info.ETag, info.LastModified
	}
	data := make([]byte, min(blockSize, o.size-number*blockSize))
	if _, err := io.ReadFull(body, data); err != nil {
		return nil, fmt.Errorf("a body of %d bytes was cut short: %w", len(data), unexpected(err))
	}
	return data, nil
}

// unexpected makes the end of a body one that should not be there.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// wholeSize is the length of an object of which a part came (RFC 9110 §14.4), or which came whole.
func wholeSize(header http.Header, length int64) (int64, error) {
	said := header.Get("Content-Range")
	if said == "" {
		return length, nil
	}
	_, whole, found := strings.Cut(said, "/")
	size, err := strconv.ParseInt(whole, 10, 64)
	if !found || err != nil {
		return 0, fmt.Errorf("the server names no length: Content-Range: %q", said)
	}
	return size, nil
}
