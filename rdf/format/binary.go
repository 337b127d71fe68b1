package format

import (
	"bytes"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"laundromat/internal/pattern"
)

// GuessBytes names what a document is that is no text, by the first part of its bytes before they are
// decoded. Its NotRDF is "" if they may be text. Binary formats of RDF are named too: none is read.
func GuessBytes(raw []byte) Guessed {
	not := binaryRDF(raw)
	if not == "" && !seemsText(raw) {
		not = binary(raw)
	}
	if not == "" {
		not = packed(raw)
	}
	if not == "" {
		return Guessed{}
	}
	return Guessed{NotRDF: not, Confidence: 0.99, Evidence: []Evidence{{"content", not, 0.99}}}
}

// seemsText says that the beginning has no control characters, or has a byte order mark before it.
// What begins like a picture may still be a text about one.
func seemsText(raw []byte) bool {
	for _, mark := range []string{"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"} {
		if bytes.HasPrefix(raw, []byte(mark)) {
			return true
		}
	}
	for _, b := range raw[:min(len(raw), 8<<10)] {
		if b < 0x20 && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1B || b == 0x7F {
			return false
		}
	}
	return true
}

// binary names what the library knows, in the words of magics where these have one.
func binary(raw []byte) string {
	found := mimetype.Detect(raw)
	if found.Is("application/octet-stream") {
		for _, m := range binaryMagics {
			if len(raw) >= m.at && bytes.HasPrefix(raw[m.at:], []byte(m.holds)) {
				return m.is
			}
		}
		if picaField.Match(raw) {
			return "PICA"
		}
		if len(bytes.Trim(raw, "\x00")) == 0 { // a file that was never filled
			return "zero bytes"
		}
		return ""
	}
	for m := found; m != nil; m = m.Parent() {
		if m.Is("text/plain") {
			return ""
		}
	}
	name, _, _ := strings.Cut(found.String(), ";")
	if known, ok := binaryNames[name]; ok {
		return known
	}
	return name
}

// binaryMagics are what is at a place of files of data that the library does not know.
var binaryMagics = []struct {
	at        int
	holds, is string
}{
	{0, "Obj\x01", "Avro"}, {0, "ORC", "ORC"}, {0, "ARROW1\x00\x00", "Arrow"}, {0, "FEA1", "Feather"}, {0, "\x89HDF\r\n\x1A\n", "HDF5"},
	{0, "CDF\x01", "NetCDF"}, {0, "CDF\x02", "NetCDF"}, {0, "CDF\x05", "NetCDF"}, {0, "\x00\x01\x00\x00\x00", "font"},
	{0, "\x93NUMPY", "NumPy array"}, {0, "$FL2@(#)", "SPSS"}, {0, "$FL3@(#)", "SPSS"}, {0, "<stata_dta>", "Stata"}, {0, "RDX2\n", "R data"},
	{0, "RDX3\n", "R data"},
	{0, "\x80\x02}", "Python pickle"}, {0, "\x80\x03}", "Python pickle"}, {0, "\x80\x04\x95", "Python pickle"},
	{0, "\x80\x05\x95", "Python pickle"},
	{0, "MATLAB 5.0 MAT", "MATLAB"}, {0, "\xD9\xD9\xF7", "CBOR"}, {0, strings.Repeat("\x00", 12) + "\xC2\xEA\x81\x60", "SAS"},
	{4, "\x0A\x09OSMHeader", "OpenStreetMap"}, {0, "fgb\x03", "FlatGeobuf"}, {0, "LASF", "LAS"}, {8, "DUCK", "DuckDB"},
	{0, "\x3F\xD7\x6C\x17", "Lucene index"},
	{0, "\xAC\xED\x00\x05", "Java objects"}, {0, "\xDE\x12\x04\x95", "gettext"}, {0, "\x95\x04\x12\xDE", "gettext"},
	{4, "Bud1", "a folder's settings (macOS)"},
	{8, "\x10\x00\x00\x00\x00\x00\x0A\x00", "Arrow"}, // a stream, after its mark and the length of the schema
}

// picaField begins a record of PICA, the format of libraries, as it is exchanged.
var picaField = pattern.New(`\A\d{3}[A-Z@](?:/\d\d)? \x1F[0-9a-zA-Z]`)

// binaryNames are those that people know better than the media type.
var binaryNames = map[string]string{
	"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP", "image/tiff": "TIFF", "image/bmp": "BMP",
	"application/pdf": "PDF", "application/postscript": "PostScript", "application/zip": "ZIP", "application/gzip": "gzip",
	"application/x-bzip2": "bzip2", "application/x-xz": "xz", "application/zstd": "Zstandard", "application/x-7z-compressed": "7z",
	"application/vnd.rar": "RAR", "application/x-tar": "tar", "application/vnd.sqlite3": "SQLite",
	"application/vnd.apache.parquet": "Parquet", "application/x-ole-storage": "Microsoft Office", "application/msword": "Microsoft Word",
	"application/vnd.ms-excel": "Microsoft Excel", "application/vnd.ms-powerpoint": "Microsoft PowerPoint",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   "Microsoft Word",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         "Microsoft Excel",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": "Microsoft PowerPoint",
	"application/vnd.oasis.opendocument.text":                                   "OpenDocument text",
	"application/vnd.oasis.opendocument.spreadsheet":                            "OpenDocument spreadsheet",
	"application/vnd.oasis.opendocument.presentation":                           "OpenDocument presentation",
	"application/vnd.oasis.opendocument.graphics":                               "OpenDocument drawing",
	"application/x-elf":                             "ELF program",
	"application/x-executable":                      "ELF program",
	"application/x-sharedlib":                       "ELF program",
	"application/x-object":                          "ELF program",
	"application/x-java-applet":                     "Java class",
	"application/wasm":                              "WebAssembly",
	"application/vnd.microsoft.portable-executable": "Windows program",
	"application/x-ms-shortcut":                     "Windows shortcut",
	"audio/midi":                                    "MIDI",
	"audio/mpeg":                                    "MP3", "audio/wav": "WAV", "audio/ogg": "Ogg", "audio/flac": "FLAC",
	"video/mp4": "MP4", "image/x-icon": "icon",
	"font/ttf": "font", "font/otf": "font", "font/woff": "font", "font/woff2": "font",
	"application/epub+zip":     "EPUB",
	"application/java-archive": "Java archive",
	"application/vnd.shp":      "shapefile",
	"application/vnd.shx":      "shapefile (index)",
	"application/x-dbf":        "dBASE table",
	"application/x-msaccess":   "Microsoft Access",
	"application/marc":         "MARC 21",
	"application/grib":         "GRIB",
	"application/bufr":         "BUFR",

	"image/avif": "AVIF", "image/heic": "HEIC", "image/vnd.djvu": "DjVu", "image/jxl": "JPEG XL", "image/jp2": "JPEG 2000",
	"image/vnd.adobe.photoshop": "Photoshop",
	"video/matroska":            "Matroska", "video/x-matroska": "Matroska", "video/webm": "WebM", "video/quicktime": "QuickTime",
	"video/mpeg": "MPEG", "video/x-msvideo": "AVI", "audio/mp4": "MP4", "audio/x-m4a": "MP4",
	"application/cbor": "CBOR", "application/vnd.tcpdump.pcap": "packets (pcap)", "application/x-bytecode.python": "Python bytecode",
	"application/x-ole2": "Microsoft Office",
	"application/fits":   "FITS", "application/x-netcdf": "NetCDF", "application/x-hdf": "HDF", "application/x-hdf5": "HDF5",
	"application/vnd.geopackage": "SQLite", "application/dicom": "DICOM",
}

// binaryRDF names the binary formats of RDF.
func binaryRDF(raw []byte) string {
	switch {
	case bytes.HasPrefix(raw, []byte("$HDT")) && bytes.Contains(raw[:min(len(raw), 64)], []byte("hdt#index")):
		return "index of HDT"
	case bytes.HasPrefix(raw, []byte("$HDT")), bytes.HasPrefix(raw, []byte("HDT")) && len(raw) > 3 && raw[3] < 0x20:
		return "HDT"
	case bytes.HasPrefix(raw, []byte("BRDF\x00")):
		return "RDF4J Binary RDF"
	case isThrift(raw):
		return "RDF Thrift"
	case isProtobuf(raw):
		return "RDF in Protobuf (Jelly)"
	}
	return ""
}

// isThrift knows the rows of Jena's RDF Binary, in Thrift's compact protocol. The first is a prefix
// (field 1, which begins with a string), or a triple or quad (field 2 or 3, with a struct). An IRI
// comes soon.
func isThrift(raw []byte) bool {
	if len(raw) < 8 || !bytes.Contains(raw[:min(len(raw), 512)], []byte("http")) {
		return false
	}
	switch {
	case raw[0] == 0x1C && raw[1] == 0x18:
		n := int(raw[2])
		return 3+n < len(raw) && n < 0x80 && raw[3+n] == 0x18
	case raw[0] == 0x2C, raw[0] == 0x3C:
		return raw[1] == 0x1C && raw[2]&0x0F == 0x0C && raw[2] != 0x0C
	}
	return false
}

// isProtobuf recognises a stream of delimited messages whose first begins with a message,
// which begins with another: so Jelly begins, with its options.
func isProtobuf(raw []byte) bool {
	n, at := varint(raw)
	if at == 0 || at >= len(raw) || raw[at] != 0x0A || n < 4 {
		return false
	}
	row, size := varint(raw[at+1:])
	if size == 0 || row+1+size > n {
		return false
	}
	inner := raw[at+1+size:]
	if len(inner) < 3 || inner[0] != 0x0A {
		return false
	}
	options, size := varint(inner[1:])
	if size == 0 || options+1+size != row || len(inner) < 2+size {
		return false
	}
	switch inner[1+size] { // the name of the stream, or its type
	case 0x0A, 0x10:
		return true
	}
	return false
}

// varint is a number as Protobuf writes it, and how many bytes it takes; 0 if there is none.
func varint(b []byte) (value, size int) {
	for i := 0; i < min(len(b), 4); i++ {
		value |= int(b[i]&0x7F) << (7 * i)
		if b[i] < 0x80 {
			return value, i + 1
		}
	}
	return 0, 0
}
