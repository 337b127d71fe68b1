package catalog

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"

	"laundromat/internal/pattern"
)

// listingTitle begins the titles of the pages in which servers list a folder.
var listingTitle = pattern.New(
	`(?i)<(title|h1)[^>]*>\s*(index of\b|directory listing (for|of)\b|listing of\b|folder listing\b|contents of /|directory: /)`)

// listingHead is how much of a page is looked at to see whether it lists a folder, in bytes.
const listingHead = 64 << 10

// isListing says that a page is what a server shows of a folder: by its title, or by its links. The
// title is in the language of the server, where there is one.
func isListing(head []byte, uri string) bool {
	if listingTitle.Match(head[:min(len(head), listingHead)]) {
		return true
	}
	links := linksOfFolder(head, uri)
	return links.inside > 0 && links.around > 0 && links.other <= mostOther
}

// mostOther is how many links a server adds to the listing of a folder: to itself, to help.
const mostOther = 3

// isBareList says that a page has links to what is in its own folder, and hardly another. Servers and
// people write such pages; what is in the folders belongs to them.
func isBareList(head []byte, uri string) bool {
	links := linksOfFolder(head, uri)
	return links.inside+links.folders > 1 && links.other <= 1
}

// folderLinks counts the links of a page by where they lead.
type folderLinks struct {
	inside  int // to what is in its own folder, called as it is there
	folders int // of these, to folders
	around  int // to the folders above, and to the folder itself in another order
	other   int
}

func linksOfFolder(head []byte, uri string) (links folderLinks) {
	head = head[:min(len(head), listingHead)]
	if name := withoutQuery(uri); !strings.HasSuffix(name, "/") && strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ".") {
		return links // a page in the folder
	}
	opt := Options{}
	opt.applyDefaults()
	r := &reading{ctx: context.Background(), doc: Document{URI: uri}, opt: &opt, text: bytes.NewReader(head), hyper: true}
	folder := r.folder()
	r.anchors(func(a anchor) error {
		if a.tag != "a" {
			return nil
		}
		target, err := r.resolve(a.href)
		bare := withoutQuery(target)
		name, ok := strings.CutPrefix(bare, folder)
		switch {
		case err != nil, !ok && !strings.HasPrefix(folder, bare):
			links.other++
		case !ok, name == "" && bare != target && strings.Contains(target, "?"):
			links.around++
		case name == "":
		case strings.Contains(strings.TrimSuffix(name, "/"), "/") || !a.isCalled(strings.TrimSuffix(name, "/")):
			links.other++
		default:
			links.inside++
			if a.isFolder(name) {
				links.folders++
			}
		}
		return nil
	})
	return links
}

// folder is where the page's own folder begins.
func (r *reading) folder() string {
	folder := withoutQuery(r.doc.URI)
	if at := strings.LastIndexByte(folder, '/'); at >= len("https://") {
		folder = folder[:at+1]
	}
	return folder
}

// isCalled says that a link is called as the name in it, which may be cut off at its end.
func (a *anchor) isCalled(name string) bool {
	for _, name := range []string{name, unescaped(name)} {
		for _, text := range []string{a.text, a.title} {
			text = strings.TrimSuffix(strings.TrimSpace(text), "/")
			if text == name || strings.HasSuffix(text, " "+name) {
				return true
			}
			bare := strings.TrimRight(text, ".…>")
			if len(bare) > 0 && len(bare) < len(text) && strings.HasPrefix(name, bare) {
				return true
			}
		}
	}
	return false
}

// isFolder says that a link of a listing leads to a folder; name is what is behind the page's own.
func (a *anchor) isFolder(name string) bool {
	if strings.HasSuffix(name, "/") || strings.HasSuffix(strings.TrimSpace(a.text), "/") || strings.HasSuffix(a.title, "/") {
		return true
	}
	return slices.ContainsFunc(strings.Fields(strings.ToLower(a.class)), func(class string) bool {
		return class == "folder" || class == "dir" || class == "directory" || strings.HasSuffix(class, "-folder") ||
			strings.HasSuffix(class, "-directory")
	})
}

// orderKeys are the keys of a query that asks for the order, or the look, of a listing.
var orderKeys = []string{"c", "o", "f", "v", "p", "sort", "order", "sortby", "sort_by", "orderby", "order_by", "dir", "layout", "view"}

// withoutOrder is the URI of a folder without the order in which it is to be listed.
func withoutOrder(uri string) string {
	bare, query, ok := strings.Cut(withoutFragment(uri), "?")
	if !ok {
		return bare
	}
	for part := range strings.FieldsFuncSeq(query, func(c rune) bool { return c == '&' || c == ';' }) {
		key, _, _ := strings.Cut(part, "=")
		if !slices.Contains(orderKeys, strings.ToLower(key)) {
			return bare + "?" + query
		}
	}
	return bare
}

// listing reads a folder as Apache, nginx, lighttpd, Caddy, IIS and others show it: the files, and the
// folders in it as further pages.
func (r *reading) listing() error {
	r.hyper = true
	folder := r.folder()
	seen := map[string]bool{}
	_, err := r.anchors(func(a anchor) error {
		if a.tag != "a" {
			r.description(a)
			return nil
		}
		href := strings.TrimSpace(a.href)
		uri, err := r.resolve(href)
		if err != nil {
			return r.refuse(href, reasonOf(href, err), err.Error())
		}
		inside, ok := strings.CutPrefix(withoutQuery(uri), folder)
		isFolder := a.isFolder(inside)
		if isFolder {
			uri = withoutOrder(uri)
		}
		switch {
		case slices.Contains(strings.Fields(a.rel), "next"):
			r.next(uri, Listing)
			return nil
		case !ok:
			return r.refuse(uri, OtherLink, "not in this folder")
		case inside == "" && strings.Contains(uri, "?"):
			return r.refuse(href, OtherLink, "an order of the listing")
		case inside == "" || seen[uri]:
			return r.refuse(uri, OtherLink, "the folder itself, or named twice")
		}
		seen[uri] = true
		if err := r.hold(len(uri) + 50); err != nil {
			return err
		}
		if isFolder {
			r.lead(uri, Listing)
			return nil
		}
		claims := Claims{}
		details := a.after
		if m := listingTime.FindString(details); m != "" {
			claims.setModified(m)
			details = details[strings.Index(details, m)+len(m):]
			if size := listingSize.FindStringSubmatch(details); size != nil {
				claims.setSize(size[1])
			}
		}
		return r.take(found{uri: uri, title: firstOf(a.title, unescaped(inside)), claims: claims, needsSign: true})
	})
	return err
}

// description follows a link in the head of a listing to what describes the data in it.
func (r *reading) description(a anchor) {
	if isDescription(strings.Fields(a.rel)) && natureOf(a.kind) != notRDF {
		r.lead(a.href, Any)
	}
}

var (
	listingTime = pattern.New(
		`[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?|[0-9]{2}-[A-Z][a-z]{2}-[0-9]{4} [0-9]{2}:[0-9]{2}(:[0-9]{2})?|[0-9]{4}-[A-Z][a-z]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}(:[0-9]{2})?`)
	listingSize = pattern.New(`^\s*([0-9]+(?:\.[0-9]+)?\s?[KMGTkmgt]?)i?[Bb]?\b`)
)

// unescaped is a name of a file as people read it.
func unescaped(name string) string {
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}
