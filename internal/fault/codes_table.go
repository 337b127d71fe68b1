package fault

// Codes of findings in tables.
const (
	TableDialect     Code = "table/dialect"
	TableHeader      Code = "table/header"
	TableHeaderShort Code = "table/header-short"
	TableHeaderAgain Code = "table/header-repeated"
	TableLabelBlank  Code = "table/label-blank"
	TableLabelAgain  Code = "table/label-repeated"
	TableLabelLines  Code = "table/label-lines"
	TablePreamble    Code = "table/preamble"
	TableComment     Code = "table/comment"
	TableFooter      Code = "table/footer"
	TableTotal       Code = "table/total"
	TableBlankRow    Code = "table/blank-row"
	TableRowShort    Code = "table/row-short"
	TableRowLong     Code = "table/row-long"
	TableRowWide     Code = "table/row-wide"
	TableSurplus     Code = "table/surplus-delimiter"
	TableTrailing    Code = "table/trailing-delimiter"
	TableBareQuote   Code = "table/bare-quote"
	TableQuoteInner  Code = "table/quote-not-doubled"
	TableQuoteBehind Code = "table/text-behind-quote"
	TableQuoteSpace  Code = "table/space-around-quotes"
	TableQuoteOpen   Code = "table/quote-unclosed"
	TableQuoteDoubt  Code = "table/quote-doubtful"
	TableLineEnds    Code = "table/line-ends"
	TableNUL         Code = "table/nul"
	TableSheet       Code = "table/sheet"
	TableSheetHidden Code = "table/sheet-hidden"
	TableMerged      Code = "table/merged-cells"
	TableCell        Code = "table/cell"
	TableFormula     Code = "table/formula"
	TableLayout      Code = "table/layout"
	LimitCells       Code = "limit/cells"
	LimitRow         Code = "limit/row"
)

var tableCodes = []Info{
	{TableDialect, Note, "how the table is written",
		"The delimiter, the quotation mark and its escape were found by trying all candidates on the beginning of the table. The message has the evidence.",
		"Nothing. If it was found wrongly, say it in the spec: source: {delimiter: \";\", quote: \"'\", escape: backslash}."},
	{TableHeader, Note, "the header of the table",
		"Whether the table has a header, and of how many rows, was decided by the cells of the rows below. Without a header the fields are column_1, column_2 and so on.",
		"Nothing. If it was decided wrongly, say it in the spec: source: {header: false} or {header_rows: 2}."},
	{TableHeaderShort, Warning, "a header with a label too few",
		"All rows have a field more than the header has labels, and the first column counts the rows, as some programs write them. The labels are taken for the other columns.",
		"Write a label for each column."},
	{TableHeaderAgain, Note, "the header is repeated",
		"A row further down is the same as the header, as where files or pages were put together. No record is made of it.",
		"Leave the header out when tables are put together."},
	{TableLabelBlank, Warning, "a column without a label",
		"The header has no label for a column. The field is called column_N, where N is the number of the column.",
		"Give each column a label."},
	{TableLabelAgain, Warning, "a label that is there twice",
		"Two columns have the same label. The n-th of them is called by the label, _ and n.",
		"Give each column a label of its own."},
	{TableLabelLines, Note, "a label that goes over several lines",
		"A label has a line end within its quotation marks. Its lines are joined by spaces.",
		"Write the label on one line, or give labels in the source of the spec."},
	{TablePreamble, Note, "a row before the header",
		"A title or remark is before the header. It isn't a record and is skipped.",
		"Publish titles and remarks beside the table. If the row is data, say it in the spec: source: {skip: 0}."},
	{TableComment, Note, "a comment in the table",
		"The line begins with the sign of a comment and isn't a row. It is skipped.",
		"Nothing, if readers of the table know such comments; the standard for CSV has none."},
	{TableFooter, Note, "a remark below the table",
		"The text below the table is in one field only: a source, a footnote. They aren't a record and are skipped.",
		"Publish remarks beside the table."},
	{TableTotal, Warning, "a total of the rows",
		"The last row has a word like Total in its first field. It is kept as a record, though it may be the sum of the others.",
		"Leave totals out of published tables."},
	{TableBlankRow, Note, "rows without a value",
		"The rows are empty, or hold but delimiters and spaces. No record is made of them.",
		"Leave the rows out."},
	{TableRowShort, Warning, "a row with a field too few",
		"The row has fewer fields than the table. Those it has are kept in their order, the others are absent.",
		"Write all delimiters of a row, also where fields are empty."},
	{TableRowWide, Warning, "a row with more fields than the table, all kept",
		"A row has more fields than the header, and those before the surplus are of the kinds of their columns, or the rows that follow are as wide. The surplus fields are kept under made-up names (column_N).",
		"Give the further columns a label."},
	{TableRowLong, Drop, "a row with a field too many",
		"The row has more fields than the table, and those beyond hold something. Most often a field with a delimiter in it lacks its quotation marks. Which one can't be known, so the row is lost.",
		"Put quotation marks around fields that hold a delimiter."},
	{TableSurplus, Repair, "delimiters too many in a row",
		"The row has more fields than the table. Those beyond are empty, or without an empty one the others fit their columns. They are left out.",
		"Write as many delimiters in each row as in the header."},
	{TableTrailing, Note, "every row ends in a delimiter",
		"After the last field of every row is a delimiter, and nothing after it. No column is made of that.",
		"End rows with their last field."},
	{TableBareQuote, Warning, "a quotation mark in a field without quotation marks",
		"RFC 4180 allows quotation marks only in fields that have quotation marks around them. The field is kept as it is.",
		"Put quotation marks around the field, and double those in it."},
	{TableQuoteInner, Repair, "a quotation mark that is not doubled",
		"A field in quotation marks contains one that is not doubled. With it the row has the right number of fields, so it is kept as part of the text.",
		"Double quotation marks in a field."},
	{TableQuoteBehind, Warning, "text after a closing quotation mark",
		"Text is between the closing quotation mark of a field and the next delimiter. The field is kept as it is, quotation marks included.",
		"Put the quotation marks around the whole field, and double those in it."},
	{TableQuoteSpace, Repair, "spaces around the quotation marks of a field",
		"Spaces are between a delimiter and a quotation mark, outside of the field's text. They are left out.",
		"Write quotation marks beside the delimiters."},
	{TableQuoteOpen, Drop, "a quotation mark that never closes",
		"A quotation mark opens a field, and none closes it before sound rows follow. Where the field was meant to end can't be known, so the row is lost. The reader goes on after it; the notice has the length of the stretch.",
		"Close the quotation mark."},
	{TableQuoteDoubt, Drop, "quotation marks that can be read in several ways",
		"Quotation marks in the row are neither doubled nor beside delimiters, and no way to read them gives the row as many fields as the table has. The row is lost.",
		"Put quotation marks around whole fields, and double those in them."},
	{TableLineEnds, Note, "line ends of several kinds",
		"Some rows end in LF, some in CRLF or CR. All of them end rows.",
		"Write the file with one kind of line end."},
	{TableNUL, Repair, "the character U+0000 in a field",
		"A field holds the character U+0000, which isn't text and which most programs can't hold. It is taken out.",
		"Write the file without it; it is often left by a wrong encoding or a crash."},
	{TableSheet, Drop, "a damaged sheet",
		"The data of a sheet or of another part are missing in the workbook, or break off, or a sheet that is asked for is not there. The part before that is kept.",
		"Save the workbook again, or ask for a sheet that it has."},
	{TableSheetHidden, Warning, "a hidden sheet",
		"The workbook has a sheet that is hidden from its readers. It is not read.",
		"Remove the sheet, or show it. Whoever reads it can ask for it: source: {hidden: true}."},
	{TableMerged, Warning, "merged cells",
		"Cells of the sheet are merged. Their value is in the first of them, and the others have none.",
		"Write the value into each cell."},
	{TableCell, Warning, "a cell whose value is doubtful",
		"A cell holds the error of a formula, names a string that is not there, or has the format of a date and is none. It is kept as it is, or left out where nothing is there.",
		"Mend the cell in the workbook."},
	{TableFormula, Warning, "a formula without its value",
		"The cell has a formula, and the workbook does not have what it gave. Formulas are not run, so the cell has no value.",
		"Open the workbook in a spreadsheet program and save it, so that the values are kept."},
	{TableLayout, Note, "tables that only lay a page out",
		"Tables of the page have neither labels (th, scope, headers), nor a head or a caption, nor two rows and two columns of cells without blocks in them; or they have the role presentation, or hold other tables. No records are made of them.",
		"If one of them holds data, say --all-tables, or name it in the spec: source: {tables: [2]}."},
	{LimitCells, Warning, "a sheet of too many cells",
		"Two million cells or rows without a value are one after the other, or cells that OpenDocument repeats are more than 20 million. The rest is not read.",
		"Delete the rows and columns in the sheet that are empty or only repeat a value."},
	{LimitRow, Drop, "a row that is longer than may be held",
		"A row did not end within the longest row that is held in memory, 16 MiB. It is lost; the reader goes on after its line.",
		"Cut the row, or give more memory."},
}
