package catalog

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"laundromat/internal/fault"
)

// ckanPackage is a dataset of CKAN; https://docs.ckan.org/en/2.11/api/.
type ckanPackage struct {
	Name, Title, State, Type text
	Private                  any
	LicenseID                text `json:"license_id"`
	LicenseTitle             text `json:"license_title"`
	LicenseURL               text `json:"license_url"`
	Author                   text
	Organization             *struct{ Title, Name text }
	Resources                []ckanResource
}

type ckanResource struct {
	URL, Name, Title, Format, Mimetype, Size, Hash, State text
	LastModified                                          text `json:"last_modified"`
	HashAlgorithm                                         text `json:"hash_algorithm"`
}

// ckan reads a reply of the action API, or a bare package.
func (r *reading) ckan() error {
	t := r.json()
	reply := ckanReply{r: r, t: t}
	var bare map[string]json.RawMessage // the keys of a package without a reply around it
	err := t.object(func(key string) error {
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
	if reply.failure != nil || reply.success != nil && !*reply.success {
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
	success *bool
	failure map[string]any
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
	count := text("")
	err = c.t.members(func(key string) error {
		switch key {
		case "count":
			return c.t.value(&count)
		case "results":
			return c.t.array(c.item)
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
	if n, ok := wholeNumber(string(count)); ok {
		c.more(n)
	}
	return nil
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
		if p.Resources == nil && firstOf(p.Name, p.Title) == "" {
			var resource ckanResource // what resource_search gives
			if err := json.Unmarshal(raw, &resource); err == nil && resource.URL != "" {
				p.Resources = []ckanResource{resource}
			}
		}
		return c.r.ckanPackage(&p)
	}
	return c.r.refuse(clean(string(raw[:min(len(raw), 80)])), Damaged, "no package")
}

// more leads to the next page of a search that is not at its end.
func (c *ckanReply) more(count int64) {
	u, err := url.Parse(c.r.doc.URI)
	if err != nil || c.results == 0 || !strings.Contains(u.Path, "_search") {
		return
	}
	query := u.Query()
	start, _ := strconv.ParseInt(query.Get("start"), 10, 64)
	if start < 0 || start > 1<<40 || start+c.results >= count {
		return
	}
	query.Set("start", strconv.FormatInt(start+c.results, 10))
	if query.Get("rows") == "" {
		query.Set("rows", "100")
	}
	u.RawQuery = query.Encode()
	c.r.next(u.String(), CKAN)
}

func (c *ckanReply) message() string {
	for _, key := range []string{"message", "__type"} {
		if s, ok := c.failure[key].(string); ok && s != "" {
			return clean(s)
		}
	}
	if len(c.failure) > 0 {
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
	if len(p.Resources) == 0 {
		return r.refuse(firstOf(p.Name, p.Title), NoURI, "a package without resources")
	}
	var all []found
	for i := range p.Resources {
		resource := &p.Resources[i]
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
		if o := p.Organization; o != nil {
			claims.set(Publisher, firstOf(o.Title, o.Name))
		}
		if claims[Publisher] == "" {
			claims.set(Publisher, p.Author.String())
		}
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

// packageShow is the action that shows a package, beside the one that was asked.
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
