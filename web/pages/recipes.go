package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/web"
)

const (
	recipesShown = 100     // of the list on a page
	summedAtMost = 5000    // documents of a recipe that are added up for its page
	changedShown = 20      // pages that changed
	unreadShown  = 8       // formats that no recipe reads
	recipeValues = 8       // of a facet, on the page of a recipe
	mostRecipe   = 1 << 20 // bytes of a form
)

// recipeSite has the pages about recipes.
type recipeSite struct{ *site }

// kept are the recipes of the list.
func (s recipeSite) kept() web.RecipeReader { return web.RecipeReader{Reader: s.read} }

// recipeRoutes are the pages about recipes.
func recipeRoutes() []route {
	at := func(fill func(recipeSite, *http.Request) (page, error)) func(*site, *http.Request) (page, error) {
		return func(s *site, r *http.Request) (page, error) { return fill(recipeSite{s}, r) }
	}
	return []route{
		{pattern: "GET /recipes", nav: "Recipes", takes: []string{"from"}, fill: at(recipeSite.list)},
		{pattern: "POST /recipes", fill: at(recipeSite.put)},
		{pattern: "POST /recipes/test", fill: at(recipeSite.test)},
		{pattern: "GET /recipes/{name}", fill: at(recipeSite.show)},
		{pattern: "POST /recipes/{name}/move", fill: at(recipeSite.move)},
		{pattern: "POST /recipes/{name}/remove", fill: at(recipeSite.remove)},
	}
}

// recipeRow is a recipe of the list.
type recipeRow struct {
	web.Recipe
	Place int // from 1
	Match []claim
}

// recipeForm is the form in which a recipe is written, tried and kept.
type recipeForm struct {
	Name                   string // of the recipe whose page it is on; "" for a new one
	Text, Before, Document string
	MayOperate             bool
	IsNew                  bool
	Wrong                  string // why it was not kept
	Tried                  *triedRecipe
}

// triedRecipe is what a recipe makes of a document.
type triedRecipe struct {
	web.RecipeTried
	Lines   []string
	Columns []fieldFound
}

// fieldFound is in how many records a field is.
type fieldFound struct {
	Name   string
	N, All int64
}

// fieldTable is a table of fields, with what it is called.
type fieldTable struct {
	Label  string
	Fields []fieldFound
}

// recipeList is a page of the recipes, in their order.
type recipeList struct {
	Recipes      []recipeRow
	Total        int
	Before, Next string
	Removed      []claimCount
	Unread       []web.UnreadFormat
	Form         recipeForm
}

// claimCount is a number by a name.
type claimCount struct {
	Name string
	N    int64
}

func (s recipeSite) list(r *http.Request) (page, error) {
	return s.listWith(r, recipeForm{IsNew: true, MayOperate: mayOperate(r)})
}

func (s recipeSite) listWith(r *http.Request, form recipeForm) (page, error) {
	ctx := r.Context()
	all, err := s.kept().Recipes(ctx)
	if err != nil {
		return page{}, err
	}
	from := 0
	if text := r.URL.Query().Get("from"); text != "" {
		if from = positive(text) - 1; from < 0 {
			return page{}, web.Invalid("from is a number from 1")
		}
	}
	l := recipeList{Total: len(all.Recipes), Form: form}
	from = min(from, l.Total)
	shown := all.Recipes[from:min(from+recipesShown, l.Total)]
	if from > 0 {
		l.Before = address("/recipes", "from", max(1, from+1-recipesShown))
	}
	if from+len(shown) < l.Total {
		l.Next = address("/recipes", "from", from+1+recipesShown)
	}
	var sums []string
	for _, one := range shown {
		sums = append(sums, one.SHA256)
	}
	bodies, err := s.kept().RecipeForms(ctx, sums...)
	if err != nil {
		return page{}, err
	}
	for i, one := range shown {
		l.Recipes = append(l.Recipes, recipeRow{one, from + i + 1, matchOf(bodies[one.SHA256])})
	}
	for name, n := range all.Removed {
		l.Removed = append(l.Removed, claimCount{name, n})
	}
	slices.SortFunc(l.Removed, func(a, b claimCount) int { return cmp.Compare(a.Name, b.Name) })
	if l.Unread, err = s.kept().UnreadFormats(ctx); err != nil {
		return page{}, err
	}
	l.Unread = l.Unread[:min(len(l.Unread), unreadShown)]
	p := page{title: "Recipes", template: "recipes.html", data: l}
	if form.Wrong != "" {
		p.status = http.StatusUnprocessableEntity
	}
	return p, nil
}

// matchOf are the conditions of a recipe, as words.
func matchOf(body []byte) (all []claim) {
	var read struct{ Match json.RawMessage }
	if json.Unmarshal(body, &read) != nil {
		return nil
	}
	in := json.NewDecoder(bytes.NewReader(read.Match))
	in.Token() // {
	for in.More() {
		name, err := in.Token()
		var values []string
		if err != nil || in.Decode(&values) != nil {
			return all
		}
		all = append(all, claim{name.(string), strings.Join(values, ", ")})
	}
	return all
}

// recipePage is one recipe: what it was found for, what came of it, and its form.
type recipePage struct {
	recipeRow
	Total       int
	Above, Next string // the names of those beside it in the order
	Sums        web.RecipeSums
	Fields      []fieldFound
	Led         int64
	Facets      []recipeFacet
	Unread      []web.UnreadFormat
	Form        recipeForm
	Downloads   []string
	MayOperate  bool
}

// recipeFacet are the documents of a recipe by a property.
type recipeFacet struct {
	Label  string
	Values []facetValue
}

// List is the address of the list of its documents with one more filter.
func (p recipePage) List(name string, value any) string {
	return address("/seeds", "recipe", p.Name, name, value)
}

// recipeFacets are those of the page of a recipe.
var recipeFacets = []struct {
	facet views.Facet
	label string
}{{views.State, "State"}, {views.Format, "Format"}, {views.Error, "Error"}, {views.Notice, "Notice"}, {views.Host, "Host"}}

// recipeNamed finds a recipe in the list.
func (s recipeSite) recipeNamed(r *http.Request, name string) (all []web.Recipe, at int, err error) {
	listed, err := s.kept().Recipes(r.Context())
	if err != nil {
		return nil, 0, err
	}
	at = slices.IndexFunc(listed.Recipes, func(one web.Recipe) bool { return one.Name == name })
	if at < 0 {
		return nil, 0, web.NoRecipe(name)
	}
	return listed.Recipes, at, nil
}

func (s recipeSite) show(r *http.Request) (page, error) {
	return s.showWith(r, r.PathValue("name"), recipeForm{})
}

func (s recipeSite) showWith(r *http.Request, name string, form recipeForm) (page, error) {
	ctx := r.Context()
	all, at, err := s.recipeNamed(r, name)
	if err != nil {
		return page{}, err
	}
	p := recipePage{Total: len(all), Downloads: []string{"jsonl", "csv", "xlsx", "parquet"}, MayOperate: mayOperate(r)}
	p.recipeRow = recipeRow{Recipe: all[at], Place: at + 1}
	if at > 0 {
		p.Above = all[at-1].Name
	}
	if at+1 < len(all) {
		p.Next = all[at+1].Name
	}
	bodies, err := s.kept().RecipeForms(ctx, p.SHA256)
	if err != nil {
		return page{}, err
	}
	p.Match = matchOf(bodies[p.SHA256])
	if p.Form = form; form.Text == "" {
		p.Form.Text = recipeText(name, bodies[p.SHA256])
	}
	p.Form.Name, p.Form.IsNew, p.Form.MayOperate = name, false, p.MayOperate
	if p.Sums, err = s.kept().RecipeSums(ctx, name, summedAtMost, changedShown); err != nil {
		return page{}, err
	}
	fields, led, err := s.kept().RecipeCounts(ctx, name)
	if err != nil {
		return page{}, err
	}
	p.Fields, p.Led = foundFields(fields, p.Sums.Served), led
	if p.Facets, err = s.facetsOf(r, name); err != nil {
		return page{}, err
	}
	if p.Unread, err = s.kept().UnreadFormats(ctx); err != nil {
		return page{}, err
	}
	p.Unread = p.Unread[:min(len(p.Unread), unreadShown)]
	shown := page{title: "Recipe " + name, template: "recipe.html", data: p}
	if form.Wrong != "" {
		shown.status = http.StatusUnprocessableEntity
	}
	return shown, nil
}

// facetsOf counts the documents of a recipe; nothing where that is not counted here.
func (s recipeSite) facetsOf(r *http.Request, name string) (facets []recipeFacet, err error) {
	var by []views.Facet
	for _, f := range recipeFacets {
		by = append(by, f.facet)
	}
	among, err := s.kept().RecipeAmong(r.Context(), name, by, recipeValues)
	if err != nil {
		if web.ProblemOf(err).Status == http.StatusServiceUnavailable {
			err = nil
		}
		return nil, err
	}
	for _, f := range recipeFacets {
		one := recipeFacet{Label: f.label}
		for _, c := range among.Facets[f.facet].Counts {
			value := c.Values[0]
			one.Values = append(one.Values, facetValue{Value: value, Words: value, N: c.Seeds,
				Path: address("/seeds", "recipe", name, f.facet.String(), value)})
		}
		if len(one.Values) > 0 {
			facets = append(facets, one)
		}
	}
	return facets, nil
}

// foundFields are fields, the one that most records have first.
func foundFields(fields map[string]int64, all int64) (found []fieldFound) {
	for name, n := range fields {
		found = append(found, fieldFound{name, n, max(all, n)})
	}
	slices.SortFunc(found, func(a, b fieldFound) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	return found
}

// recipeText is a recipe as people change it.
func recipeText(name string, body []byte) string {
	quoted, _ := json.Marshal(name)
	whole := `{"name":` + string(quoted) + "," + strings.TrimPrefix(string(body), "{")
	var text bytes.Buffer
	if json.Indent(&text, []byte(whole), "", "  ") != nil {
		return whole
	}
	return text.String() + "\n"
}

// formOf reads the form in which a recipe is written.
func formOf(r *http.Request) (f recipeForm, err error) {
	if err := parseForm(r, mostRecipe); err != nil {
		return f, err
	}
	get := func(name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }
	f = recipeForm{Text: strings.ReplaceAll(r.PostForm.Get("text"), "\r\n", "\n"), Before: get("before"), Document: get("document"),
		IsNew: get("recipe") == "", MayOperate: mayOperate(r)}
	return f, nil
}

// again shows the page that a form came from, with what was written in it.
func (s recipeSite) again(r *http.Request, form recipeForm) (page, error) {
	if name := r.PostForm.Get("recipe"); name != "" {
		return s.showWith(r, name, form)
	}
	return s.listWith(r, form)
}

// wrong shows a form again that was refused.
func (s recipeSite) wrong(r *http.Request, form recipeForm, err error) (page, error) {
	switch p := web.ProblemOf(err); p.Status {
	case http.StatusUnprocessableEntity, http.StatusNotFound:
		form.Wrong = p.Detail
		return s.again(r, form)
	}
	return page{}, err
}

func (s recipeSite) put(r *http.Request) (page, error) {
	form, err := formOf(r)
	if err != nil {
		return page{}, err
	}
	name, err := s.kept().PutRecipe(r.Context(), web.PutRecipe{Text: form.Text, Before: form.Before})
	if err != nil {
		return s.wrong(r, form, err)
	}
	return page{location: "/recipes/" + url.PathEscape(name)}, nil
}

// test reads a document by what is written in a form, and keeps nothing.
func (s recipeSite) test(r *http.Request) (page, error) {
	form, err := formOf(r)
	if err != nil {
		return page{}, err
	}
	tried, err := s.kept().TryRecipe(r.Context(), web.TestRecipe{Text: form.Text, Document: form.Document})
	if err != nil {
		return s.wrong(r, form, err)
	}
	form.Tried = &triedRecipe{RecipeTried: tried, Columns: foundFields(tried.Fields, tried.Records.Written)}
	for _, row := range tried.Rows {
		form.Tried.Lines = append(form.Tried.Lines, string(row))
	}
	return s.again(r, form)
}

// move puts a recipe in front of another.
func (s recipeSite) move(r *http.Request) (page, error) {
	if err := parseForm(r, mostForm); err != nil {
		return page{}, err
	}
	name, before := r.PathValue("name"), strings.TrimSpace(r.PostForm.Get("before"))
	if r.PostForm.Has("after") { // the one behind it goes before it
		name, before = strings.TrimSpace(r.PostForm.Get("after")), name
	}
	if before == "" {
		return page{}, unprocessable("before is the name of the recipe that it goes before")
	}
	all, at, err := s.recipeNamed(r, name)
	if err != nil {
		return page{}, err
	}
	bodies, err := s.kept().RecipeForms(r.Context(), all[at].SHA256)
	if err != nil {
		return page{}, err
	}
	_, err = s.kept().PutRecipe(r.Context(), web.PutRecipe{Text: recipeText(name, bodies[all[at].SHA256]), Before: before})
	return page{location: "/recipes/" + url.PathEscape(r.PathValue("name"))}, err
}

func (s recipeSite) remove(r *http.Request) (page, error) {
	return page{location: "/recipes"}, s.kept().RemoveRecipe(r.Context(), r.PathValue("name"))
}

// changedWhy is why a page does not fit its recipe any more.
func changedWhy(seed seedlist.Seed) string {
	if p := seed.Product(seedlist.ProductRecords); p != nil && p.Error != nil {
		return p.Error.Message
	}
	return ""
}
