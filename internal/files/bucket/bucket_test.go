package bucket

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
)

func TestABucketHoldsTheLawsOfAStore(t *testing.T) {
	endpoint, n := server(t), 0
	blobtest.Run(t, func(t testing.TB) files.Blobs {
		n++
		return opened(t, made(t, endpoint, fmt.Sprint("laws-", n)))
	})
}

// A large file goes in parts, each with its checksum, and comes back as it was.
func TestALargeFileGoesInParts(t *testing.T) {
	b := opened(t, made(t, server(t), "parts"))
	b.smallParts = 5 << 20 // the least that the protocol allows
	for _, n := range []int{5 << 20, 5<<20 + 1, 17<<20 + 5} {
		data := blobtest.Bytes(n, uint64(n))
		blobtest.Put(t, b, fmt.Sprint(n), files.Dirty, data)
		if got := blobtest.Read(t, b, fmt.Sprint(n), files.Dirty); string(got) != string(data) {
			t.Errorf("%d bytes came back as %d others", n, len(got))
		}
	}
}

// An upload in parts that was left is ended by a sweep once it is a day old, and not before.
func TestAnUploadThatWasLeftIsEnded(t *testing.T) {
	b := opened(t, made(t, server(t), "left"))
	key, err := b.key(blobtest.HashOf("a"), files.Dirty)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.client.NewMultipartUpload(t.Context(), b.at.Bucket, key, options(bySHA256)); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		before time.Time
		want   int
	}{{time.Now().Add(-abandonedAfter), 0}, {time.Now().Add(time.Hour), 1}, {time.Now().Add(time.Hour), 0}} {
		if ended, err := b.endUploads(t.Context(), step.before); err != nil || ended != step.want {
			t.Errorf("begun before %v: %d ended, want %d: %v", step.before, ended, step.want, err)
		}
	}
}

// Each trouble of a store is this machine's, with words of its own, and leaves nothing behind.
func TestTroubleOfAStoreHasItsWords(t *testing.T) {
	endpoint := server(t)
	var answer atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
	proxied := through(t, endpoint, func(w http.ResponseWriter, r *http.Request) bool {
		change := answer.Load()
		return change != nil && (*change)(w, r)
	})
	at := made(t, endpoint, "trouble")
	at.Endpoint = proxied
	spool := t.TempDir()
	b, err := Open(t.Context(), at, spool)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	blobtest.Put(t, b, "there", files.Dirty, []byte("text"))
	replies := func(status int, code string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool { refusal(w, status, code); return true }
	}
	for _, row := range []struct {
		name   string
		change func(http.ResponseWriter, *http.Request) bool
		want   string
	}{
		{"refused", replies(403, "AccessDenied"), "refuses these keys"},
		{"refused without a code", replies(403, "WhoKnows"), "refuses these keys"},
		{"unknown key", replies(403, "InvalidAccessKeyId"), "does not know the access key"},
		{"other secret", replies(403, "SignatureDoesNotMatch"), "the secret key is another one"},
		{"no bucket", replies(404, "NoSuchBucket"), "no such bucket"},
		{"too fast", replies(503, "SlowDown"), "fewer requests"},
		{"full", replies(507, "InsufficientStorage"), "the store is full"},
		{"clock", replies(403, "RequestTimeTooSkewed"), "clocks of this machine"},
		{"changed on the way", replies(400, "BadDigest"), "changed on the way"},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) bool { panic(http.ErrAbortHandler) }, "trouble"},
	} {
		t.Run(row.name, func(t *testing.T) {
			answer.Store(&row.change)
			defer answer.Store(nil)
			for what, do := range map[string]func() error{
				"Commit": func() error {
					p := blobtest.Sealed(t, b, "new", files.Dirty, []byte("more"))
					defer p.Abort()
					err := b.Commit(t.Context(), p)
					if !errors.As(err, new(*files.UnstoredError)) {
						t.Errorf("the files of a call that failed are given up: %v", err)
					}
					return err
				},
				"Open":   func() error { _, err := b.Open(blobtest.HashOf("there"), files.Dirty); return err },
				"Remove": func() error { return b.Remove(blobtest.HashOf("there"), files.Dirty) },
				"Walk": func() error {
					return b.Walk(t.Context(), func(string, files.Suffix, int64) error { return nil })
				},
			} {
				err := do()
				if fault.KindOf(err) != fault.Local || fault.CodeOf(err) != fault.LocalBucket {
					t.Errorf("%s: %v: kind %v, code %v", what, err, fault.KindOf(err), fault.CodeOf(err))
				} else if !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), blobtest.SecretKey) {
					t.Errorf("%s says %q, want %q and no key", what, err, row.want)
				}
				if errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: trouble looks like a file that is not there: %v", what, err)
				}
			}
		})
	}
	if got := blobtest.Read(t, b, "there", files.Dirty); string(got) != "text" {
		t.Errorf("what was there is %q", got)
	}
	if _, err := b.Open(blobtest.HashOf("new"), files.Dirty); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was not committed: %v", err)
	}
	row := replies(503, "SlowDown")
	answer.Store(&row)
	late := blobtest.Sealed(t, b, "late", files.Dirty, []byte("late"))
	if err := b.Commit(t.Context(), late); err == nil {
		t.Error("it was stored while the store was away")
	}
	answer.Store(nil)
	if err := b.Commit(t.Context(), late); err != nil || string(blobtest.Read(t, b, "late", files.Dirty)) != "late" {
		t.Errorf("what could not be stored is stored later: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(spool, "blobs", "temp", "*")); len(left) > 0 {
		t.Errorf("left in the spool: %v", left)
	}
}

// A body that is cut short is asked for again, and one that always is never passes for a whole one.
func TestABodyThatIsCutShortIsNoFile(t *testing.T) {
	endpoint := server(t)
	var cuts atomic.Int32
	proxied := through(t, endpoint, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || cuts.Add(-1) < 0 {
			return false
		}
		w.Header().Set("Content-Range", "bytes 0-999/1000")
		w.Header().Set("Content-Length", "1000")
		w.Header().Set("ETag", `"other"`)
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusPartialContent)
		io.WriteString(w, "only this much")
		panic(http.ErrAbortHandler)
	})
	at := made(t, endpoint, "short")
	b := opened(t, at)
	data := blobtest.Bytes(1000, 1)
	blobtest.Put(t, b, "a", files.Dirty, data)
	b.at.Endpoint = proxied
	client, err := b.at.client(&watched{})
	if err != nil {
		t.Fatal(err)
	}
	b.client = client
	for _, n := range []int32{1, 1000} {
		cuts.Store(n)
		blob, err := b.Open(blobtest.HashOf("a"), files.Dirty)
		if err != nil {
			if fault.KindOf(err) != fault.Local {
				t.Errorf("cut %d times: %v", n, err)
			}
			continue
		}
		got, err := io.ReadAll(files.Sequential(blob))
		if err == nil && string(got) != string(data) {
			t.Errorf("cut %d times: %d bytes pass for the file", n, len(got))
		}
		blob.Close()
	}
}

// Bytes that change on the way to the store are refused by it, by their checksum.
func TestBytesThatChangeOnTheWayAreRefused(t *testing.T) {
	endpoint := server(t)
	var puts atomic.Int32
	at := made(t, endpoint, "flipped")
	at.Endpoint = through(t, endpoint, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && r.ContentLength > 0 {
			puts.Add(1)
			r.Body = &flipped{r.Body}
		}
		return false
	})
	b := opened(t, at)
	b.smallParts = 5 << 20
	for _, n := range []int{1000, 6 << 20} {
		err := b.Commit(t.Context(), blobtest.Sealed(t, b, "a", files.Dirty, blobtest.Bytes(n, 1)))
		if fault.KindOf(err) != fault.Local || fault.CodeOf(err) != fault.LocalBucket {
			t.Errorf("%d bytes: %v", n, err)
		}
		if _, err := b.Open(blobtest.HashOf("a"), files.Dirty); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d bytes are in the store: %v", n, err)
		}
	}
	if puts.Load() < 2 {
		t.Errorf("%d requests with a body came by", puts.Load())
	}
}

// flipped changes a bit of each piece that is read.
type flipped struct{ io.ReadCloser }

func (f *flipped) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if n > 0 {
		p[n/2] ^= 1
	}
	return n, err
}
