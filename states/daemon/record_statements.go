package daemon

import (
	"context"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// recordStatements are the statements that are made of a document's records, on their way into its clean file.
type recordStatements struct {
	isBegun bool
	made    states.StatementsMade
	product seedlist.Product // the records
	err     error            // of the records
}

// joinStatements makes the records, and the clean file of the statements that are made of them and of those that the
// document has itself. The error err is that of the latter. What is returned is an error of the whole document.
func (m *productMaking) joinStatements(ctx context.Context, err error) error {
	isRead := m.guessed.Format != ""
	if isRead && err != nil {
		m.joined = false // the last good clean file stays, and no statements of records alone
		if err = m.takeStatements(err); err != nil {
			return err
		}
	}
	m.takeReading(isRead && m.joined)
	if !isRead {
		m.newSorter()
	}
	of := &recordStatements{}
	m.ofRecords = of
	if m.by.CSVW == "" {
		err = m.make(ctx, m.recordsBy())
	} else {
		err = m.make(ctx, m.tableRecords())
		if err == nil && of.err == nil {
			err = m.tableStatements(ctx)
		}
	}
	m.ofRecords = nil
	if err != nil || !m.joined {
		return err
	}
	ofRecords := m.done.files.made
	m.done.files.made = nil
	defer func() { m.done.files.made = append(m.done.files.made, ofRecords...) }()
	switch {
	case of.err != nil: // without its records, the clean file would lack statements that it had
		err = of.err
	case of.made.Failed != nil:
		err = of.made.Failed
	case of.product.None && (m.missed != nil || !isRead):
		m.all = append(m.all, m.none(kind.Statements))
		return nil
	default:
		err = m.completeJoined(ctx, &of.made, isRead)
	}
	return m.takeStatements(err)
}

// tableStatements makes the statements of a table by itself.
func (m *productMaking) tableStatements(ctx context.Context) error {
	of := m.ofRecords
	begin := func() (*states.Making, error) {
		to := &states.Making{Memory: m.need.reader, Temp: m.runner.opt.Temp, Statements: m.beginStatements(), Notice: func(fault.Notice) {}}
		if !m.isTold {
			to.Document = m.found.Again().Notice
		}
		return to, nil
	}
	opt := states.ParseOptions{Settings: settingsBy(m.by, m.runner.opt.Settings), Hashes: states.ForNothing, Held: m.held}
	_, made, err := states.MakeProduct(ctx, m.document, m.guessed, opt, states.ProductOutput{Begin: begin,
		Product: recordset.TableStatements{Table: m.table, ToldByRecords: m.isTold}})
	if err = m.context.judge(err); err != nil && !costsOnlyOne(err) {
		return err
	}
	of.made, m.usesURI = made.Statements, true
	of.made.Failed = err
	return nil
}

// completeJoined makes the clean file, and counts the statements of records to those of the document.
func (m *productMaking) completeJoined(ctx context.Context, made *states.StatementsMade, isRead bool) error {
	reading := m.reading
	if isRead && reading.HasBlankNodes && made.Keyed {
		// What both call by the same label are two nodes.
		m.keyOfRecords = seedlist.ChildKey(m.claim.Seed.Hash, kind.Records, 1)
	}
	reading.Statements.Kept += made.Kept
	reading.Statements.Repaired += made.Repaired
	reading.HasBlankNodes = reading.HasBlankNodes || made.Keyed
	m.lost += made.Dropped + made.WithoutNode
	if reading.Format == format.HTML {
		sources := report.Sources{format.SourceRDFa: 0, format.SourceMicrodata: 0, format.SourceJSONLD: 0}
		sources.Add(reading.Sources)
		sources[report.RecordsSource] = made.Kept + made.Repaired + made.Dropped + made.WithoutNode
		reading.Sources = sources
	}
	m.done.ofRecords = made
	return m.complete(ctx, *reading)
}

// beginStatements begins the statements of a reading of the records.
func (m *productMaking) beginStatements() *states.StatementsMaking {
	if m.ofRecords.isBegun { // the reading before is void
		m.sorter.Discard(m.number)
	}
	if m.ofRecords.isBegun = true; m.follow != nil && !m.isTold {
		m.follow.again()
	}
	lines := m.nextLines()
	m.readingOfRecords = m.number
	return &states.StatementsMaking{
		Lines: lines, Clean: settingsBy(m.by, m.runner.opt.Settings).Clean, Contexts: &m.context,
		Notice: func(n fault.Notice) {
			n.Product = kind.Statements
			m.found.Collector.Notice(n)
		},
	}
}

// keyOf is the KEY of the blank nodes of a reading in the sorter.
func (w *parseWork) keyOf(reading int) string {
	if w.keyOfRecords != "" && reading == w.readingOfRecords {
		return w.keyOfRecords
	}
	return w.claim.Seed.Hash
}
