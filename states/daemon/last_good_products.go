package daemon

import (
	"context"
	"slices"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states"
	"laundromat/states/kind"
)

// isProse says that documents of a kind are read by people, and that a server may answer with one for anything: to
// log in, or that it is out of order.
func isProse(k kind.Kind) bool {
	return k == kind.HTML || k == kind.Text || k == kind.Kind(format.RDFa)
}

// isLoose says that documents of a kind hold much else beside records and articles.
func isLoose(k kind.Kind) bool {
	return isProse(k) || k == kind.JSON || k == kind.YAML || k == kind.XML || k == kind.Kind(format.JSONLD)
}

// isServedOf says that a file of a product is served.
func isServedOf(seed *seedlist.Seed, product string) bool {
	if product == kind.Statements {
		return seed.ServedClean() != ""
	}
	p := seed.Product(product)
	return p != nil && p.SHA256 != ""
}

// lacked are the products that are wanted and served, and that are not made of a document.
func (w *parseWork) lacked(makes []string) (all []string) {
	for _, product := range w.runner.opt.asked(w.by) {
		if !slices.Contains(makes, product) && isServedOf(&w.claim.Seed, product) {
			all = append(all, product)
		}
	}
	return all
}

// isOfSameBytes says that what is served of a product was made of the bytes that are read: they are only read
// otherwise.
func (w *parseWork) isOfSameBytes(product string) bool {
	seed := &w.claim.Seed
	if seed.Content == nil {
		return false
	}
	if product == kind.Statements {
		good := seed.Good
		return good != nil && good.Reading.Content != nil && good.Reading.Content.SHA256 == seed.Content.SHA256
	}
	p := seed.Product(product)
	return p != nil && p.Of != nil && p.Of.Content.SHA256 == seed.Content.SHA256
}

// none is what the record says of a product of which the document has none. What is served of it is kept until that
// is believed.
func (m *productMaking) none(product string) seedlist.Product {
	p := seedlist.Product{Name: product, None: true, Empty: seedlist.Believed}
	if m.isOfSameBytes(product) {
		return p
	}
	d := m.claim.Seed.Decide(product, seedlist.Try{IsPage: true}, time.Now())
	if d.Replaces {
		return p
	}
	p.Empty, p.EmptyAt = d.Empty, d.EmptyAt
	if m.missed == nil {
		m.missed = m.without(product)
	}
	return p
}

// isInPlace says that the document is a page, or a text, that came in the place of a document of another kind. Nothing
// of it is that of the document, neither tables nor statements in it, until it is believed to be what the document is
// now: a page to log in has data on the portal, too.
func (w *parseWork) isInPlace(guessed *states.Guessed) bool {
	if !isProse(guessed.Kind) {
		return false
	}
	seed := &w.claim.Seed
	for _, product := range kind.Products() {
		format := servedFormat(seed, product)
		if format == "" || isProse(format) && isPlain(format) == isPlain(guessed.Kind) || w.isOfSameBytes(product) {
			continue
		}
		if !seed.Decide(product, seedlist.Try{IsPage: true}, time.Now()).Replaces {
			return true
		}
	}
	return false
}

// isPlain tells texts from pages.
func isPlain(k kind.Kind) bool { return k == kind.Text }

// servedFormat is the format of the bytes that what is served of a product was made of; "" where nothing is served, or
// it is not known.
func servedFormat(seed *seedlist.Seed, product string) kind.Kind {
	if product == kind.Statements {
		if seed.Good == nil || seed.ServedClean() == "" {
			return ""
		}
		return kind.Kind(seed.Good.Reading.Format)
	}
	p := seed.Product(product)
	if p == nil || p.SHA256 == "" || p.Of == nil {
		return ""
	}
	return kind.Kind(p.Of.Format)
}

// without is the error of a document that has none of a product any more, or whose page is not taken for it.
func (m *productMaking) without(product string) error {
	if is := servedFormat(&m.claim.Seed, product); m.inPlace && is != "" {
		return fault.New("daemon.parsing", fault.Data, fault.FormatNotRDF, "%s in place of %s, and it had %s before", m.guessed.Kind, is,
			product)
	}
	return fault.New("daemon.parsing", fault.Data, fault.FormatNotRDF, "%s without %s, and it had some before", m.guessed.Kind, product)
}

// isKept says that what was made of a product is not taken, as what is served of it, or of others, is kept. The
// error says that what was made is broken throughout.
func (m *productMaking) isKept(product string, written, lost int64) (bool, error) {
	if m.isOfSameBytes(product) {
		return false, nil
	}
	if product == kind.Articles && isProse(m.guessed.Kind) && m.missed != nil {
		if !isServedOf(&m.claim.Seed, product) {
			return true, nil
		}
		written, lost = 0, 0
	}
	try := seedlist.Try{Written: written, Dropped: lost, IsPage: isLoose(m.guessed.Kind)}
	if m.claim.Seed.Decide(product, try, time.Now()).Replaces {
		return false, nil
	}
	if lost > 0 {
		return false, fault.New("daemon.parsing", fault.Data, fault.SyntaxUnreadable,
			"nothing of it could be read as %s, and it had some before", product)
	}
	return true, nil
}

// isWholeProduct says that the files of a product that is served are there and as the record says. They are read whole.
func isWholeProduct(ctx context.Context, blobs files.Blobs, seed *seedlist.Seed, p *seedlist.Product) (bool, error) {
	for n := range seedfile.All(seed) {
		if n.Product != p.Name || n.Key != files.Key(seed.Hash, p.Fence) {
			continue
		}
		if problem, err := namedTrouble(ctx, blobs, &n); problem != "" || err != nil {
			return false, err
		}
	}
	return true, nil
}
