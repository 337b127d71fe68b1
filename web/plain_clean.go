package web

import (
	"bufio"
	"io"
	"net/http"
	"strconv"

	"laundromat/internal/files"
	"laundromat/internal/inflate"
	"laundromat/web/metadata"
)

// plainClean sends the clean file that is served as the N-Quads that it is: in gzip, as it is stored, to who takes that
// as a coding on the way, and else unpacked. What is sent has the length and the SHA-256 of the record.
func plainClean(a *api, w http.ResponseWriter, r *http.Request) {
	seed, ok := a.seedOf(w, r)
	if !ok {
		return
	}
	hash, err := cleanFile(r.Context(), a, &seed)
	if err != nil {
		writeProblem(w, err)
		return
	}
	record, err := a.Seeds.Record(r.Context(), hash)
	if err != nil {
		writeProblem(w, missing(err))
		return
	}
	file, err := a.Files.Open(hash, files.Clean)
	if err != nil {
		writeProblem(w, missing(err))
		return
	}
	defer file.Close()
	header := w.Header()
	header.Set("Content-Type", "application/n-quads")
	header.Set("X-Content-Type-Options", "nosniff")
	vary(header)
	attach(header, &seed, ".nq", false)
	if record.Content != nil {
		reprDigest(w, record.Content.SHA256)
	}
	changed := metadata.Modified(&seed)
	if acceptsGzip(r) {
		header.Set("Content-Encoding", "gzip")
		header.Del("Repr-Digest") // which is of what is sent (RFC 9530 §2)
		header.Set("ETag", `"`+hash+`-gzip"`)
		serveContent(w, r, changed, files.Sequential(file))
		return
	}
	header.Set("ETag", `"`+hash+`"`)
	if !changed.IsZero() {
		header.Set("Last-Modified", changed.UTC().Format(http.TimeFormat))
	}
	if isUnchanged(r, header) {
		header.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if record.Content != nil {
		header.Set("Content-Length", strconv.FormatInt(record.Content.NumberOfBytes, 10))
	}
	if r.Method == http.MethodHead {
		return
	}
	text, err := inflate.NewMembers(bufio.NewReaderSize(files.Sequential(file), 64<<10))
	if err == nil {
		_, err = io.Copy(w, text)
	}
	if err != nil {
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
}

// isUnchanged says that a client has what the headers of a reply are of (RFC 9110 §13.2.2).
func isUnchanged(r *http.Request, header http.Header) bool {
	if known := r.Header.Values("If-None-Match"); len(known) > 0 {
		return isAmong(known, header.Get("ETag"))
	}
	since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	if err != nil {
		return false
	}
	changed, err := http.ParseTime(header.Get("Last-Modified"))
	return err == nil && !changed.After(since)
}
