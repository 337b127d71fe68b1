package pages

import (
	"net/http"
	"strings"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/web"
)

// about says what this is: its version, its words, and its API.
type about struct {
	Version string
	Base    string // of addresses, as the client knows it
	States  []seedlist.State
	Formats []string
	Groups  []codeGroup
}

// codeGroup is the codes of one group.
type codeGroup struct {
	Name  string
	Codes []fault.Info
}

func (s *site) about(r *http.Request) (page, error) {
	a := about{Version: s.read.Version(), Base: web.BaseOf(r), States: seedlist.States(), Formats: s.read.Formats(),
		Groups: groupsOf(fault.Codes())}
	return page{title: "About", template: "about.html", data: a}, nil
}

// groupsOf divides codes by what is before their stroke.
func groupsOf(all []fault.Info) (groups []codeGroup) {
	for _, info := range all {
		name, _, _ := strings.Cut(string(info.Code), "/")
		if n := len(groups); n == 0 || groups[n-1].Name != name {
			groups = append(groups, codeGroup{Name: name})
		}
		last := &groups[len(groups)-1]
		last.Codes = append(last.Codes, info)
	}
	return groups
}

// signing is the form that takes a token.
type signing struct {
	Next string
	Name string // of the token that the session has; "" for none
	Why  string
}

// backFrom is where somebody goes on who had to sign in first: the page, or that of the form, which was asked for.
func backFrom(r *http.Request) string {
	if r.Method == http.MethodGet {
		return r.URL.RequestURI()
	}
	if next := r.PostForm.Get("next"); next != "" {
		return next
	}
	for _, doing := range []string{"/again", "/stop", "/harvest", "/remove"} {
		if path, ok := strings.CutSuffix(r.URL.Path, doing); ok {
			return path
		}
	}
	return r.URL.Path
}

// signIn shows the form that begins a session, or ends it.
func (s *site) signIn(r *http.Request) (page, error) {
	who := web.WhoIn(r.Context())
	return page{title: "Sign in", template: "signin.html", data: signing{Next: r.URL.Query().Get("next"), Name: who.Name}}, nil
}
