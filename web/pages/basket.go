package pages

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/urilist"
	"laundromat/web"
)

const (
	mostBasket    = 16 << 20 // bytes of a form with URIs, files and all
	basketBatch   = 1000     // URIs that are added in one call
	basketShown   = 50       // seeds whose fate a page follows
	refusedShown  = 20       // lines that were refused and are named
	longestShown  = 200      // bytes of such a line
	previewShown  = 50       // lines that are looked at before they are added
	longestTyped  = 16 << 10 // bytes of what is looked at so
	basketSource  = "basket:"
	basketDay     = "2006-01-02"
	multipartKept = 1 << 20 // bytes of a form in memory
)

// basket is where people put URIs to be washed.
type basket struct {
	Typed   string
	Preview []looked
	More    bool // lines that were not looked at
	Added   []branch
	Watched bool
	New     int64 // of those that were put in last, how many were no seeds before
	Known   int64
	Refused []refusedLine
	// RefusedTotal counts also those that are not named.
	RefusedTotal int64
	Source       string
	Catalog      catalogForm
	Wrong        string // why nothing was added; "" where something was, or nothing was asked for
	MayAdd       bool
}

// looked is a line as it would be added.
type looked struct {
	Given, Normal, Hash string
	Host                string
	IsRelative          bool
	IsKnown             bool
	State               seedlist.State
	Refused             string
	Meant               string // for what has no scheme: what was probably meant; else ""
}

// refusedLine is one that is no URI, and why.
type refusedLine struct{ Line, Why string }

// basketPage shows the forms, what was typed as it would be added, and what became of what was added.
func (s *site) basketPage(r *http.Request) (page, error) {
	query := r.URL.Query()
	b := basket{
		Typed: query.Get("uris"), MayAdd: mayAdd(r),
		New: countIn(query, "new"), Known: countIn(query, "known"), RefusedTotal: countIn(query, "refusals"), Source: query.Get("source"),
	}
	if b.Typed != "" {
		s.preview(r, &b)
	}
	var hashes []string
	if list := query.Get("seeds"); list != "" {
		hashes = strings.Split(list, ",")
		hashes = hashes[:min(len(hashes), basketShown)]
	}
	for _, hash := range hashes {
		seed, err := s.read.Seed(r.Context(), hash)
		if err != nil {
			return page{}, err
		}
		b.Added = append(b.Added, branchOf(&seed))
	}
	for _, line := range query["refused"] {
		b.Refused = append(b.Refused, refusedLine{line, whyRefused(line)})
	}
	if b.Typed == "" { // to be mended and sent again
		b.Typed = strings.Join(query["refused"], "\n")
	}
	p := page{title: "Basket", template: "basket.html", data: b}
	if len(hashes) > 0 {
		p.listens, p.events = true, "seed="+url.QueryEscape(strings.Join(hashes, ","))
	}
	return p, nil
}

// countIn is a number in an address that a form led to; 0 for none.
func countIn(query url.Values, name string) (n int64) {
	fmt.Sscan(query.Get(name), &n)
	return max(n, 0)
}

// whyRefused is why a line is no URI.
func whyRefused(line string) string {
	_, err := seedlist.ParseURI(line)
	var refused *seedlist.URIError
	if errors.As(err, &refused) {
		return refused.Reason
	}
	return "it was refused"
}

// preview looks at what was typed.
func (s *site) preview(r *http.Request, b *basket) {
	typed := b.Typed
	if len(typed) > longestTyped {
		typed, b.More = typed[:longestTyped], true
	}
	enough := errors.New("enough")
	err := urilist.Read(strings.NewReader(typed), func(line string) error {
		if len(b.Preview) == previewShown {
			return enough
		}
		b.Preview = append(b.Preview, s.look(r, line))
		return nil
	})
	b.More = b.More || err != nil
}

func (s *site) look(r *http.Request, line string) looked {
	u, err := seedlist.ParseURI(line)
	if err != nil {
		return looked{Given: seedlist.ShownIn(line), Refused: whyRefused(line), Meant: uriMeant(line)}
	}
	l := looked{Given: u.Shown(), Normal: seedlist.Shown(u.Normal), Hash: u.Hash(), Host: u.Host, IsRelative: u.Relative}
	if seed, err := s.read.Seed(r.Context(), l.Hash); err == nil {
		l.IsKnown, l.State = true, stateOf(&seed)
	}
	return l
}

// basketPreview is what was typed as it would be added, and nothing else: scripts ask for it while somebody types.
func (s *site) basketPreview(r *http.Request) (page, error) {
	b := basket{Typed: r.URL.Query().Get("uris")}
	s.preview(r, &b)
	return page{title: "Basket", template: "basket_preview.html", data: b}, nil
}

// adding counts what becomes of lines that are added.
type adding struct {
	site   *site
	r      *http.Request
	source string
	batch  []web.NewSeed
	// hashes are the first that were added, and refused the first lines that were not.
	hashes, refused          []string
	newOnes, known, refusals int64
}

func (a *adding) line(line string) error {
	a.batch = append(a.batch, web.NewSeed{URI: line, Source: a.source})
	if len(a.batch) < basketBatch {
		return nil
	}
	return a.flush()
}

func (a *adding) flush() error {
	if len(a.batch) == 0 {
		return nil
	}
	answers, err := a.site.read.Add(a.r.Context(), a.batch)
	if err != nil {
		return err
	}
	for _, one := range answers {
		switch {
		case one.Error != "":
			if a.refusals++; len(a.refused) < refusedShown {
				a.refused = append(a.refused, cutText(one.URI, longestShown))
			}
			continue
		case one.New:
			a.newOnes++
		default:
			a.known++
		}
		if len(a.hashes) < basketShown && !slices.Contains(a.hashes, one.Hash) {
			a.hashes = append(a.hashes, one.Hash)
		}
	}
	a.batch = a.batch[:0]
	return nil
}

// cutText is the beginning of a text, of so many bytes at most.
func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return string(whole([]byte(text[:most]))) + "…"
}

// addToBasket adds what a form brings: lines that were typed, and those of a file.
func (s *site) addToBasket(r *http.Request) (page, error) {
	if err := parseForm(r, mostBasket); err != nil {
		return page{}, err
	}
	a := adding{site: s, r: r, source: basketSource + time.Now().UTC().Format(basketDay)}
	err := urilist.Read(strings.NewReader(r.PostForm.Get("uris")), a.line)
	if err == nil && r.MultipartForm != nil {
		for _, header := range r.MultipartForm.File["file"] {
			if err = a.file(header); err != nil {
				break
			}
		}
	}
	if err == nil {
		err = a.flush()
	}
	if err != nil {
		return page{}, err
	}
	if len(a.hashes) == 0 && len(a.refused) == 0 {
		b := basket{MayAdd: mayAdd(r), Typed: r.PostForm.Get("uris"),
			Wrong: "there was no URI in the form: type one per line, or choose a file that has one per line"}
		return page{title: "Basket", template: "basket.html", data: b, status: statusOf(b.Wrong)}, nil
	}
	query := url.Values{"refused": a.refused, "source": {a.source}}
	if len(a.hashes) > 0 {
		query.Set("seeds", strings.Join(a.hashes, ","))
	}
	for name, n := range map[string]int64{"new": a.newOnes, "known": a.known, "refusals": a.refusals} {
		if n > 0 {
			query.Set(name, fmt.Sprint(n))
		}
	}
	return page{location: "/basket?" + query.Encode()}, nil
}

// file adds the lines of a file that was uploaded. A browser sends a file without a name where none was chosen.
func (a *adding) file(header *multipart.FileHeader) error {
	in, err := header.Open()
	if err != nil {
		return unprocessable("the file could not be read: " + err.Error())
	}
	defer in.Close()
	if err := urilist.Read(io.Reader(in), a.line); err != nil {
		if problem := web.ProblemOf(err); problem.Status != http.StatusInternalServerError {
			return err
		}
		return unprocessable("the file " + header.Filename + " isn't a list of URIs, one per line: " + err.Error())
	}
	return nil
}

// parseForm reads a form of at most so many bytes.
func parseForm(r *http.Request, most int64) error {
	r.Body = http.MaxBytesReader(nil, r.Body, most)
	var err error
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		err = r.ParseMultipartForm(multipartKept)
	} else {
		err = r.ParseForm()
	}
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return web.Refused(http.StatusRequestEntityTooLarge, fmt.Sprintf("a form may have %d MiB: send less at once, or give the file to "+
			"\"laundromat seed add\"", most>>20))
	}
	if err != nil {
		return unprocessable("this isn't a form: " + err.Error())
	}
	return nil
}
