package seedlist

import (
	"iter"
	"slices"
	"time"

	"laundromat/internal/digest"
)

// HasFile says that the product has a file of the dirty seed. Clean files are seeds of their own.
func (p *Product) HasFile() bool { return p.Name != ProductStatements && p.SHA256 != "" }

// HasOwnProduct says that a file was made of the bytes of the record, other than a clean one.
func (r *Record) HasOwnProduct() bool {
	return slices.ContainsFunc(r.Products, func(p Product) bool { return p.HasFile() && p.Of == nil })
}

// IsServed says that a file of some product is served.
func (r *Record) IsServed() bool {
	return r.ServedClean() != "" || slices.ContainsFunc(r.Products, func(p Product) bool { return p.HasFile() })
}

// madeOfStatements is what the record says of clean files.
func (r *Record) madeOfStatements() (made Made) {
	made.Recipe = r.Recipe
	if p := r.Product(ProductStatements); p != nil {
		made.Products = []Product{*p}
	}
	return made
}

// FailedMark follows the name of a product that could not be made, where values of a record are named.
const FailedMark = "!"

// HasProduct says that a product is served, or, with [FailedMark] after its name, that it could not be made.
func (r *Record) HasProduct(value string) bool {
	for name, n := range r.CountedProducts() {
		if n.Seeds > 0 && value == name || n.Errors > 0 && value == name+FailedMark {
			return true
		}
	}
	return false
}

// CountedProducts are what the record counts for, by product: a file that is served, an error, or none.
func (r *Record) CountedProducts() iter.Seq2[string, ProductCount] {
	return func(yield func(string, ProductCount) bool) {
		var c ProductCount
		if r.ServedClean() != "" {
			c.Seeds = 1
		}
		c.miss(r, r.Product(ProductStatements))
		if c != (ProductCount{}) && !yield(ProductStatements, c) {
			return
		}
		for i := range r.Products {
			p := &r.Products[i]
			if p.Name == ProductStatements {
				continue
			}
			if c = (ProductCount{}); p.HasFile() {
				c.Seeds = 1
				if p.Bytes != nil {
					c.Bytes = *p.Bytes
				}
				if p.Written != nil {
					c.Written = *p.Written
				}
			}
			c.sum(r, p.Name)
			if c.miss(r, p); !yield(p.Name, c) {
				return
			}
		}
	}
}

// sum counts what was read for a product.
func (c *ProductCount) sum(r *Record, name string) {
	switch {
	case name == ProductRecords && r.Records != nil:
		c.Read, c.Kept, c.Repaired, c.Dropped = r.Records.Read, r.Records.Kept, r.Records.Repaired, r.Records.Dropped
	case name == ProductArticles && r.Articles != nil:
		c.Read, c.Kept, c.Empty, c.Repeated = r.Articles.Read, r.Articles.Kept, r.Articles.Empty, r.Articles.Repeated
	}
}

// miss counts why none came last.
func (c *ProductCount) miss(r *Record, p *Product) {
	switch {
	case p != nil && p.None:
		c.None = 1
	case p != nil && p.Error != nil, c.Seeds > 0 && r.Error != nil:
		c.Errors = 1
	}
}

// servedProducts are the products, where the clean file is not what came last.
func (r *Record) servedProducts() (all []Product) {
	if made := r.Good.Reading.Products; len(made) > 0 {
		all = append(all, made[0])
	}
	for _, p := range r.Products {
		if p.Name == ProductStatements && len(all) > 0 {
			all[0].Error, all[0].None = p.Error, p.None
			continue
		}
		all = append(all, p)
	}
	return all
}

// holdProducts keeps what is served of the products of bytes that are replaced.
func (r *Record) holdProducts() {
	var kept []Product
	for _, p := range r.Products {
		if !p.HasFile() {
			continue
		}
		if p.Of == nil {
			p.Good = r.LastVersion()
			p.Of = &Source{Fence: r.Fences.Dirty, Format: r.Format, Removed: r.Removed.Dirty}
			if r.Content != nil {
				p.Of.Content = *r.Content
			}
		}
		p.Error, p.None = nil, false
		kept = append(kept, p)
	}
	r.Products, r.Records, r.Articles = kept, nil, nil
}

// forgetHeld ends what is served of products of bytes before, with their files.
func (r *Record) forgetHeld() {
	var gone []Product
	r.Products = slices.DeleteFunc(slices.Clone(r.Products), func(p Product) bool {
		if p.HasFile() && p.Of != nil {
			gone = append(gone, p)
			return true
		}
		return false
	})
	for i := range r.History {
		v := &r.History[i]
		v.Products = slices.DeleteFunc(slices.Clone(v.Products), func(k KeptProduct) bool {
			return slices.ContainsFunc(gone, func(p Product) bool { return p.Name == k.Name && p.Fence == k.Fence })
		})
	}
}

// takeProducts notes what a wash made of each product. A clean file was written if content is not nil. It is the rule
// of the last good form, for every product: what was made takes the place of what is served; what was not leaves it,
// with the reason; what was not asked for is forgotten.
func (r *Record) takeProducts(made []Product, content *digest.Content) {
	before := *r
	var all []Product
	at := slices.IndexFunc(made, func(p Product) bool { return p.Name == ProductStatements })
	switch {
	case content != nil:
		bytes := content.NumberOfBytes
		r.Clean = content.MD5
		all = append(all, Product{Name: ProductStatements, SHA256: content.SHA256, Bytes: &bytes})
	case at < 0 || made[at].isBelieved():
		r.Clean = ""
		r.endGood()
	default:
		r.missStatements(&made[at])
	}
	for i := range made {
		p := made[i]
		if p.Name == ProductStatements && content != nil {
			continue
		}
		all = append(all, p.after(before.Product(p.Name)))
	}
	r.Products = all
}

// missStatements notes that sound bytes without statements came.
func (r *Record) missStatements(p *Product) {
	if r.Good != nil {
		good := *r.Good
		good.Empty, good.EmptyAt = p.Empty, p.EmptyAt
		r.Good = &good
	}
}

// missProducts notes of a document that failed why none of its products came. What is served stays.
func (r *Record) missProducts(missed []Product) {
	if missed == nil {
		return
	}
	r.Products = slices.Clone(r.Products)
	for i := range missed {
		p := &missed[i]
		if p.Name == ProductStatements {
			r.missStatements(p)
		}
		if is := r.Product(p.Name); is != nil {
			*is = p.after(is)
		} else {
			r.Products = append(r.Products, p.after(nil))
		}
	}
	SortProducts(r.Products)
}

// isBelieved says that none came so often that the document is taken to have none.
func (p *Product) isBelieved() bool { return p.None && p.Empty >= Believed }

// after is what a record says of a product that said another thing of it before.
func (p Product) after(before *Product) Product {
	switch {
	case p.SHA256 != "":
		p.Good, p.Of, p.Empty, p.EmptyAt = 0, nil, 0, time.Time{}
		if before.isSame(&p) {
			p.Fence = before.Fence // the same file is there already
		}
		return p
	case before == nil || before.SHA256 == "" || p.isBelieved():
		p.Empty, p.EmptyAt = 0, time.Time{}
		return p
	}
	kept := *before
	kept.Error, kept.None, kept.Empty, kept.EmptyAt = p.Error, p.None, p.Empty, p.EmptyAt
	return kept
}

// SameFile says that the file of a product is there already: the one that is served has the same content.
func (r *Record) SameFile(p *Product) bool {
	return r.Product(p.Name).isSame(p)
}

// isSame says that two files have the same content. It is false where either has none; p may be nil.
func (p *Product) isSame(as *Product) bool {
	return p != nil && p.SHA256 != "" && p.SHA256 == as.SHA256 && p.Schema == as.Schema
}

// endRow ends the rows of documents without a product: something else came in between.
func (r *Record) endRow() {
	if r.Good != nil && r.Good.Empty > 0 {
		good := *r.Good // what follows may count on
		good.Empty, good.EmptyAt = 0, time.Time{}
		r.Good = &good
	}
	r.Products = slices.Clone(r.Products)
	for i := range r.Products {
		r.Products[i].Empty, r.Products[i].EmptyAt = 0, time.Time{}
	}
}

// own are the files of products that were made of the bytes of the record.
func (r *Record) own() (all []KeptProduct) {
	for i := range r.Products {
		p := &r.Products[i]
		if !p.HasFile() || p.Of != nil || p.Error != nil || p.None {
			continue
		}
		kept := KeptProduct{Name: p.Name, Fence: p.Fence, SHA256: p.SHA256, Schema: p.Schema}
		if p.Bytes != nil {
			kept.Bytes = *p.Bytes
		}
		if p.Written != nil {
			kept.Written = *p.Written
		}
		all = append(all, kept)
	}
	return all
}

// hasOther says that the version has another file of a product.
func (v *Version) hasOther(own []KeptProduct) bool {
	return slices.ContainsFunc(own, func(is KeptProduct) bool {
		return slices.ContainsFunc(v.Products, func(was KeptProduct) bool {
			return was.Name == is.Name && (was.SHA256 != is.SHA256 || was.Schema != is.Schema)
		})
	})
}

// take notes files of the version, in the order of [Products].
func (v *Version) take(own []KeptProduct) {
	var all []KeptProduct
	for _, name := range Products() {
		for _, from := range [...][]KeptProduct{own, v.Products} {
			if at := slices.IndexFunc(from, func(k KeptProduct) bool { return k.Name == name }); at >= 0 {
				all = append(all, from[at])
				break
			}
		}
	}
	v.Products = all
}

// keepProducts ends the files of older versions, but those of the last so many of each product.
func (r *Record) keepProducts(most int) {
	for _, name := range Products() {
		room := most
		var here []uint64
		if p := r.Product(name); p != nil && p.HasFile() {
			here = append(here, p.Fence)
		}
		for i := len(r.History) - 1; i >= 0; i-- {
			v := &r.History[i]
			at := slices.IndexFunc(v.Products, func(k KeptProduct) bool { return k.Name == name })
			if at < 0 || slices.Contains(here, v.Products[at].Fence) {
				continue
			}
			if room > 0 {
				room--
				here = append(here, v.Products[at].Fence)
				continue
			}
			v.Products = slices.Delete(slices.Clone(v.Products), at, at+1)
		}
	}
}

// servedOfProducts is the number of the version that is served of a document without statements, and when its bytes
// were last seen.
func (r *Record) servedOfProducts() (number int64, asOf time.Time) {
	number = r.LastVersion()
	for i := range r.Products {
		if p := &r.Products[i]; p.HasFile() && p.Of != nil {
			number = p.Good
		}
	}
	for _, v := range r.Versions() {
		if v.Number == number {
			asOf = v.Seen
			if asOf.IsZero() {
				asOf = v.Retrieved
			}
		}
	}
	return number, asOf
}

// productsOf are what a wash made of the seed, with the version that is served where that is not what came last.
func (s *Seed) productsOf() []Product {
	isBehind := s.IsBehind()
	if !isBehind && (s.Clean != "" || s.Previous == "") {
		return s.Products
	}
	var all []Product
	if s.ServedClean() != "" {
		all = append(all, s.heldStatements())
	}
	for _, p := range s.Products {
		if p.Name == ProductStatements && len(all) > 0 {
			continue
		}
		if isBehind && p.HasFile() {
			if p.Good == 0 {
				p.Good = s.LastVersion()
			}
			if p.Error == nil && !p.None && s.Status == Failed {
				p.Error = s.Error
			}
		}
		all = append(all, p)
	}
	return all
}

// heldStatements is the clean file that is served, where it is not what came last.
func (s *Seed) heldStatements() Product {
	product := Product{Name: ProductStatements}
	if is := s.Product(ProductStatements); is != nil {
		product = *is
	}
	if s.Clean == "" && s.Good != nil {
		for _, made := range s.Good.Reading.Products {
			product.SHA256, product.Bytes = made.SHA256, made.Bytes
		}
	}
	product.Good, _ = s.ServedVersion()
	if s.Status == Failed && product.Error == nil && !product.None {
		product.Error = s.Error
		if s.Good != nil && s.Good.Empty > 0 {
			product.None, product.Error = true, nil
		}
	}
	return product
}

// FieldsFound are how many records that are served have each field, of a document whose records a recipe makes.
func (r *Record) FieldsFound() map[string]int64 {
	if p := r.Product(ProductRecords); r.Recipe != nil && p != nil && p.HasFile() {
		return p.Fields
	}
	return nil
}
