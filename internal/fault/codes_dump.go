package fault

// Codes of what records are written as.
const (
	DumpFormula    Code = "record/formula"
	DumpSameCell   Code = "record/same-cell"
	DumpNumber     Code = "record/number-as-text"
	DumpColumnType Code = "record/column-type"
	DumpColumnName Code = "record/column-renamed"
	DumpReserved   Code = "record/reserved-name"
	DumpCell       Code = "record/cell-changed"
	DumpSheet      Code = "record/sheet-continued"
	DumpDocument   Code = "record/document-continued"
	DumpOriginals  Code = "record/originals-not-written"
	DumpUnreadable Code = "record/not-undone"

	RecordNoKey   Code = "record/no-key"
	RecordSameKey Code = "record/same-key"

	LimitColumns Code = "limit/columns"
	LimitHeld    Code = "limit/held-records"
)

var dumpCodes = []Info{
	{DumpFormula, Note, "text that a spreadsheet may take for a formula",
		"A text in CSV or TSV begins with =, +, -, @, a tab or a carriage return. A spreadsheet that opens the file may run it as a formula. It is written as it is; only the first one of a column is named.",
		"Nothing, if the file is read by programs. For spreadsheets, write it with --csv-safe, which puts an apostrophe before such text."},
	{DumpSameCell, Note, "an absent field, null and empty text are one cell",
		"A field is absent from some records, and null or empty in others, and the format has one empty cell for these. Reported once for a column.",
		"Write JSON lines where the difference matters."},
	{DumpNumber, Note, "a number with more digits than the format holds",
		"Parquet and SQLite hold whole numbers of 64 bits and doubles, XLSX doubles alone. A number that would change is written as text, with all its digits; in Parquet and SQLite its whole column is. Reported once for a column.",
		"Nothing, if readers take text. Else round the number in the spec."},
	{DumpColumnType, Warning, "a value that is not of its column's type",
		"The schema declares a type for the column, and a value is none of it. The column gets the type of what is in it: text, or JSON where values are of several kinds. Nothing is lost. The first such value is named.",
		"Correct the value, or the type in the schema."},
	{DumpColumnName, Note, "a column that has another name in the file",
		"SQLite takes names that differ in capital letters alone for the same, and has none with a zero byte. PostgreSQL has names of 63 bytes at most. The column got another name there.",
		"Give the fields short names that differ in more than capital letters."},
	{DumpReserved, Warning, "a field with a name of the program's",
		"In JSON lines the originals of what rules changed are kept under \"was\", and a field of the record has that name. It is written as it is. If a record has originals too, it has two members of that name. A field that has the name of a place (_source, _line, _element, _table) is kept under that name with a number after it, such as _line_2, where places are kept too. It is reported once per name.",
		"Rename the field in the spec."},
	{DumpCell, Warning, "a text that a cell can't hold",
		"A cell of XLSX holds 32,767 characters, and no control characters but tab and line ends. The text was cut there, or the characters became U+FFFD. The whole text is in the file of originals beside the sheet, by the rule xlsx-cell. In a table of records in a database a zero byte becomes U+FFFD, and the column _record has the text as it is.",
		"Write another format for such texts; JSON lines, CSV, SQLite and Parquet hold any."},
	{DumpSheet, Note, "a sheet that is continued on the next",
		"A sheet of XLSX has at most 1,048,576 rows. Further rows are on further sheets of the same file, each with the header.",
		"Write CSV, SQLite or Parquet where the rows should be in one table."},
	{DumpDocument, Note, "a list that is continued in the next document",
		"Readers of YAML hold a document whole. A list of more than 4 MiB goes on in further documents of the same file, each of which is a list. This program reads them as one.",
		"Read all documents of the file, as with yaml.safe_load_all of Python, or write JSON lines."},
	{DumpOriginals, Warning, "originals that are not written",
		"Rules changed values, and a table keeps the originals in a file beside it. This table is written to standard output or a device, which has no file beside it. Its originals are not kept.",
		"Write the table into a file, or write JSON lines, which hold the originals."},
	{DumpUnreadable, 0, "a file whose originals can't be given back",
		"The file is not as this program wrote it: a line is broken, or the file of originals beside it belongs to another table. The rest was not restored.",
		"Dump the records anew, and undo that file. After a table was edited, its originals can't be matched with its rows."},
	{RecordNoKey, Drop, "a record without the key of its table",
		"Records in a database are told apart by their key: the primaryKey of the schema, else the field id. A record that lacks a part of it, or in which a part is null or empty, has no place there. The record is lost.",
		"Fill in the field, or name others as the primaryKey of the schema."},
	{RecordSameKey, Drop, "two records of one run with the same key",
		"An earlier record of the run has the same key and says something else. The first is in the database, and this one is lost. The same record twice is no fault.",
		"Make the key of fields that tell the records apart."},
	{LimitColumns, 0, "more fields of different names than a table has columns",
		"The records have more fields of different names than the limit for columns. Often a value was used as a name. No table was written.",
		"Select the fields that are wanted, or write JSON lines, which have no columns."},
	{LimitHeld, 0, "more records than may be held on the disk",
		"A table is written when all its columns are known; until then the rows are in a temporary file. It went past the limit that was set. No table was written.",
		"Raise the limit, or write JSON lines, of which nothing is held."},
}
