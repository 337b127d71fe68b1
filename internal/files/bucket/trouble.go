package bucket

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/minio/minio-go/v7"

	"laundromat/internal/fault"
)

const noSuchBucket = "NoSuchBucket"

// meanings says in plain words what a server's code means for who runs the program.
var meanings = map[string]string{
	noSuchBucket:                   "there is no such bucket: make it, or mend the address",
	"AccessDenied":                 "the store refuses these keys: they need the rights to list, read, write and remove",
	"InvalidAccessKeyId":           "the store does not know the access key",
	"SignatureDoesNotMatch":        "the store refuses the signature: the secret key is another one",
	"RequestTimeTooSkewed":         "the clocks of this machine and of the store differ by too much",
	"SlowDown":                     "the store asks for fewer requests",
	"SlowDownRead":                 "the store asks for fewer requests",
	"SlowDownWrite":                "the store asks for fewer requests",
	"BadDigest":                    "the bytes were changed on the way to the store",
	"XAmzContentChecksumMismatch":  "the bytes were changed on the way to the store",
	"XAmzContentSHA256Mismatch":    "the bytes were changed on the way to the store",
	"InsufficientStorage":          "the store is full",
	"XMinioStorageFull":            "the store is full",
	"QuotaExceeded":                "the store is full: its quota is used up",
	"InvalidRegion":                "the store is of another region: name it with region= in the address",
	"AuthorizationHeaderMalformed": "the store is of another region: name it with region= in the address",
}

// byStatus is for replies whose code says nothing to us.
var byStatus = map[int]string{
	http.StatusForbidden:           "AccessDenied",
	http.StatusServiceUnavailable:  "SlowDown",
	http.StatusInsufficientStorage: "InsufficientStorage",
}

// trouble makes an error of kind Local of what a request ended with. The end of a context stays, and so does trouble
// with a file of this machine. A connection is the store's trouble, also where the system says of it what it says of
// files: the pipe is broken, or too many are open.
func (b *Bucket) trouble(op string, err error) error {
	isLocal := fault.KindOf(err) == fault.Local && !errors.As(err, new(*net.OpError))
	if err == nil || errors.Is(err, context.Canceled) || isLocal {
		return err
	}
	said := replyOf(err)
	meaning := meanings[said.Code]
	if meaning == "" {
		meaning = meanings[byStatus[said.StatusCode]]
	}
	where := fmt.Sprintf("bucket %s at %s", b.at.Bucket, b.at.Endpoint)
	switch {
	case said.Code == noSuchBucket && said.StatusCode == 0:
		return fault.New(op, fault.Local, fault.LocalBucket, "%s: %s", where, meaning)
	case meaning != "":
		return fault.New(op, fault.Local, fault.LocalBucket, "%s: %s: %w", where, meaning, err)
	}
	return fault.New(op, fault.Local, fault.LocalBucket, "%s: %w", where, err)
}

// replyOf is what the server replied that an error comes from; empty if there was no reply.
func replyOf(err error) (reply minio.ErrorResponse) {
	errors.As(err, &reply)
	return reply
}

// isMissing says that there is no such object, or no such upload any more.
func isMissing(err error) bool {
	switch said := replyOf(err); said.Code {
	case "NoSuchKey", "NoSuchUpload", "NotFound":
		return true
	case noSuchBucket:
		return false
	default:
		return said.StatusCode == http.StatusNotFound
	}
}

// isOutOfRange says that an object has no byte of the range that was asked for.
func isOutOfRange(err error) bool {
	return err != nil && replyOf(err).StatusCode == http.StatusRequestedRangeNotSatisfiable
}

// isNotImplemented says that a store does not know something that was asked of it.
func isNotImplemented(err error) bool {
	said := replyOf(err)
	return said.StatusCode == http.StatusNotImplemented || said.Code == "NotImplemented"
}
