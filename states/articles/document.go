package articles

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/rdf/format"
	"laundromat/records"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/text/job"
)

// noText refuses bytes that are no text.
func noText(head []byte) error {
	if found := format.GuessBytes(head); found.NotRDF != "" {
		return fault.New("text", fault.Data, fault.TextFormat, "no page, feed or text: it is %s", found.NotRDF)
	}
	return nil
}

// guess says what a document is.
func (r *Run) guess(ctx context.Context, x *states.Text, doc *job.Document) (job.Form, error) {
	if r.Form != "" {
		return r.Form, nil
	}
	is := x.Kind(ctx)
	form, err := formOf(is, doc, x.Decoded)
	switch where := is.Elsewhere(kind.Articles); {
	case is == "", is.Form(kind.Articles) != kind.Not:
		return form, err
	case where != "":
		return "", fault.New("text", fault.Data, fault.TextFormat, "no page, feed or text: it is %s; %s", is, where)
	case is.IsNoText():
		return "", fault.New("text", fault.Data, fault.TextFormat, "no page, feed or text: it is %s", is)
	default:
		return "", fault.New("text", fault.Data, fault.TextFormat, "no page, feed or text: it is %s; --format text reads it as it is",
			is)
	}
}

// document reads the articles of one document.
func (r *Run) document(ctx context.Context, x *states.Text) error {
	if x.Text == nil {
		return fault.New("text", fault.Data, fault.TextFormat, "no page, feed or text: it is a package of an office program")
	}
	doc := job.Document{Name: x.Name, FileName: x.FileName, MediaType: x.ContentType, Added: r.added}
	if !x.BaseIsFile {
		doc.URL = x.Base
	}
	noticeStatus(x.Status, x.Notice)
	key, err := x.Key(ctx)
	if err != nil {
		return err
	}
	doc.Key = keyOf(x.Name, doc.URL, key)
	doc.Form, err = r.guess(ctx, x, &doc)
	x.Format = string(doc.Form)
	if err != nil {
		return err
	}
	if job.IsStream(doc.Form) {
		return r.stream(ctx, x, doc)
	}
	limit := r.Memory / 8
	source, err := readWhole(x.Text, x.Size, limit, "--memory leaves for a page")
	if err != nil {
		return err
	}
	if doc.Form == job.Feed && r.isWeb {
		doc.Page = r.Page
	}
	return r.make(ctx, x, source, doc)
}

// noticeStatus tells of a page that came with another status than a page does.
func noticeStatus(status int, notice func(fault.Notice)) {
	if status == 0 || status/100 == 2 {
		return
	}
	notice(fault.Notice{Code: fault.TextStatus, Severity: fault.Warning,
		Message: fmt.Sprintf("it came with the status %s: it may be the server's own words, and not the page", fetch.StatusText(status))})
}

// keyOf makes the id of an article: the key of its URL, else that of its member. Parts of a member are its children.
func keyOf(name, url, member string) func(string) string {
	return func(uri string) string {
		rest, isMember := strings.CutPrefix(uri, name)
		switch {
		case isMember && rest == "" && url == "":
			return member
		case isMember && strings.HasPrefix(rest, " "):
			return seedlist.ChildKey(member, rest[1:], 1)
		}
		return seedlist.Key(uri)
	}
}

// stream writes the articles of a file of f5 or full5 as they are read.
func (r *Run) stream(ctx context.Context, x *states.Text, doc job.Document) error {
	if err := x.Wait(); err != nil {
		return err
	}
	batch := r.writer.Batch(r.input)
	count, err := r.Job.Stream(ctx, x.Text, doc, listener(x.Notice), func(item *job.Item) error {
		r.writer.Append(batch, item, listener(x.Notice))
		return r.put(batch)
	})
	x.Articles = counted(count)
	return err
}

func counted(c job.Count) report.Articles {
	return report.Articles{Read: c.Read, Kept: c.Kept, Empty: c.Empty, Phases: c.Phases}
}

// make makes the articles of a document that is held whole: a small one beside the reading of the next.
func (r *Run) make(ctx context.Context, x *states.Text, source []byte, doc job.Document) error {
	batch := r.writer.Batch(r.input)
	work := func() error {
		count, err := r.Job.Whole(ctx, source, doc, listener(x.Notice), func(item *job.Item) error {
			r.writer.Append(batch, item, listener(x.Notice))
			return nil
		})
		x.Articles = counted(count)
		return err
	}
	finish := func() error {
		defer batch.Free()
		return r.put(batch)
	}
	if doc.Page == nil && int64(len(source)) < r.Memory/int64(64*(r.Workers+1)) {
		x.Later(work, finish)
		return nil
	}
	if err := x.Wait(); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	return finish()
}

// readWhole reads a text that is held whole. Its size is what is known before; below 0: nothing. One over the limit is
// an error of kind Limit, in which leaves says what leaves no more.
func readWhole(r io.Reader, size, limit int64, leaves string) ([]byte, error) {
	r = io.LimitReader(r, limit+1)
	var source []byte
	var err error
	if size < 0 {
		source, err = io.ReadAll(r)
	} else {
		text := bytes.NewBuffer(make([]byte, 0, min(size, limit)+bytes.MinRead+1))
		_, err = text.ReadFrom(r)
		source = text.Bytes()
	}
	if err != nil {
		return source, err
	}
	return held(source, limit, leaves)
}

// held is a text that is held whole, or the error that it is longer than it may be.
func held(source []byte, limit int64, leaves string) (_ []byte, err error) {
	if int64(len(source)) > limit {
		err = fault.New("text", fault.Limit, fault.LimitMemory, "it is longer than the %d bytes that %s", limit, leaves)
	}
	return source, err
}

// put writes to the output.
func (r *Run) put(batch *job.Batch) error {
	if err := r.writer.Put(batch); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}

// listener hands findings to a function.
type listener func(fault.Notice)

func (l listener) Notice(n fault.Notice) { l(n) }
