package extract

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
)

// refused is the error of a document of a format that is known and not read.
func refused(what, do string) error {
	return fault.New("extract.Read", fault.Data, fault.RecordFormat, "no table, tree or page that is read: it is %s. %s", what, do)
}

const saveAs = "Save it as XLSX, ODS or CSV"

// Foreign is the error of a document that begins with these bytes, decoded or not, in a format of office programs that
// is not read. It says what to do. It is nil for any other.
func Foreign(head []byte) error {
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	switch {
	case bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")):
		return foreignOLE(has)
	case isOldSheet(head):
		return refused("a workbook of Excel before 97 (.xls)", saveAs)
	case isSYLK(text):
		return refused("SYLK, a sheet of Multiplan (.slk)", saveAs)
	case isDIF(text):
		return refused("DIF, the Data Interchange Format of VisiCalc", saveAs)
	}
	switch root := rootElement(text); {
	case root == "wordDocument" && has("http://schemas.microsoft.com/office/word/2003/"), root == "package" &&
		has("http://schemas.microsoft.com/office/2006/xmlPackage"):
		return refused("a document of Microsoft Office in one file of XML", "Save its tables as XLSX, ODS or CSV")
	case root == "document" && has(openDocumentName) && (has("opendocument.text") || has("opendocument.presentation") ||
		has("opendocument.graphics")):
		return refused("a flat OpenDocument text, presentation or drawing", "Save its tables as ODS, XLSX or CSV")
	}
	return nil
}

// openDocumentName is the namespace of the elements that hold a document of OpenDocument.
const openDocumentName = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"

// rootElement is the local name of the outermost element of a document in XML, if its beginning has it.
func rootElement(text []byte) string {
	for len(text) > 1 && text[0] == '<' {
		end := ">"
		switch {
		case bytes.HasPrefix(text, []byte("<!--")):
			end = "-->"
		case text[1] == '?':
			end = "?>"
		case text[1] != '!':
			name := text[1:]
			if n := bytes.IndexAny(name, " \t\r\n/>"); n >= 0 {
				name = name[:n]
			}
			return string(name[bytes.IndexByte(name, ':')+1:])
		}
		at := bytes.Index(text, []byte(end))
		if at < 0 {
			return ""
		}
		text = bytes.TrimSpace(text[at+len(end):])
	}
	return ""
}

// foreignOLE says what is in a file of the programs of Microsoft before 2007, or an encrypted one.
func foreignOLE(has func(string) bool) error {
	wide := func(s string) bool { return has(strings.Join(strings.Split(s, ""), "\x00")) }
	switch {
	case wide("EncryptedPackage"):
		return refused("an encrypted workbook or document of Microsoft Office", "Save it without a password")
	case wide("Workbook"), wide("Book"):
		return refused("a workbook of Excel 97 to 2003 (Microsoft Excel, .xls)", saveAs)
	case wide("WordDocument"):
		return refused("a document of Microsoft Word (.doc)", "Save its tables as XLSX, ODS or CSV")
	}
	return refused("a file of Microsoft Office before 2007, as .xls and .doc, or an encrypted one", "Save it without a password, as "+
		"XLSX, ODS or CSV")
}

// isOldSheet says that a file begins as a sheet of Excel 2 to 4 does, or a workbook of Excel 5 without its container.
func isOldSheet(head []byte) bool {
	if len(head) < 8 || head[0] != 9 || head[3] != 0 {
		return false
	}
	version, length := head[1], head[2]
	return (version == 0 || version == 2 || version == 4 || version == 8) && (length == 4 || length == 6 || length == 8 || length == 16) &&
		(head[6] == 0x10 || head[6] == 0x20 || head[6] == 0x40 || head[6] == 5) && head[7] <= 1
}

var sylkLine = pattern.New(`^(?:[BCFO](?:;|$)|P;|N[NEU];|W;|E$)`)

// isSYLK says that a text is a sheet in SYLK. A table may have the labels ID and P too, but not lines that begin with
// the names of its records.
func isSYLK(text []byte) bool {
	if !bytes.HasPrefix(text, []byte("ID;P")) {
		return false
	}
	n := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 || n == 0 {
			n++
			continue
		}
		if !sylkLine.Match(line) {
			return false
		}
		if n++; n > 3 {
			break
		}
	}
	return n > 1
}

// isDIF says that a text begins as DIF does.
func isDIF(text []byte) bool {
	n := 0
	for line := range bytes.Lines(text) {
		switch line = bytes.TrimSpace(line); n {
		case 0:
			if string(line) != "TABLE" {
				return false
			}
		case 1:
			return string(bytes.ReplaceAll(line, []byte(" "), nil)) == "0,1"
		}
		n++
	}
	return false
}

// SheetXML is the format of a document in XML that is a workbook, by its beginning; "" if it is none.
func SheetXML(text []byte) string {
	format, _ := sheetXML(text)
	return format
}

// sheetXML is the format of a document in XML that is a workbook; "" if it is none.
func sheetXML(text []byte) (format, evidence string) {
	has := func(s string) bool { return bytes.Contains(text, []byte(s)) }
	switch root := rootElement(text); {
	case root == "Workbook" && has("urn:schemas-microsoft-com:office:spreadsheet"):
		return "spreadsheetml", "it is a workbook in the XML of Excel 2003"
	case root == "document" && has(openDocumentName):
		return "fods", "it is an OpenDocument spreadsheet in one file"
	}
	return "", ""
}

// packageFormat says which format a package of an office program is in, by the parts that it has.
func packageFormat(raw io.ReaderAt, size int64) (format, evidence string, err error) {
	files, err := partsOf(raw, size)
	if err != nil {
		return "xlsx", "it begins as a zip archive does, which XLSX is", nil
	}
	has := func(names ...string) bool {
		for _, name := range names {
			if files[name] != nil {
				return true
			}
		}
		return false
	}
	media := mediaType(files["mimetype"])
	_, kind, isODF := strings.Cut(media, "opendocument.")
	switch {
	case isODF && strings.HasPrefix(kind, "spreadsheet"), strings.HasPrefix(media, "application/vnd.sun.xml.calc"):
		return "ods", "its media type is " + media, nil
	case isODF, strings.HasPrefix(media, "application/vnd.sun.xml."):
		return "", "", refused("an OpenDocument "+strings.TrimSuffix(kind, "-template")+", of the media type "+media,
			"Save its tables as ODS, XLSX or CSV")
	case media == "application/epub+zip":
		return "", "", refused("an electronic book (EPUB)", "Its pages are read if they are unpacked")
	case has("content.xml") && has("meta-inf/manifest.xml"):
		return "ods", "it has the parts of a package of OpenDocument", nil
	case has("xl/workbook.bin", "workbook.bin"):
		return "", "", refused("a binary workbook of Excel (XLSB, .xlsb)", saveAs)
	case has("word/document.xml", "word/document2.xml"):
		return "", "", refused("a document of Microsoft Word (DOCX)", "Save its tables as XLSX, ODS or CSV")
	case has("ppt/presentation.xml"):
		return "", "", refused("a presentation of Microsoft PowerPoint (PPTX)", "Save its tables as XLSX, ODS or CSV")
	case has("visio/document.xml"):
		return "", "", refused("a drawing of Microsoft Visio", "Save its tables as XLSX, ODS or CSV")
	}
	return "xlsx", "it begins as a zip archive does, which XLSX is", nil
}

// mediaType is the text of the part that holds the media type of a package.
func mediaType(f *zip.File) string {
	if f == nil {
		return ""
	}
	part, err := f.Open()
	if err != nil {
		return ""
	}
	defer part.Close()
	text, err := io.ReadAll(io.LimitReader(part, 200))
	if err != nil && !isChecksum(err) {
		return ""
	}
	return strings.TrimSpace(string(text))
}
