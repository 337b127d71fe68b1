package bucket

import (
	"context"
	"crypto/sha256"
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

func base64Of(sum [sha256.Size]byte) string { return base64.StdEncoding.EncodeToString(sum[:]) }

// put puts a blob under a name. The server is told the SHA-256 and compares it, so that what is
// changed on the way is refused. No condition is sent: servers differ in what they make of one.
func (b *Bucket) put(ctx context.Context, key string, blob files.Blob) error {
	size := blob.Size()
	if size > b.part() {
		return b.putParts(ctx, key, blob)
	}
	sum, err := sumOf(blob, 0, size)
	if err != nil {
		return err
	}
	_, err = b.client.PutObject(ctx, b.at.Bucket, key, io.NewSectionReader(blob, 0, size), size, "", hexOf(sum),
		minio.PutObjectOptions{UserMetadata: map[string]string{checksumHeader: base64Of(sum)}, ContentType: contentType})
	if err != nil {
		return b.trouble("bucket.Commit", err)
	}
	return nil
}

const contentType = "application/octet-stream"

// part is the size of a part: a test may have set a smaller one.
func (b *Bucket) part() int64 {
	if b.smallParts > 0 {
		return b.smallParts
	}
	return partSize
}

// options are those of an upload in parts with checksums.
func options() minio.PutObjectOptions {
	return minio.PutObjectOptions{UserMetadata: map[string]string{"x-amz-checksum-algorithm": "SHA256"}, ContentType: contentType}
}

// putParts puts a blob in parts, several at the same time. If one fails, the upload is given up.
func (b *Bucket) putParts(ctx context.Context, key string, blob files.Blob) error {
	length := b.part()
	if most := length * mostParts; blob.Size() > most {
		length = (blob.Size() + mostParts - 1) / mostParts
	}
	id, err := b.client.NewMultipartUpload(ctx, b.at.Bucket, key, options())
	if err != nil {
		return b.trouble("bucket.Commit", err)
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
			if parts[i], errs[i] = b.putPart(inParts, key, id, i+1, io.NewSectionReader(blob, from, min(length, blob.Size()-from))); errs[i] != nil {
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
		return b.trouble("bucket.Commit", err)
	}
	return nil
}

func (b *Bucket) putPart(ctx context.Context, key, id string, number int, part *io.SectionReader) (minio.CompletePart, error) {
	sum, err := sumOf(part, 0, part.Size())
	if err != nil {
		return minio.CompletePart{}, err
	}
	put, err := b.client.PutObjectPart(ctx, b.at.Bucket, key, id, number, part, part.Size(), minio.PutObjectPartOptions{
		Sha256Hex: hexOf(sum), CustomHeader: http.Header{http.CanonicalHeaderKey(checksumHeader): {base64Of(sum)}},
	})
	return minio.CompletePart{PartNumber: number, ETag: put.ETag, ChecksumSHA256: base64Of(sum)}, err
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
