package states

import (
	"context"
	"errors"
	"io"

	"laundromat/archive"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/records"
	"laundromat/report"
)

// walk is the way through an input and all that is packed in it, to each document. What wash does with documents, and
// what records does, differ behind it.
type walk struct {
	temp    string // folder for what must be spooled; "" for the system's
	samples int    // of each code, in the report of a document
	// keyed says that members are given the keys of their blank nodes, for which a container is read
	// once more.
	keyed bool
	// document does the work on what is no container. An error means that the run must stop.
	document func(context.Context, Input, *archive.Opened, *Findings) error
	// several is called for each container: more than one document may come.
	several func()
	// account fills in the counts of a document, or container, of which nothing was kept.
	account func(*report.Document, *Findings)
	each    func(*report.Document) // nil if nobody asks
}

// input goes through one input.
func (w *walk) input(ctx context.Context, in Input, limits archive.Limits) error {
	found := NewFindings(func() *report.Collector { return report.NewCollector(in.Name, w.samples) })
	for _, n := range in.Notices {
		found.Layer(n)
	}
	var opened *archive.Opened
	err := Safely(func() (err error) {
		opened, err = archive.OpenCoded(ctx, in.Source, archive.Said{Name: in.FileName, Codings: in.Codings}, limits, found.Layer)
		return err
	})
	if err != nil {
		return w.settle(ctx, found, "unarchiving", err)
	}
	defer opened.Close()
	if opened.Format == "" {
		return w.document(ctx, in, opened, found)
	}
	found.ReadOnce()
	w.several()
	if in.Key == "" && w.keyed {
		in.Key, err = keyOf(ctx, opened.Reader)
		if err != nil && fault.KindOf(err) != fault.Limit { // which the entries reach again, and report
			return w.settle(ctx, found, "unarchiving", err)
		}
	}
	inner := opened.Inside()
	var stop error
	empty := true
	err = Safely(func() error {
		return opened.Entries(ctx, func(entry archive.Entry, r io.Reader) error {
			empty = false
			stop = w.entry(ctx, in, entry, r, inner)
			return stop
		})
	})
	if stop != nil && fault.CodeOf(stop) != fault.LimitArchiveRatio {
		return stop
	}
	if empty && err == nil && found.Collector.Count() == 0 {
		found.Layer(fault.Notice{Code: fault.FormatEmpty, Severity: fault.Note, Message: "no files in the archive"})
	}
	return w.settle(ctx, found, "unarchiving", err)
}

func (w *walk) entry(ctx context.Context, in Input, entry archive.Entry, r io.Reader, limits archive.Limits) error {
	name := in.Name + "!/" + rfc3986.MaskUserinfo(entry.Shown())
	spooled, err := archive.Spool(ctx, r, w.temp, SpoolMemory)
	if fault.CodeOf(err) == fault.LimitArchiveRatio {
		return err // the archive reports it, and decides whether it goes on
	}
	if err != nil {
		found := NewFindings(func() *report.Collector { return report.NewCollector(name, w.samples) })
		return w.settle(ctx, found, "unarchiving", blamed(err))
	}
	defer spooled.Close()
	child := Input{
		Name:     name,
		FileName: entry.Name,
		Source:   spooled,
		Base:     in.Base, BaseIsFile: in.BaseIsFile,
		ContentType: entry.ContentType,
		Key:         digest.EntryKey(in.Key, entry.Name, entry.Number),
	}
	if entry.URI != "" {
		child.FileName, child.Base, child.BaseIsFile = FileNameIn(entry.URI), entry.URI, false
	}
	if entry.Reply != nil {
		child.Status = entry.Reply.Status
	}
	return w.input(ctx, child, limits)
}

// settle reports a document, or a container, that ended with err (nil for a
// container that was read whole). It returns an error only if the run must stop.
func (w *walk) settle(ctx context.Context, found *Findings, stage string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var sink *targetError
	var blocked *records.SinkError
	if errors.As(err, &sink) || errors.As(err, &blocked) {
		return err
	}
	document := found.Collector.Document()
	if err == nil && len(document.Notices) == 0 {
		return nil
	}
	w.account(document, found)
	if err != nil {
		document.Error = &report.DocumentError{
			Stage: stage, Kind: fault.KindOf(err).String(), Code: fault.CodeOf(err), Message: err.Error(),
		}
	}
	if w.each != nil {
		w.each(document)
	}
	return nil
}
