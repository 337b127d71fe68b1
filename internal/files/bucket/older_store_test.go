package bucket

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
)

// olderStore keeps objects in memory, and compares the sums that it is told.
type olderStore struct {
	mutex   sync.Mutex
	objects map[string]string
	parts   map[string]string // of the upload that goes on, by number
}

func (s *olderStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	body, _ := io.ReadAll(r.Body)
	if strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING") {
		r.Header.Del("X-Amz-Content-Sha256")
		body = unsigned(body)
	}
	query, key := r.URL.Query(), r.URL.Path
	if r.Method == http.MethodPut && !s.fits(r, body) {
		refusal(w, http.StatusBadRequest, "BadDigest")
		return
	}
	switch {
	case r.Method == http.MethodHead && strings.Count(strings.Trim(key, "/"), "/") == 0: // the bucket
	case r.Method == http.MethodPut && query.Has("partNumber"):
		s.parts[fmt.Sprintf("%05s", query.Get("partNumber"))] = string(body)
		w.Header().Set("ETag", `"part"`)
	case r.Method == http.MethodPut:
		s.objects[key] = string(body)
	case r.Method == http.MethodPost && query.Has("uploads"):
		clear(s.parts)
		io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>")
	case r.Method == http.MethodPost:
		whole := ""
		for _, number := range slices.Sorted(maps.Keys(s.parts)) {
			whole += s.parts[number]
		}
		s.objects[key] = whole
		io.WriteString(w, "<CompleteMultipartUploadResult><Bucket>older</Bucket><ETag>whole</ETag></CompleteMultipartUploadResult>")
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	default:
		text, found := s.objects[key]
		if !found {
			refusal(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		w.Header().Set("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
		w.Header().Set("ETag", `"x"`)
		http.ServeContent(w, r, "", time.Unix(1704067200, 0), strings.NewReader(text))
	}
}

// unsigned takes the signatures out of a body that is signed piece by piece: SIZE;chunk-signature=…
func unsigned(body []byte) (plain []byte) {
	for {
		head, rest, _ := bytes.Cut(body, []byte("\r\n"))
		size, err := strconv.ParseInt(strings.Split(string(head), ";")[0], 16, 64)
		if err != nil || size == 0 || int(size)+2 > len(rest) {
			return plain
		}
		plain, body = append(plain, rest[:size]...), rest[size+2:]
	}
}

// fits holds what came against all sums that were said of it.
func (s *olderStore) fits(r *http.Request, body []byte) bool {
	long, short := sha256.Sum256(body), md5.Sum(body)
	for name, want := range map[string]string{
		checksumHeader: base64.StdEncoding.EncodeToString(long[:]), "Content-MD5": base64.StdEncoding.EncodeToString(short[:]),
		"X-Amz-Content-Sha256": hex.EncodeToString(long[:]),
	} {
		if said := r.Header.Get(name); said != "" && said != want {
			return false
		}
	}
	return true
}

// TestWhatAStoreDoesNotKnowIsLeftOut: one that answers 501 to the checksums of younger stores gets Content-MD5, or
// none. Only it loses them, and another fault is no reason to.
func TestWhatAStoreDoesNotKnowIsLeftOut(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	hasChecksum := func(r *http.Request) bool {
		for name := range r.Header {
			if strings.HasPrefix(strings.ToLower(name), "x-amz-checksum") {
				return true
			}
		}
		return false
	}
	hasMD5 := func(r *http.Request) bool { return r.Header.Get("Content-MD5") != "" }
	isPart := func(r *http.Request) bool { return r.URL.Query().Has("partNumber") }
	for _, c := range []struct {
		name    string
		refuses func(*http.Request) bool
		status  int
		code    string
		ends    checks
		stored  bool
	}{
		{"all is known", func(*http.Request) bool { return false }, 501, "NotImplemented", bySHA256, true},
		{"no checksums", hasChecksum, 501, "NotImplemented", byMD5, true},
		{"no checksums, in other words", hasChecksum, 501, "A header you provided implies functionality that is not implemented", byMD5,
			true},
		{"no checksums, with another status", hasChecksum, 400, "NotImplemented", byMD5, true},
		{"neither", func(r *http.Request) bool { return hasChecksum(r) || hasMD5(r) }, 501, "NotImplemented", byNone, true},
		{"no checksums of parts alone", func(r *http.Request) bool { return hasChecksum(r) && isPart(r) }, 501, "NotImplemented", byMD5,
			true},
		{"neither for parts alone", func(r *http.Request) bool { return (hasChecksum(r) || hasMD5(r)) && isPart(r) }, 501, "NotImplemented",
			byNone, true},
		{"nothing can be put", func(r *http.Request) bool { return r.Method == http.MethodPut || r.Method == http.MethodPost }, 501,
			"NotImplemented", bySHA256, false},
		{"refused for another reason", hasChecksum, 403, "AccessDenied", bySHA256, false},
		{"a bad request", hasChecksum, 400, "InvalidRequest", bySHA256, false},
		{"no request is known at all", func(r *http.Request) bool { return r.Method == http.MethodPut && isPart(r) }, 501, "NotImplemented",
			bySHA256, false},
	} {
		store := &olderStore{objects: map[string]string{}, parts: map[string]string{}}
		var puts atomic.Int32
		served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut || r.Method == http.MethodPost {
				puts.Add(1)
				if c.refuses(r) {
					io.Copy(io.Discard, r.Body)
					refusal(w, c.status, c.code)
					return
				}
			}
			store.ServeHTTP(w, r)
		}))
		t.Cleanup(served.Close)
		at := Address{Bucket: "older", Prefix: "some/where/", Endpoint: served.URL, Region: defaultRegion}
		b := opened(t, at)
		b.smallParts = 5 << 20
		for _, size := range []int{6 << 20, 1000, 0} { // the first in two parts
			data := blobtest.Bytes(size, uint64(size))
			err := b.Commit(t.Context(), blobtest.Sealed(t, b, fmt.Sprint(size), files.Dirty, data))
			if c.stored != (err == nil) && (size > 1000 || c.stored) {
				t.Errorf("%s: %d bytes: %v", c.name, size, err)
			}
			if c.stored && string(data) != string(blobtest.Read(t, b, fmt.Sprint(size), files.Dirty)) {
				t.Errorf("%s: %d bytes came back as others", c.name, size)
			}
			if err != nil && fault.CodeOf(err) != fault.LocalBucket {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if got := checks(b.checks.Load()); got != c.ends {
			t.Errorf("%s: checks %d, want %d", c.name, got, c.ends)
		}
		before := puts.Load()
		blob := blobtest.Sealed(t, b, "another", files.Dirty, blobtest.Bytes(100, 9))
		if err := b.Commit(t.Context(), blob); err == nil && puts.Load() != before+1 {
			t.Errorf("%s: %d requests for one small file, when what the store knows is known", c.name, puts.Load()-before)
		}
	}
}
