package web

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzip"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// NoticeLine is a line of a list of notices.
type NoticeLine struct{ fault.Notice }

// clean sends the clean file of a dirty seed, or of a clean one. It can be sought
// (Range), and its hash is its ETag. With ?subject=IRI it sends the lines of that
// subject alone.
func (a *api) clean(w http.ResponseWriter, r *http.Request) {
	seed, ok := a.seedOf(w, r)
	if !ok {
		return
	}
	hash, err := cleanFile(r.Context(), a, &seed)
	if err != nil {
		writeProblem(w, err)
		return
	}
	if r.URL.Query().Has("subject") {
		a.ofSubject(w, r, &seed, hash)
		return
	}
	w.Header().Set("ETag", `"`+hash+`"`)
	a.send(w, r, &seed, hash, files.Clean)
}

// send sends a file of a seed in gzip; it can be sought (Range).
func (a *api) send(w http.ResponseWriter, r *http.Request, of *seedlist.Seed, key string, suffix files.Suffix) {
	file, err := a.Files.Open(key, suffix)
	if err != nil {
		w.Header().Del("ETag")
		writeProblem(w, missing(err))
		return
	}
	defer file.Close()
	w.Header().Set("Content-Type", "application/gzip")
	attach(w.Header(), of, string(suffix), false)
	if strings.Contains(strings.ToLower(r.Header.Get("Want-Repr-Digest")), "sha-256") {
		sum := sha256.New() // of the file as it is sent, which no record has
		if _, err := io.Copy(sum, files.Sequential(file)); err != nil {
			writeProblem(w, missing(err))
			return
		}
		reprDigest(w, hex.EncodeToString(sum.Sum(nil)))
	}
	serveContent(w, r, file.ModTime(), files.Sequential(file))
}

// serveContent sends what can be sought. A range in a unit that is not known is no range (RFC 9110 §14.2),
// and units have no case.
func serveContent(w http.ResponseWriter, r *http.Request, changed time.Time, content io.ReadSeeker) {
	if unit, ranges, _ := strings.Cut(r.Header.Get("Range"), "="); unit != "" {
		r = r.Clone(r.Context())
		r.Header.Del("Range")
		if strings.EqualFold(strings.TrimSpace(unit), "bytes") {
			r.Header.Set("Range", "bytes="+ranges)
		}
	}
	http.ServeContent(w, r, "", changed, content)
}

// ofSubject sends the lines of one subject of a clean file.
func (a *api) ofSubject(w http.ResponseWriter, r *http.Request, of *seedlist.Seed, hash string) {
	iri := r.URL.Query().Get("subject")
	if iri == "" || strings.ContainsAny(iri, "<> \n") {
		writeProblem(w, huma.Error422UnprocessableEntity("subject is an IRI, without < and >"))
		return
	}
	lines := &subjectLines{to: w, of: of}
	switch err := files.EachOfSubject(a.Files, hash, iri, lines.add); {
	case err != nil && lines.packed == nil:
		writeProblem(w, missing(err))
	case err != nil:
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	default:
		lines.end()
	}
}

// subjectLines sends lines in gzip. Most answers are of a few lines. They wait until all are there,
// and are packed by a compressor that takes little memory and no time to set up.
type subjectLines struct {
	to     http.ResponseWriter
	of     *seedlist.Seed
	few    []byte
	packed *gzip.Writer // nil while the lines are few
}

// fewBytes is how long lines are that are few.
const fewBytes = 64 << 10

func (s *subjectLines) add(line []byte) error {
	if s.packed == nil {
		s.few = append(append(s.few, line...), '\n')
		if len(s.few) < fewBytes {
			return nil
		}
		return s.begin(gzip.DefaultCompression)
	}
	if _, err := s.packed.Write(line); err != nil {
		return err
	}
	_, err := s.packed.Write([]byte{'\n'})
	return err
}

func (s *subjectLines) begin(level int) error {
	s.to.Header().Set("Content-Type", "application/gzip")
	attach(s.to.Header(), s.of, ".subject.nq.gz", false)
	s.packed, _ = gzip.NewWriterLevel(s.to, level) // the level is known
	_, err := s.packed.Write(s.few)
	s.few = nil
	return err
}

// end sends what waits; a client that reads no longer gets nothing.
func (s *subjectLines) end() {
	if s.packed == nil && s.begin(gzip.StatelessCompression) != nil {
		return
	}
	s.packed.Close()
}

// dirty sends the bytes of a seed as they came. They can be sought (Range), and their MD5 is their ETag.
func (a *api) dirty(w http.ResponseWriter, r *http.Request) {
	seed, ok := a.seedOf(w, r)
	if !ok {
		return
	}
	seed = seed.Served()
	if seed.Content == nil {
		writeProblem(w, huma.Error404NotFound(a.whyNotDirty(r.Context(), &seed)))
		return
	}
	if removal := seed.Removed.Dirty; removal != nil {
		writeProblem(w, huma.Error410Gone(whyRemoved(a.name(r.Context(), &seed), seed.Hash, "bytes", removal)))
		return
	}
	body, err := a.Dirty(r.Context(), seed)
	if err != nil {
		writeProblem(w, missing(err))
		return
	}
	defer body.Close()
	// Never the type that it claims: a browser must not run what others wrote.
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	attach(w.Header(), &seed, ".dirty", true)
	w.Header().Set("ETag", `"`+seed.Content.MD5+`"`)
	reprDigest(w, seed.Content.SHA256)
	if sought, ok := body.(io.ReadSeeker); ok {
		serveContent(w, r, seed.Retrieved, sought)
		return
	}
	w.Header().Set("Content-Length", strconv.FormatInt(seed.Content.NumberOfBytes, 10))
	io.Copy(w, body)
}

// reprDigest says what the SHA-256 of the whole file is (RFC 9530), where that is known.
func reprDigest(w http.ResponseWriter, sha256 string) {
	if sum, err := hex.DecodeString(sha256); err == nil && len(sum) == 32 {
		w.Header().Set("Repr-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sum)+":")
	}
}

// notices sends the list of a seed's notices as JSON lines; with ?samples=N at most
// N of each code.
func (a *api) notices(w http.ResponseWriter, r *http.Request) {
	seed, ok := a.seedOf(w, r)
	if !ok {
		return
	}
	samples := 0
	if text := r.URL.Query().Get("samples"); text != "" {
		var err error
		if samples, err = strconv.Atoi(text); err != nil || samples < 1 {
			writeProblem(w, huma.Error422UnprocessableEntity("samples is a number from 1"))
			return
		}
	}
	seed = seed.Served()
	w.Header().Set("Content-Type", "application/x-ndjson")
	if len(seed.Notices) == 0 {
		return
	}
	if removal := seed.Removed.Notices; removal != nil {
		writeProblem(w, huma.Error410Gone(whyRemoved(a.name(r.Context(), &seed), seed.Hash, "notices", removal)))
		return
	}
	file, err := a.Files.Open(seedfile.Key(&seed, files.Notices), files.Notices)
	if err != nil {
		writeProblem(w, missing(err))
		return
	}
	defer file.Close()
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if samples == 0 {
		report.ReadList(files.Sequential(file), func(n fault.Notice) error { return encoder.Encode(n) })
		return
	}
	seen := map[fault.Code]int{}
	read := report.ReadHead
	if samples > report.SamplesListed {
		read = report.ReadList
	}
	read(files.Sequential(file), func(n fault.Notice) error {
		if seen[n.Code]++; seen[n.Code] > samples {
			return nil
		}
		return encoder.Encode(n)
	})
}

// seedOf finds the seed of the request's path, or answers that there is none; of a URI with a
// fragment its document.
func (a *api) seedOf(w http.ResponseWriter, r *http.Request) (seedlist.Seed, bool) {
	hash := strings.ToLower(r.PathValue("hash"))
	seed, err := documentOf(r.Context(), a, hash)
	if err != nil {
		writeProblem(w, err)
	}
	return seed, err == nil
}

func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return huma.Error404NotFound("the file is not there")
	}
	return problem(err)
}

// Verified is a line of what verify writes: a fault, or at the end the sums.
type Verified struct {
	Hash    string `json:"hash,omitempty"` // that the file is named by
	File    string `json:"file,omitempty"`
	Problem string `json:"problem,omitempty"`
	// Seed is the key of the seed that the file is of; of a clean file, that of one that was washed
	// to it. URI is that of the seed, or URI!/entry. Neither is there for a file that no record names.
	Seed string `json:"seed,omitempty"`
	URI  string `json:"uri,omitempty"`
	// Mended is what a repair marked so that the file is made again, or why it could not.
	Mended *ActedOn `json:"mended,omitempty"`
	Sums   *Sums    `json:"sums,omitempty"`
}

// Sums are what verify counted.
type Sums struct {
	Seeds  int64  `json:"seeds"`
	Files  int64  `json:"files"`
	Bad    int64  `json:"bad"`              // damaged or missing
	Strays int64  `json:"strays"`           // files that no record names
	Marked *int64 `json:"marked,omitempty"` // of bad, to be made again; only from a repair
	Error  string `json:"error,omitempty"`
}

func (a *api) verify(w http.ResponseWriter, r *http.Request) {
	verified(w, r, a.Verify)
}
