package daemon

import (
	"context"
	"fmt"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// A page that changed gives its recipe nothing any more, or less than it should. What was made of it before stays,
// until the recipe is mended.

// byRecipe says whether a document has no records, or that it has changed for its recipe.
func (m *productMaking) byRecipe(ctx context.Context, made *states.Made, lost int64) (isNone bool, err error) {
	m.further.isRead = m.by != nil && m.by.HasPages()
	isBelieved, err := m.pageChanged(ctx, made, lost)
	return err == nil && (made.None || isBelieved), err
}

// pageChanged is the error of a document that its recipe made records of before, and does not any more: none comes,
// most are lost, or a field that the schema requires is found in none. Bytes that are only read otherwise have not
// changed. A sound page without any record that comes for the third time in a row is believed, as that of any product.
func (m *productMaking) pageChanged(ctx context.Context, made *states.Made, lost int64) (isBelieved bool, err error) {
	was := m.claim.Seed.Product(seedlist.ProductRecords)
	if m.by == nil || m.by.Spec == nil || was == nil || was.SHA256 == "" || was.Written == nil || *was.Written == 0 ||
		m.isOfSameBytes(kind.Records) {
		return false, nil
	}
	if made.Written == 0 && made.IsBare && lost <= 1 { // that nothing was found counts as one lost
		d := m.claim.Seed.Decide(kind.Records, seedlist.Try{IsPage: true}, time.Now())
		if d.Replaces {
			return true, nil
		}
		m.changed = d
	}
	why := ""
	switch {
	case made.Written == 0:
		why = fmt.Sprintf("no record came of it, and there were %d before", *was.Written)
	case lost > made.Written && made.Written < *was.Written:
		why = fmt.Sprintf("%d of its %d records are lost, and there were %d before", lost, lost+made.Written, *was.Written)
	default:
		var missing []string
		for _, name := range m.by.Required() {
			if was.Fields[name] > 0 && made.Fields[name] == 0 {
				missing = append(missing, name)
			}
		}
		if len(missing) == 0 {
			return false, nil
		}
		why = "no record has the required " + strings.Join(missing, ", ") + " any more"
	}
	failing, err := m.failing(ctx)
	if err != nil {
		return false, err
	}
	if failing != "" {
		why += "; " + failing
	}
	m.further.isChanged = true
	n := fault.Notice{Code: fault.RecordPageChanged, Severity: fault.Warning, Product: kind.Records,
		Message: fmt.Sprintf("the recipe %s does not fit this page any more: %s", m.use.Name, why)}
	m.found.Collector.Notice(n)
	changed := fault.New("daemon.parsing", fault.Data, n.Code, "%s", n.Message)
	if made.Written == 0 && m.missed == nil {
		m.missed = changed // nor is its article taken
	}
	return false, changed
}

// failing names the selectors of the recipe that match nothing, with the nearest that do.
func (m *productMaking) failing(ctx context.Context) (string, error) {
	failing := &recordset.Failing{Of: m.recordsBy()}
	opt := states.ParseOptions{Settings: settingsBy(m.by, m.runner.opt.Settings), Hashes: states.ForNothing, Held: m.held}
	_, _, err := states.MakeProduct(ctx, m.document, m.guessed, opt, states.ProductOutput{Product: failing,
		Begin: func() (*states.Making, error) {
			return &states.Making{Memory: m.need.reader, Temp: m.runner.opt.Temp, Notice: func(fault.Notice) {}}, nil
		}})
	if err != nil && costsOnlyOne(err) {
		err = nil // what fails is not found out, and what was made before stays all the same
	}
	return failing.Found, err
}
