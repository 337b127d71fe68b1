package catalog

import (
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"laundromat/internal/fault"
)

// ckanPackage is a dataset of CKAN; https://docs.ckan.org/en/2.11/api/.
type ckanPackage struct {
	ID, Name, Title, State, Type text
	Private                      any
	LicenseID                    text `json:"license_id"`
	LicenseTitle                 text `json:"license_title"`
	LicenseURL                   text `json:"license_url"`
	Author                       text
	PackageID                    text `json:"package_id"`
	Organization                 json.RawMessage
	Resources                    json.RawMessage
}

type ckanResource struct {
	URL, Name, Title, Format, Mimetype, Size, Hash, State text
	LastModified                                          text `json:"last_modified"`
	HashAlgorithm                                         text `json:"hash_algorithm"`
}

// ckan reads a reply of the action API, or a bare package.
func (r *reading) ckan() error {
	t, err := r.json()
	if err != nil {
		return err
	}
	for first := true; first || t.hasMore(); first = false {
		if err := r.ckanReply(t); err != nil {
			return err
		}
	}
	return nil
}

// ckanReply reads a reply, a package, or a list of packages.
func (r *reading) ckanReply(t *jsonText) error {
	reply := ckanReply{r: r, t: t}
	token, err := t.open()
	switch {
	case err != nil:
		return jsonErr(err)
	case token == json.Delim('['):
		return jsonErr(t.elements(reply.item))
	case token != json.Delim('{'):
		return jsonErr(errShape)
	}
	var bare map[string]json.RawMessage // the keys of a package without a reply around it
	err = t.members(func(key string) error {
		switch key {
		case "success":
			return t.value(&reply.success)
		case "error":
			return t.value(&reply.failure)
		case "result":
			return reply.result()
		case "help":
			return t.skip()
		}
		if bare == nil {
			bare = map[string]json.RawMessage{}
		}
		var raw json.RawMessage
		if err := t.value(&raw); err != nil {
			return err
		}
		bare[key] = raw
		return r.hold(len(key) + len(raw))
	})
	if err != nil {
		return jsonErr(err)
	}
	if reply.failed() {
		return fault.New("catalog.Read", fault.Data, fault.CatalogReply, "the portal says: %s", reply.message())
	}
	if bare["resources"] != nil && !reply.any {
		whole, err := json.Marshal(bare)
		if err != nil {
			return err
		}
		var p ckanPackage
		if err := json.Unmarshal(whole, &p); err != nil {
			return jsonErr(err)
		}
		return r.ckanPackage(&p)
	}
	return nil
}

type ckanReply struct {
	r       *reading
	t       *jsonText
	success text
	failure any
	any     bool // there was a result

	results int64
}

// result reads what the action gave: a search, a package, or a list of names or
// packages.
func (c *ckanReply) result() error {
	c.any = true
	token, err := c.t.open()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		return c.t.elements(c.item)
	case json.Delim('{'):
	default:
		return nil
	}
	var rest map[string]json.RawMessage
	count, listed, members := text(""), false, false
	err = c.t.members(func(key string) error {
		switch key {
		case "count":
			return c.t.value(&count)
		case "results":
			listed = true
			return c.t.array(c.item)
		case "packages", "datasets": // of a group or an organization
			members = true
			if err := c.t.array(c.item); err == nil || !errors.Is(err, errShape) {
				return err
			}
			return nil
		case "facets", "search_facets", "expanded", "sort":
			return c.t.skip()
		}
		if rest == nil {
			rest = map[string]json.RawMessage{}
		}
		var raw json.RawMessage
		if err := c.t.value(&raw); err != nil {
			return err
		}
		rest[key] = raw
		return c.r.hold(len(key) + len(raw))
	})
	if err != nil {
		return err
	}
	if rest["resources"] != nil {
		whole, err := json.Marshal(rest)
		if err != nil {
			return err
		}
		var p ckanPackage
		if err := json.Unmarshal(whole, &p); err != nil {
			return err
		}
		return c.r.ckanPackage(&p)
	}
	switch {
	case members || rest["package_count"] != nil:
		c.rest(rest)
	case c.results > 0 || listed:
		c.more(string(count))
	}
	return nil
}

// rest leads to the packages of a group or an organization that the reply about it left out. It gives
// them only if asked for, and not more than a thousand.
func (c *ckanReply) rest(said map[string]json.RawMessage) {
	var of struct {
		Name, ID text
		Count    text `json:"package_count"`
	}
	whole, err := json.Marshal(said)
	if err != nil || json.Unmarshal(whole, &of) != nil {
		return
	}
	count, known := wholeNumber(string(of.Count))
	if !known || c.results >= count {
		return
	}
	field := "groups"
	if strings.Contains(c.r.doc.URI, "organization_show") || said["is_organization"] != nil && string(said["is_organization"]) == "true" {
		field = "organization"
	}
	search := action(c.r.doc.URI, "package_search", "fq", field+":"+firstOf(of.Name, of.ID))
	if search == "" {
		c.r.refuse(c.r.doc.URI, Incomplete, "it is said to have "+itoa(count)+" packages, and "+itoa(c.results)+" are here")
		return
	}
	c.r.lead(search+"&rows=100&start=0", CKAN)
}

// item reads a package, or the name of one.
func (c *ckanReply) item() error {
	var raw json.RawMessage
	if err := c.t.value(&raw); err != nil {
		return err
	}
	c.results++
	switch {
	case raw[0] == '"':
		var name string
		if err := json.Unmarshal(raw, &name); err != nil {
			return err
		}
		if show := packageShow(c.r.doc.URI, name); show != "" {
			c.r.lead(show, CKAN)
			return nil
		}
		return c.r.refuse(name, NoURI, "a name, and no action API to ask for it")
	case raw[0] == '{':
		var p ckanPackage
		if err := json.Unmarshal(raw, &p); err != nil {
			return c.r.refuse("", Damaged, "a package of another shape than such a catalog has")
		}
		var resource ckanResource // what resource_search gives
		if p.Resources == nil && (p.PackageID != "" || firstOf(p.Name, p.Title) == "") && json.Unmarshal(raw, &resource) == nil &&
			resource.URL != "" {
			p = ckanPackage{Resources: raw}
		}
		if p.Resources == nil { // only named
			if show := packageShow(c.r.doc.URI, firstOf(p.Name, p.ID)); show != "" && firstOf(p.Name, p.ID) != "" {
				c.r.lead(show, CKAN)
				return nil
			}
		}
		return c.r.ckanPackage(&p)
	}
	return c.r.refuse(clean(string(raw[:min(len(raw), 80)])), Damaged, "no package")
}

// more leads to the next page of a search. Portals give fewer records at once than was asked for,
// leave pages empty, and count wrong. So the search goes on by what came, to a page after the count
// that holds nothing. What the count says that there is, and did not come, is reported.
func (c *ckanReply) more(counted string) {
	u, err := url.Parse(c.r.doc.URI)
	if err != nil || !strings.Contains(u.Path, "_search") {
		return
	}
	startKey, rowsKey := "start", "rows"
	if strings.Contains(u.Path, "resource_search") {
		startKey, rowsKey = "offset", "limit"
	}
	query := u.Query()
	start, _ := strconv.ParseInt(query.Get(startKey), 10, 64)
	asked, _ := strconv.ParseInt(query.Get(rowsKey), 10, 64)
	if start < 0 || start > 1<<40 {
		return
	}
	count, known := wholeNumber(counted)
	s := c.r.opt.series
	if !s.counting {
		s.counting, s.records = true, start
	}
	s.records += c.results
	s.most = max(s.most, c.results)
	step := c.results
	if step == 0 && known && start < count { // an empty page before the end
		if step = s.most; step == 0 {
			step = min(asked, count)
		}
	}
	ends := known && start+step >= count
	if (ends || step == 0) && known && s.records < count && !s.short {
		s.short = true
		c.r.refuse(c.r.doc.URI, Incomplete, "the portal says that it has "+itoa(count)+" records, and gave "+itoa(s.records))
	}
	if step == 0 {
		return
	}
	query.Set(startKey, strconv.FormatInt(start+step, 10))
	if query.Get(rowsKey) == "" {
		query.Set(rowsKey, "100")
	}
	u.RawQuery = query.Encode()
	c.r.leadTo(u.String(), Page{Kind: CKAN, Series: true, Optional: ends})
}

// failed says that the portal could not do what it was asked for.
func (c *ckanReply) failed() bool {
	switch strings.ToLower(c.success.String()) {
	case "false", "0":
		return true
	case "":
		return c.failure != nil && c.failure != false
	}
	return c.failure != nil && c.failure != false && !c.any
}

func (c *ckanReply) message() string {
	failure, _ := c.failure.(map[string]any)
	for _, key := range []string{"message", "__type"} {
		if s, ok := failure[key].(string); ok && s != "" {
			return clean(s)
		}
	}
	if c.failure != nil {
		if data, err := json.Marshal(c.failure); err == nil {
			return clean(string(data))
		}
	}
	return "no success, and no reason"
}

// ckanPackage gives out the resources of a package.
func (r *reading) ckanPackage(p *ckanPackage) error {
	withdrawn := ""
	switch {
	case p.State != "" && p.State != "active":
		withdrawn = "the package is " + string(p.State)
	case p.Private == true || p.Private == "True" || p.Private == "true":
		withdrawn = "the package is private"
	}
	resources, odd := p.resources()
	for _, one := range odd {
		r.refuse(firstOf(p.Name, p.Title), Damaged, "a resource of another shape than such a catalog has: "+one)
	}
	if len(resources)+len(odd) == 0 {
		return r.refuse(firstOf(p.Name, p.Title), NoURI, "a package without resources")
	}
	publisher := p.publisher()
	var all []found
	for i := range resources {
		resource := &resources[i]
		reason := withdrawn
		if resource.State != "" && resource.State != "active" {
			reason = "the resource is " + string(resource.State)
		}
		if reason != "" {
			r.refuse(resource.URL.String(), Withdrawn, reason)
			continue
		}
		claims := Claims{}
		claims.set(License, firstOf(p.LicenseURL, p.LicenseTitle, p.LicenseID))
		claims.set(Publisher, publisher)
		title, own := firstOf(p.Title, p.Name), firstOf(resource.Name, resource.Title)
		if own != "" && own != title {
			claims.set(DatasetTitle, title)
			title = own
		}
		if mimetype := mediaType(resource.Mimetype.String()); strings.Contains(mimetype, "/") {
			claims.set(MediaType, mimetype)
		}
		claims.setSize(string(resource.Size))
		claims.setChecksum(string(resource.HashAlgorithm), string(resource.Hash))
		claims.setModified(string(resource.LastModified))
		all = append(all, found{
			uri: string(resource.URL), title: title, claims: claims,
			formats: []string{resource.Format.String(), resource.Mimetype.String()},
		})
	}
	return r.takeAll(all)
}

// resources are those of a package, each as it can be read; strange ones are shown.
func (p *ckanPackage) resources() (all []ckanResource, odd []string) {
	var list []json.RawMessage
	if err := json.Unmarshal(p.Resources, &list); err != nil && len(p.Resources) > 0 && string(p.Resources) != "null" {
		list = []json.RawMessage{p.Resources}
	}
	for _, raw := range list {
		var resource ckanResource
		var uri string
		switch {
		case json.Unmarshal(raw, &resource) == nil && raw[0] == '{':
		case json.Unmarshal(raw, &uri) == nil && uri != "":
			resource = ckanResource{URL: text(uri)}
		default:
			odd = append(odd, clean(string(raw[:min(len(raw), 80)])))
			continue
		}
		all = append(all, resource)
	}
	return all, odd
}

// publisher is who has the package: its organization by its title or name, else its author.
func (p *ckanPackage) publisher() string {
	var named struct{ Title, Name text }
	var name text
	switch {
	case json.Unmarshal(p.Organization, &named) == nil && firstOf(named.Title, named.Name) != "":
		return firstOf(named.Title, named.Name)
	case json.Unmarshal(p.Organization, &name) == nil && name != "":
		return name.String()
	}
	return p.Author.String()
}

// packageShow is the action that shows a package, next to the one that was asked.
func packageShow(asked, name string) string { return action(asked, "package_show", "id", name) }

// packageList is the action that lists all names; "" if it is the one that was asked.
func packageList(asked string) string {
	if strings.Contains(asked, "package_list") {
		return ""
	}
	return action(asked, "package_list", "", "")
}

func action(asked, name, key, value string) string {
	before, _, ok := strings.Cut(asked, "/action/")
	if !ok {
		return ""
	}
	uri := before + "/action/" + name
	if key != "" {
		uri += "?" + url.Values{key: {value}}.Encode()
	}
	return uri
}
