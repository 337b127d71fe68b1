package bolt

import (
	"encoding/json"
	"slices"

	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
)

// listedClaims are those that lists and sums are made by, and those in words, which are searched.
var listedClaims = []string{catalog.Publisher, catalog.License, catalog.DatasetTitle, "description", "keywords"}

// readSummed reads the field at hand if sums by publisher need it.
func (f *recordFields) readSummed(c *seedlist.Stored) {
	switch string(f.name) {
	case "document":
		c.Document = f.text()
	case "added":
		f.require(c.Added.UnmarshalJSON(f.value) == nil)
	case "broken":
		f.require(c.Broken.UnmarshalJSON(f.value) == nil)
	case "mended":
		f.require(c.Mended.UnmarshalJSON(f.value) == nil)
	case "retrieved":
		f.require(c.Retrieved.UnmarshalJSON(f.value) == nil)
	case "claims":
		c.Claims = f.claims()
	case "http":
		c.HTTP = f.exchanges()
	case "history":
		c.History = f.history()
	case "records":
		f.require(json.Unmarshal(f.value, &c.Records) == nil)
	case "articles":
		f.require(json.Unmarshal(f.value, &c.Articles) == nil)
	}
}

func (f *recordFields) claims() map[string]string {
	var claims map[string]string
	in := recordFieldsOf(f.value)
	for in.next() {
		if name := string(in.name); slices.Contains(listedClaims, name) {
			if claims == nil {
				claims = map[string]string{}
			}
			claims[name] = in.text()
		}
	}
	f.require(!in.isBad)
	return claims
}

// exchanges are those of a chain, by status alone.
func (f *recordFields) exchanges() (chain []seedlist.Exchange) {
	for item := range f.items() {
		var one seedlist.Exchange
		in := recordFieldsOf(item)
		for in.next() {
			switch string(in.name) {
			case "status":
				one.Status = int(in.number())
			case "robots":
				one.Robots = string(in.value) == "true"
			}
		}
		f.require(!in.isBad)
		chain = append(chain, one)
	}
	return chain
}

// history is that of the washes: when, and what became of the statements.
func (f *recordFields) history() (all []seedlist.Version) {
	for item := range f.items() {
		var v seedlist.Version
		in := recordFieldsOf(item)
		for in.next() {
			switch string(in.name) {
			case "washed":
				f.require(v.Washed.UnmarshalJSON(in.value) == nil)
			case "clean":
				v.Clean = in.text()
			case "written":
				written := in.number()
				v.Written = &written
			case "read":
				v.Read = in.number()
			case "repaired":
				v.Repaired = in.number()
			case "dropped":
				v.Dropped = in.number()
			case "changes":
				f.require(json.Unmarshal(in.value, &v.Changes) == nil)
			}
			f.isBad = f.isBad || in.isBad
		}
		f.require(!in.isBad)
		all = append(all, v)
	}
	return all
}

// items are those of the array at hand.
func (f *recordFields) items() func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		rest := f.value
		if len(rest) < 2 || rest[0] != '[' || rest[len(rest)-1] != ']' {
			f.isBad = true
			return
		}
		for rest = rest[1 : len(rest)-1]; len(rest) > 0; {
			n := valueLength(rest)
			if n <= 0 || n < len(rest) && (rest[n] != ',' || n+1 == len(rest)) {
				f.isBad = true
				return
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[min(n+1, len(rest)):]
		}
	}
}
