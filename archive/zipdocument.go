package archive

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// maxDocumentDirectory is how much of its directory shows whether a zip is a document.
const maxDocumentDirectory = 1 << 20

// isZipDocument says whether a zip is what people call a document: of an office program,
// or an electronic book. Its parts are no documents of their own, so it is a leaf.
//
// OpenDocument and EPUB begin with an entry that holds their media type as it is
// (OpenDocument 1.3 part 2 §3.3, EPUB OCF 3.3 §4.2.2). Packages of Office Open XML say
// what their parts are in [Content_Types].xml, which may be anywhere (ECMA-376 part 2 §7.3.7).
// They begin with it, with their relations, or are known by their directory: see [Opened.asPackage] for those within
// filters. Some programs write backslashes in names, or put the media type of OpenDocument behind other entries.
func isZipDocument(head []byte, in *tap, isFiltered bool) bool {
	name, text, ok := firstOfZip(head)
	if !ok {
		return false
	}
	if name == "mimetype" {
		for _, known := range []string{"application/vnd.oasis.opendocument.", "application/vnd.sun.xml.", "application/epub+zip"} {
			if strings.HasPrefix(text, known) {
				return true
			}
		}
		return false
	}
	if name = partName(name); name == officeTypes || name == officeRelations {
		return true
	}
	return !isFiltered && hasOfficeParts(in)
}

// hasOfficeParts says that the directory of a zip is that of a package of an office program.
func hasOfficeParts(in *tap) bool {
	dir, err := findZipDirectory(in)
	if err != nil {
		return false
	}
	r := bufio.NewReader(io.NewSectionReader(in, dir.at, min(dir.end-dir.at, maxDocumentDirectory)))
	seen := map[string]bool{}
	for !isOfficePackage(func(name string) bool { return seen[name] }) {
		e, err := readZipCentral(r)
		if err != nil {
			return false
		}
		seen[partName(e.name)] = true
	}
	return true
}

// asPackage makes a zip within filters a leaf if it is a package of an office program. It is unpacked once for its
// directory, which lies at its end. What is no package is kept for [Opened.Entries].
func (o *Opened) asPackage(ctx context.Context) error {
	r, err := o.Reader(ctx)
	if err != nil {
		return err
	}
	whole, err := Spool(ctx, r, o.limits.Temp, spoolMemory)
	r.Close()
	o.limits.spent.bytes.Add(-o.total) // it is counted when it is read, or its entries are
	o.total = 0
	if err != nil {
		return err
	}
	in := &tap{ctx: ctx, src: whole, trouble: &trouble{}}
	if is := hasOfficeParts(in); is || in.trouble.err != nil {
		o.Format, o.container = "", nil
		return errors.Join(in.trouble.err, whole.Close())
	}
	o.inner = whole
	return nil
}

// Parts that packages of office programs have.
const (
	officeTypes, officeRelations   = "[content_types].xml", "_rels/.rels"
	openDocument, openDocumentList = "content.xml", "meta-inf/manifest.xml"
)

// isOfficePackage says that a zip is a package of an office program, by the entries that it has. They are
// named as partName gives them.
func isOfficePackage(has func(name string) bool) bool {
	return has(officeTypes) && has(officeRelations) || has(openDocument) && has(openDocumentList)
}

// partName is the name of an entry as those compare it that read packages: in lower case, with slashes.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// firstOfZip is the name of the first entry, by its local header. It also returns the
// beginning of its data, if that is stored unpacked.
func firstOfZip(head []byte) (name, text string, ok bool) {
	if !begins(zipLocal)(head) || len(head) < zipLocalSize {
		return "", "", false
	}
	nameLength, extra := int(head[26])|int(head[27])<<8, int(head[28])|int(head[29])<<8
	rest := head[zipLocalSize:]
	if nameLength > len(rest) {
		return "", "", false
	}
	name, rest = string(rest[:nameLength]), rest[nameLength:]
	if isStored := head[8] == zipStored && head[9] == 0; isStored && extra <= len(rest) {
		text = string(rest[extra:])
	}
	return name, text, true
}
