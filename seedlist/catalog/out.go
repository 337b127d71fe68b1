package catalog

import (
	"errors"
	"slices"
	"strings"

	"laundromat/internal/rfc3986"
	"laundromat/seedlist"
)

// found is an entry on its way out.
type found struct {
	uri     string // as it is in the catalog
	title   string
	formats []string // all claims of a format or media type
	claims  Claims
	// sure takes the document whatever its format is called: the catalog is a list of
	// nothing but documents to be taken.
	sure bool
	// needsSign refuses a document that neither a claim nor its name calls RDF.
	needsSign bool
}

// take judges an entry and passes it on. Where one field holds several addresses, each is an entry.
func (r *reading) take(f found) error {
	all := addresses(f.uri)
	if len(all) < 2 {
		return r.takeOne(f)
	}
	for _, uri := range all {
		one := f
		one.uri, one.claims = uri, clone(f.claims)
		if err := r.takeOne(one); err != nil {
			return err
		}
	}
	return nil
}

// addresses are the absolute URIs that stand in one field, if it holds nothing else.
func addresses(field string) (all []string) {
	for piece := range strings.FieldsSeq(field) {
		for _, sign := range []string{",", ";", "|"} {
			piece = strings.Trim(piece, sign)
		}
		if piece == "" {
			continue
		}
		for rest := piece; rest != ""; {
			end := len(rest)
			for at := range len(rest) {
				if at > 0 && strings.IndexByte(",;|", rest[at-1]) >= 0 && hasWebScheme(rest[at:]) && !strings.Contains(rest[:at], "=http") {
					end = at
					break
				}
			}
			one := strings.TrimRight(rest[:end], ",;|")
			if !hasWebScheme(one) {
				return nil
			}
			all, rest = append(all, one), rest[end:]
		}
	}
	return all
}

// hasWebScheme says that a text begins as the address of something that can be fetched.
func hasWebScheme(s string) bool {
	scheme, _, ok := strings.Cut(s[:min(len(s), len("https://"))], "://")
	return ok && slices.Contains([]string{"http", "https", "ftp"}, strings.ToLower(scheme))
}

// takeOne judges an entry of one address and passes it on.
func (r *reading) takeOne(f found) error {
	shown := clean(f.uri)
	uri, err := r.resolve(f.uri)
	if err != nil {
		return r.refuse(shown, reasonOf(f.uri, err), err.Error())
	}
	if !f.sure && !r.opt.All {
		if reason, message := judge(f.formats, uri, f.needsSign); reason != "" {
			return r.refuse(uri, reason, message)
		}
	}
	u, err := seedlist.ParseURI(uri)
	if err != nil {
		return r.refuse(shown, reasonOf(uri, err), err.Error())
	}
	for _, own := range r.opt.Own {
		if u.Host == own {
			return r.refuse(uri, OwnSite, "")
		}
	}
	if f.claims == nil {
		f.claims = Claims{}
	}
	for _, claim := range f.formats {
		if _, ok := f.claims[Format]; !ok || natureOf(claim) == isRDF && natureOf(f.claims[Format]) != isRDF {
			f.claims.set(Format, claim)
		}
	}
	if r.given != nil {
		r.given[uri] = true
	}
	r.named = true
	isRelative := !rfc3986.IsAbsolute([]byte(strings.TrimSpace(f.uri)))
	return r.to.Entry(Entry{URI: uri, Title: clean(f.title), Claims: f.claims, Relative: isRelative})
}

// refuse passes a refusal on; its error is always nil, for the sake of the callers.
func (r *reading) refuse(uri string, reason Reason, message string) error {
	r.to.Refused(Refusal{URI: clean(uri), Reason: reason, Message: clean(message)})
	return nil
}

// lead passes on a further page of the catalog.
func (r *reading) lead(uri string, kind Kind) {
	if all := addresses(uri); len(all) > 1 {
		for _, one := range all {
			r.leadTo(one, Page{Kind: kind})
		}
		return
	}
	r.leadTo(uri, Page{Kind: kind})
}

// next passes on the page that follows this one.
func (r *reading) next(uri string, kind Kind) { r.leadTo(uri, Page{Kind: kind, Series: true}) }

func (r *reading) leadTo(uri string, page Page) {
	absolute, err := r.resolve(uri)
	if err != nil {
		r.refuse(uri, reasonOf(uri, err), "a page of the catalog: "+err.Error())
		return
	}
	page.URI, r.named = withoutFragment(absolute), true
	r.to.Page(page)
}

// resolve makes a reference of the page absolute. White space around it goes, and so
// do line ends and tabs in it, as browsers do it.
func (r *reading) resolve(ref string) (string, error) {
	uri, err := resolve(r.doc.URI, ref, r.hyper)
	if err == nil && isFile(uri) && !isFile(r.doc.URI) {
		return "", errFile
	}
	return uri, err
}

// errFile refuses what only a catalog of this machine may name.
var errFile = errors.New("a file of this machine, named by another")

func isFile(uri string) bool { return len(uri) >= 5 && strings.EqualFold(uri[:5], "file:") }

var errNoReference = errors.New("there is no URI")

func resolve(base, ref string, hyper bool) (string, error) {
	ref = strings.Map(func(c rune) rune {
		if c == '\n' || c == '\r' || c == '\t' {
			return -1
		}
		return c
	}, strings.TrimSpace(ref))
	if ref == "" {
		return "", errNoReference
	}
	if rfc3986.IsAbsolute([]byte(ref)) {
		u, err := seedlist.ParseURI(ref)
		return u.Given, err
	}
	// What looks like a host name without its scheme is refused and not resolved: the
	// error says what was meant.
	if _, err := seedlist.ParseURI(ref); err != nil && !hyper && !strings.HasPrefix(ref, "/") {
		return "", err
	}
	if strings.ContainsAny(ref, "<>\"{}|\\^`") {
		return "", errors.New("no URI")
	}
	u, err := seedlist.ParseURI(string(rfc3986.AppendResolved(nil, []byte(base), []byte(strings.ReplaceAll(ref, " ", "%20")))))
	if err == nil && u.Relative {
		err = errors.New("a relative reference, and the catalog has no URI")
	}
	return u.Given, err
}

func reasonOf(uri string, err error) Reason {
	if errors.Is(err, errNoReference) {
		return NoURI
	}
	if errors.Is(err, errFile) {
		return BadScheme
	}
	scheme, _, ok := strings.Cut(strings.TrimSpace(uri), ":")
	if ok && scheme != "" && strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+-") == "" &&
		!slices.Contains([]string{"http", "https", "ftp"}, strings.ToLower(scheme)) {
		return BadScheme
	}
	return BadURI
}

func withoutFragment(uri string) string {
	uri, _, _ = strings.Cut(uri, "#")
	return uri
}

func hostOf(uri string) string {
	u, err := seedlist.ParseURI(uri)
	if err != nil {
		return ""
	}
	return u.Host
}
