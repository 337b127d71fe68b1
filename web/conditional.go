package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// conditional gives each reply in JSON, and each page and what belongs to it, a strong ETag: the hash of
// its bytes. It answers 304 to who has them. It compresses replies where that pays and packs says so. Files
// and streams go through as they are, but that lines of JSON are compressed too.
func conditional(next http.Handler, packs bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		c := &conditionalReply{ResponseWriter: w, request: r, packs: packs && acceptsGzip(r)}
		next.ServeHTTP(c, r)
		c.end()
	})
}

// isHeld says that replies of a type are small, and are held back until they are whole.
func isHeld(kind string) bool {
	switch kind {
	case typeJSON, "text/html", "text/css", "text/javascript", "image/svg+xml":
		return true
	}
	return isDescription(kind)
}

// isDescription says that replies of a type are small where they have no tag of their own, as files have.
func isDescription(kind string) bool {
	switch kind {
	case "text/turtle", "application/n-quads", "application/ld+json", "application/atom+xml", "application/xml", "text/plain":
		return true
	}
	return false
}

// conditionalReply holds JSON and pages back until it is whole.
type conditionalReply struct {
	http.ResponseWriter
	request *http.Request
	packs   bool

	status int           // 0: nothing was written
	whole  *bytes.Buffer // what is held back; nil for what goes through
	packed *gzip.Writer  // what lines go through; nil if they are sent as they are
}

// leastPacked is the length from which compression pays: less goes into one packet anyway.
const leastPacked = 1400

func acceptsGzip(r *http.Request) bool {
	for one := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, parameters, _ := strings.Cut(strings.ReplaceAll(one, " ", ""), ";")
		if strings.EqualFold(name, "gzip") {
			return !strings.HasPrefix(parameters, "q=0") || strings.HasPrefix(parameters, "q=0.")
		}
	}
	return false
}

// WriteHeader decides what becomes of the body.
func (c *conditionalReply) WriteHeader(status int) {
	if c.status != 0 {
		return
	}
	c.status = status
	header := c.Header()
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	switch {
	case status == http.StatusOK && isHeld(kind) && !(isDescription(kind) && header.Get("ETag") != ""):
		c.whole = &bytes.Buffer{}
		return
	case status == http.StatusOK && kind == typeNDJSON:
		vary(header)
		if c.packs && c.request.Method == http.MethodGet {
			header.Set("Content-Encoding", "gzip")
			c.packed, _ = gzip.NewWriterLevel(c.ResponseWriter, gzip.BestSpeed) // the level is known
		}
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write holds JSON back, packs lines, and sends all else.
func (c *conditionalReply) Write(p []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	switch {
	case c.whole != nil:
		return c.whole.Write(p)
	case c.packed != nil:
		return c.packed.Write(p)
	}
	return c.ResponseWriter.Write(p)
}

// ReadFrom lets files be sent without a copy.
func (c *conditionalReply) ReadFrom(in io.Reader) (int64, error) {
	c.WriteHeader(http.StatusOK)
	if c.whole == nil && c.packed == nil {
		return io.Copy(c.ResponseWriter, in)
	}
	return io.Copy(struct{ io.Writer }{c}, in)
}

// Unwrap is for [http.ResponseController].
func (c *conditionalReply) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// end sends what was held back.
func (c *conditionalReply) end() {
	if c.packed != nil {
		c.packed.Close()
	}
	if c.whole == nil {
		return
	}
	header, body := c.Header(), c.whole.Bytes()
	tag := tagOf(body)
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-cache") // to be asked for again, with the tag
	}
	vary(header)
	isPacked := c.packs && len(body) >= leastPacked
	if isPacked {
		header.Set("Content-Encoding", "gzip")
		tag = strings.TrimSuffix(tag, `"`) + `-gzip"` // other bytes
	}
	header.Set("ETag", tag)
	if isUnchanged(c.request, header) {
		header.Del("Content-Type")
		header.Del("Content-Encoding")
		c.ResponseWriter.WriteHeader(http.StatusNotModified)
		return
	}
	if isPacked {
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // the level is known
		z.Write(body)
		z.Close()
		body = packed.Bytes()
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	c.ResponseWriter.WriteHeader(c.status)
	c.ResponseWriter.Write(body)
}

// tagOf is the strong ETag of bytes.
func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// isAmong says that a list of ETags names one. If-None-Match compares weakly.
func isAmong(lists []string, tag string) bool {
	for _, list := range lists {
		for one := range strings.SplitSeq(list, ",") {
			one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
			if one == tag || one == "*" {
				return true
			}
		}
	}
	return false
}

// vary says what the reply depends on.
func vary(header http.Header) {
	header.Set("Vary", "Accept, Accept-Encoding")
}
