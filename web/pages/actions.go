package pages

import (
	"net/http"
	"net/url"
	"strconv"

	"laundromat/seedlist"
	"laundromat/web"
)

// actionsShown is how many actions a page has.
const actionsShown = 50

// actionList is a page of the actions, the newest first.
type actionList struct {
	Actions []actionShown
	Next    string
}

// actionShown is an action, with the list that it is about.
type actionShown struct {
	web.Action
	List string // its address
	Bar  bar
}

func shownAction(a web.Action) actionShown {
	one := actionShown{Action: a, List: listOf(a.Filter)}
	if a.Matched != nil {
		one.Bar = bar{a.Looked, max(*a.Matched, a.Looked)}
	}
	return one
}

// Filters are those of an action, as names and values.
func (a actionShown) Filters() (all []claim) {
	for _, name := range actionFilters {
		if value := *filterValue(a.Filter, name); value != "" {
			all = append(all, claim{name, value})
		}
	}
	return all
}

// actionFilters are the parameters that say which seeds an action is about.
var actionFilters = []string{"state", "format", "encoding", "host", "source", "catalog", "error", "notice", "product", "washer", "parent",
	"http_status", "publisher", "licence", "recipe", "score",
	"class", "property", "vocabulary", "datatype", "language", "links_to", "statistics", "relative"}

// filterValue is where a filter has the value of a name.
func filterValue(f *web.ActionFilter, name string) *string {
	if f == nil {
		f = &web.ActionFilter{}
	}
	return map[string]*string{
		"state": &f.State, "format": &f.Format, "encoding": &f.Encoding, "host": &f.Host, "source": &f.Source, "catalog": &f.Catalog,
		"error": &f.Error, "notice": &f.Notice, "product": &f.Product, "washer": &f.Washer, "parent": &f.Parent, "relative": &f.Relative,
		"http_status": &f.HTTPStatus, "publisher": &f.Publisher, "licence": &f.Licence, "recipe": &f.Recipe,
		"score": &f.Score, "class": &f.Class, "property": &f.Property, "vocabulary": &f.Vocabulary, "datatype": &f.Datatype,
		"language": &f.Language,
		"links_to": &f.LinksTo, "statistics": &f.Statistics,
	}[name]
}

// listOf is the address of the list that an action is about.
func listOf(f *web.ActionFilter) string {
	query := url.Values{}
	for _, name := range actionFilters {
		if value := *filterValue(f, name); value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return "/seeds"
	}
	return "/seeds?" + query.Encode()
}

func (s *site) actions(r *http.Request) (page, error) {
	all, next, err := s.read.Actions(r.URL.Query().Get("cursor"), actionsShown)
	if err != nil {
		return page{}, err
	}
	list := actionList{Next: next}
	for _, one := range all {
		list.Actions = append(list.Actions, shownAction(one))
	}
	return page{title: "Actions", template: "actions.html", data: list}, nil
}

// actionPage is one action.
type actionPage struct {
	actionShown
	MayOperate bool
}

func (s *site) action(r *http.Request) (page, error) {
	found, err := s.read.Action(r.PathValue("id"))
	if err != nil {
		return page{}, err
	}
	return page{title: "Action " + found.ID, template: "action.html", data: actionPage{shownAction(found), mayOperate(r)}}, nil
}

// newAction is an action that somebody thinks about: what it would do, and with how many seeds.
type newAction struct {
	actionShown
	Matched    int64
	Deeds      []web.Deed
	Values     []claim // of the form that asks for it
	MayOperate bool
}

// requestOf reads what an action is to do from the parameters of a form.
func requestOf(values url.Values) (request web.ActionRequest, err error) {
	request = web.ActionRequest{Do: web.Deed(values.Get("do")), From: values.Get("from"), Filter: &web.ActionFilter{}}
	for _, name := range actionFilters {
		*filterValue(request.Filter, name) = values.Get(name)
	}
	if request.Do == web.DoSet {
		priority, err := strconv.Atoi(values.Get("priority"))
		if err != nil {
			return request, unprocessable("priority is a number, not " + strconv.Quote(values.Get("priority")))
		}
		request.Set = &seedlist.SeedSettings{Priority: &priority}
	}
	return request, nil
}

// proposed shows what an action would be about, before it is asked for.
func (s *site) proposed(r *http.Request) (page, error) {
	request, err := requestOf(r.URL.Query())
	if err != nil {
		return page{}, err
	}
	n, err := s.read.CountAction(r.Context(), request)
	if err != nil {
		return page{}, err
	}
	a := newAction{actionShown: shownAction(web.Action{ActionRequest: request}), Matched: n, Deeds: web.Deeds(), MayOperate: mayOperate(r)}
	for _, name := range append([]string{"do", "from", "priority"}, actionFilters...) {
		if value := r.URL.Query().Get(name); value != "" {
			a.Values = append(a.Values, claim{name, value})
		}
	}
	return page{title: "A new action", template: "action_new.html", data: a}, nil
}

// askAction asks for an action, and leads to its page.
func (s *site) askAction(r *http.Request) (page, error) {
	if err := parseForm(r, mostForm); err != nil {
		return page{}, err
	}
	request, err := requestOf(r.PostForm)
	if err != nil {
		return page{}, err
	}
	made, err := s.read.AskAction(r.Context(), request)
	if err != nil {
		return page{}, err
	}
	return page{location: "/actions/" + made.ID}, nil
}

func (s *site) stopAction(r *http.Request) (page, error) {
	stopped, err := s.read.StopAction(r.PathValue("id"))
	return page{location: "/actions/" + stopped.ID}, err
}

// washAgain has one seed worked on again, and leads back to its page.
func (s *site) washAgain(r *http.Request) (page, error) {
	if err := parseForm(r, mostForm); err != nil {
		return page{}, err
	}
	hash := r.PathValue("hash")
	if _, err := s.read.WashAgain(r.Context(), hash, r.PostForm.Get("how")); err != nil {
		return page{}, err
	}
	return page{location: "/seeds/" + hash}, nil
}
