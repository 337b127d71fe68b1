package daemon

import (
	"context"
	"slices"
	"strings"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/kind"
)

// makesAlike says that what was made of other is all that a wash of seed, which has the same bytes, would make, and
// that nothing which is served of seed has a say in that.
func makesAlike(makes, wanted []string, seed, other *seedlist.Seed) bool {
	if len(makes) == 0 || other.Format == kind.RSS10.Record() && slices.Contains(wanted, kind.Articles) {
		return false // a feed is told from other RDF/XML by its text alone
	}
	for _, product := range kind.Products() {
		isMade, isServed := slices.Contains(makes, product), isServedOf(seed, product)
		switch {
		case isMade:
			written, ok := madeForAnyURI(other, product)
			if !ok || written == 0 && isServed {
				return false // whether that takes the place of what is served is for a reading of its own to say
			}
		case isServed, other.Product(product) != nil:
			return false
		}
	}
	if slices.Contains(makes, kind.Statements) {
		return true
	}
	// A page may come in the place of something else, and what its layers lost is in no sum of a product.
	if isProse(kind.Kind(other.Format)) && seed.IsServed() {
		return false
	}
	for code := range other.Notices {
		if strings.HasPrefix(string(code), "archive/") {
			return false
		}
	}
	return true
}

// madeForAnyURI says how many lines a product of a seed has, if the seed has all of it, and it is the same for any URI
// of the bytes.
func madeForAnyURI(seed *seedlist.Seed, product string) (written int64, ok bool) {
	if product == kind.Statements {
		if seed.Clean == "" || seed.Statements == nil || seed.Encoding == nil || seed.Text == nil {
			return 0, false
		}
		return seed.Statements.Written, true
	}
	p := seed.Product(product)
	if p == nil || !p.HasFile() || p.Of != nil || p.Error != nil || p.None || p.Recipe != "" || p.Metadata != "" || p.Written == nil {
		return 0, false
	}
	return *p.Written, true
}

// linkProducts links the files of products other than statements. It is false if one is not there. What is there
// already stays; if that is damaged, it is for a reading of its own to mend.
func (t *takingOver) linkProducts(ctx context.Context) (bool, error) {
	claim, other, to := &t.claim, t.other, &t.done
	for i := range other.Products {
		p := other.Products[i]
		if !p.HasFile() {
			continue
		}
		from := files.Key(other.Hash, p.Fence)
		if claim.Seed.SameFile(&p) {
			p.Fence = claim.Seed.Product(p.Name).Fence
			if isWhole, err := isWholeProduct(ctx, t.runner.files, &claim.Seed, &p); !isWhole {
				return false, err
			}
			to.products = append(to.products, p)
			continue
		}
		p.Fence = claim.Lease()
		for _, suffix := range suffixesOfProduct(&p) {
			file, err := t.link(from, suffix, files.Key(claim.Seed.Hash, p.Fence))
			if file == nil {
				return false, err
			}
			to.files.made = append(to.files.made, file)
		}
		to.products = append(to.products, p)
	}
	if len(to.products) > 0 {
		to.records = cloned(other.Records)
		for _, e := range other.FormatEvidence {
			if e.From == kind.Records {
				to.evidence = append(to.evidence, e)
			}
		}
	}
	return true, nil
}

// suffixesOfProduct are those of the files of a product.
func suffixesOfProduct(p *seedlist.Product) []files.Suffix {
	if p.Schema == "" {
		return []files.Suffix{seedfile.SuffixOf(p.Name)}
	}
	return []files.Suffix{seedfile.SuffixOf(p.Name), files.Schema}
}
