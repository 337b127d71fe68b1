package bucket

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"

	"laundromat/internal/files"
)

const (
	// partSize is the most that is put in one request, and the size of parts.
	partSize = 64 << 20
	// mostParts is how many parts an object may have; a larger one has larger parts.
	mostParts = 10_000
	// partsAtOnce is how many parts of an object are on their way.
	partsAtOnce = 4
	// abandonedAfter is the age of an upload that nobody is going to finish.
	abandonedAfter = 24 * time.Hour

	checksumHeader = "x-amz-checksum-sha256"
)

// checks are what a store compares the bytes with that are put, the best first. Some stores answer 501 to
// headers of checksums that are younger than they are.
type checks int32

const (
	bySHA256 checks = iota
	byMD5           // Content-MD5
	byNone          // only what the signature holds: the SHA-256 too, where a store compares it
)

// put puts a blob under a name. The server is told the SHA-256 and compares it, so that what is
// changed on the way is refused. What it does not know is left out, from then on.
// No condition is sent: servers differ in what they make of one.
func (b *Bucket) put(ctx context.Context, key string, blob files.Blob) error {
	for by := checks(b.checks.Load()); ; by++ {
		err := b.putBy(ctx, by, key, blob)
		if err == nil {
			b.checks.Store(int32(by))
			return nil
		}
		if !isNotImplemented(err) || by == byNone {
			return b.trouble("bucket.Commit", err)
		}
	}
}

func (b *Bucket) putBy(ctx context.Context, by checks, key string, blob files.Blob) error {
	size := blob.Size()
	if size > b.part() {
		return b.putParts(ctx, by, key, blob)
	}
	sent, err := sumsOf(io.NewSectionReader(blob, 0, size), by)
	if err != nil {
		return err
	}
	options := minio.PutObjectOptions{ContentType: contentType}
	if by == bySHA256 {
		options.UserMetadata = map[string]string{checksumHeader: sent.base64}
	}
	_, err = b.client.PutObject(ctx, b.at.Bucket, key, io.NewSectionReader(blob, 0, size), size, sent.md5, sent.hex, options)
	return err
}

// sums are those that go with bytes: their SHA-256, which the signature holds, and their MD5 or "".
type sums struct{ hex, base64, md5 string }

func sumsOf(part *io.SectionReader, by checks) (s sums, err error) {
	sum, err := sumOf(part, 0, part.Size())
	if err != nil {
		return s, err
	}
	s.hex, s.base64 = hexOf(sum), base64.StdEncoding.EncodeToString(sum[:])
	if by == byMD5 {
		hash := md5.New()
		if _, err = io.Copy(hash, io.NewSectionReader(part, 0, part.Size())); err != nil {
			return s, err
		}
		s.md5 = base64.StdEncoding.EncodeToString(hash.Sum(nil))
	}
	return s, nil
}

const contentType = "application/octet-stream"

// part is the size of a part: a test may have set a smaller one.
func (b *Bucket) part() int64 {
	if b.smallParts > 0 {
		return b.smallParts
	}
	return partSize
}

// options are those of an upload in parts.
func options(by checks) minio.PutObjectOptions {
	o := minio.PutObjectOptions{ContentType: contentType}
	if by == bySHA256 {
		o.UserMetadata = map[string]string{"x-amz-checksum-algorithm": "SHA256"}
	}
	return o
}

// putParts puts a blob in parts, several at the same time. If one fails, the upload is given up.
func (b *Bucket) putParts(ctx context.Context, by checks, key string, blob files.Blob) error {
	length := b.part()
	if most := length * mostParts; blob.Size() > most {
		length = (blob.Size() + mostParts - 1) / mostParts
	}
	id, err := b.client.NewMultipartUpload(ctx, b.at.Bucket, key, options(by))
	if err != nil {
		return err
	}
	parts := make([]minio.CompletePart, (blob.Size()+length-1)/length)
	errs := make([]error, len(parts))
	working, places := sync.WaitGroup{}, make(chan struct{}, partsAtOnce)
	inParts, cancel := context.WithCancel(ctx)
	defer cancel()
	for i := range parts {
		places <- struct{}{}
		working.Go(func() {
			defer func() { <-places }()
			from := int64(i) * length
			if parts[i], errs[i] = b.putPart(inParts, upload{by, key, id, i + 1},
				io.NewSectionReader(blob, from, min(length, blob.Size()-from))); errs[i] != nil {
				cancel()
			}
		})
	}
	working.Wait()
	if err = first(errs); err == nil {
		_, err = b.client.CompleteMultipartUpload(ctx, b.at.Bucket, key, id, parts, minio.PutObjectOptions{})
	}
	if err != nil {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		b.client.AbortMultipartUpload(ending, b.at.Bucket, key, id) // what stays is ended by Sweep
	}
	return err
}

// upload is where a part of an object goes.
type upload struct {
	by      checks
	key, id string
	number  int
}

func (b *Bucket) putPart(ctx context.Context, to upload, part *io.SectionReader) (minio.CompletePart, error) {
	sent, err := sumsOf(part, to.by)
	if err != nil {
		return minio.CompletePart{}, err
	}
	with := minio.PutObjectPartOptions{Sha256Hex: sent.hex, Md5Base64: sent.md5}
	done := minio.CompletePart{PartNumber: to.number}
	if to.by == bySHA256 {
		with.CustomHeader = http.Header{http.CanonicalHeaderKey(checksumHeader): {sent.base64}}
		done.ChecksumSHA256 = sent.base64
	}
	put, err := b.client.PutObjectPart(ctx, b.at.Bucket, to.key, to.id, to.number, part, part.Size(), with)
	done.ETag = put.ETag
	return done, err
}

// endUploads ends the uploads in parts that began before a moment.
func (b *Bucket) endUploads(ctx context.Context, before time.Time) (ended int, err error) {
	for marker, idMarker := "", ""; ; {
		page, err := b.client.ListMultipartUploads(ctx, b.at.Bucket, b.at.Prefix, marker, idMarker, "", 1000)
		if err != nil {
			return ended, b.trouble("bucket.Sweep", err)
		}
		for _, upload := range page.Uploads {
			if !upload.Initiated.Before(before) {
				continue
			}
			err := b.client.AbortMultipartUpload(ctx, b.at.Bucket, upload.Key, upload.UploadID)
			if err != nil && !isMissing(err) {
				return ended, b.trouble("bucket.Sweep", err)
			}
			ended++
		}
		if !page.IsTruncated {
			return ended, nil
		}
		marker, idMarker = page.NextKeyMarker, page.NextUploadIDMarker
	}
}
