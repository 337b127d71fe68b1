package extract

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// pack is a package of an office program: a zip whose parts say what they are to each other.
type pack struct {
	*workbook
	files map[string]*zip.File // by their names in lower case, with slashes
}

// openPack opens the package that a document is.
func openPack(w *workbook, doc *Document, memory int64) (*pack, error) {
	raw, size := doc.Raw, doc.Size
	if raw == nil {
		held, err := doc.hold(memory)
		if err != nil {
			return nil, err
		}
		raw, size = bytes.NewReader(held), int64(len(held))
	}
	files, err := partsOf(raw, size)
	if err != nil {
		return nil, fault.New("extract.Read", fault.Data, fault.RecordFormat, "it isn't a package of an office program, or a damaged "+
			"one: %w",
			err)
	}
	return &pack{workbook: w, files: files}, nil
}

// partsOf are the parts of a package. Some programs write their names with backslashes, or in other letters than
// those that name them.
func partsOf(raw io.ReaderAt, size int64) (map[string]*zip.File, error) {
	archive, err := zip.NewReader(raw, size)
	if err != nil {
		return nil, err
	}
	files := make(map[string]*zip.File, len(archive.File))
	for _, f := range archive.File {
		files[partName(f.Name)] = f
	}
	return files, nil
}

func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

func (p *pack) part(name string) *zip.File { return p.files[partName(name)] }

// elements calls a function for each start tag of a part, if it is there. The function may read on, with the tokens
// of the reader. A part that is damaged is told, and what stood before counts.
func (p *pack) elements(name string, each func(d *xmltext.Reader, token func() xmltext.Kind) error) error {
	f := p.part(name)
	if f == nil {
		return nil
	}
	part, err := f.Open()
	if err != nil {
		p.damaged(name, err.Error())
		return nil
	}
	defer part.Close()
	d := xmltext.NewReader(part, xmltext.Options{}, unheard{})
	defer d.Free()
	ended := false
	token := func() xmltext.Kind {
		if ended {
			return xmltext.End
		}
		kind, err := d.Next(p.ctx)
		switch {
		case err == nil && kind == xmltext.EndTag && d.AtEnd(), err == nil && kind == xmltext.End && d.Cut().Inside != "":
			p.damaged(name, "it breaks off")
		case err == nil && kind != xmltext.End:
			return kind
		case isChecksum(err):
			p.to.Notice(checksumNotice(name))
		case err != nil && p.ctx.Err() == nil:
			p.damaged(name, err.Error())
		}
		ended = true
		return xmltext.End
	}
	for {
		switch token() {
		case xmltext.End:
			return p.ctx.Err()
		case xmltext.StartTag:
			if err := each(d, token); err != nil {
				return err
			}
		}
	}
}

// damaged tells that a part could not be read to its end.
func (p *pack) damaged(name, why string) {
	p.to.Notice(fault.Notice{Code: fault.TableSheet, Severity: fault.Drop, Lost: 1, Message: fmt.Sprintf("the part %s of the workbook is "+
		"damaged: %s", name, why)})
}

func isChecksum(err error) bool { return errors.Is(err, zip.ErrChecksum) }

func checksumNotice(of string) fault.Notice {
	return fault.Notice{Code: fault.ArchiveChecksum, Severity: fault.Warning,
		Message: fmt.Sprintf("the checksum of %q in the workbook is not that of its data, which is read as it is", of)}
}

// relation is what a part of an Office Open XML package says of another.
type relation struct{ kind, target string }

// relations are those of a part, by their names; "" is the package itself.
func (p *pack) relations(of string) (map[string]relation, error) {
	found := map[string]relation{}
	err := p.elements(path.Join(path.Dir(of), "_rels", path.Base("/"+of)+".rels"), func(d *xmltext.Reader, _ func() xmltext.Kind) error {
		if string(d.Local()) == "Relationship" && attribute(d, "TargetMode") != "External" {
			target := strings.ReplaceAll(attribute(d, "Target"), `\`, "/")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(path.Dir(of), target)
			}
			found[attribute(d, "Id")] = relation{path.Base(attribute(d, "Type")), strings.TrimPrefix(target, "/")}
		}
		return nil
	})
	return found, err
}

// ofKind is the part that stands in a relation of a kind; else the fallback.
func ofKind(all map[string]relation, kind, fallback string) string {
	for _, r := range all {
		if r.kind == kind {
			return r.target
		}
	}
	return fallback
}

// richText is the text of an element, in runs or not, without how it is pronounced.
func richText(d *xmltext.Reader, token func() xmltext.Kind, most int) string {
	var b strings.Builder
	inText, aside := false, 0
	for depth := 1; ; {
		switch token() {
		case xmltext.StartTag:
			depth++
			inText = string(d.Local()) == "t"
			if string(d.Local()) == "rPh" {
				aside = depth
			}
		case xmltext.Text:
			if inText && aside == 0 && b.Len() < most {
				b.Write(d.Text())
			}
		case xmltext.EndTag:
			if inText = false; depth == aside {
				aside = 0
			}
			if depth--; depth == 0 {
				return unescapeX(b.String())
			}
		case xmltext.End:
			return unescapeX(b.String())
		}
	}
}
