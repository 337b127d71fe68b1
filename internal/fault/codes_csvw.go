package fault

// Codes of findings where tables become statements by the metadata that describes them.
const (
	CSVWMetadata       Code = "csvw/metadata"
	CSVWProperty       Code = "csvw/property"
	CSVWNotDescribed   Code = "csvw/not-described"
	CSVWTransformation Code = "csvw/transformation"
	CSVWColumns        Code = "csvw/columns"
	CSVWRowWidth       Code = "csvw/row-width"
	CSVWQuotes         Code = "csvw/quotes"
	CSVWCell           Code = "csvw/cell"
	CSVWRequired       Code = "csvw/required"
	CSVWPrimaryKey     Code = "csvw/primary-key"
	CSVWForeignKey     Code = "csvw/foreign-key"
	CSVWUncheckedKey   Code = "csvw/unchecked-key"
)

var csvwCodes = []Info{
	{CSVWMetadata, Drop, "metadata of a table that can't be used",
		"The document that describes a table breaks a rule of W3C's metadata vocabulary for tabular data where no default can be taken, isn't JSON, or describes a table that isn't there. No statement is made of the table.",
		"Correct the document at the place that the error gives, or name another one with --metadata."},
	{CSVWProperty, Warning, "a property of metadata that is not used",
		"A property in the description of a table is not one of the standard, or its value is not of the kind that the standard asks for. The default is taken in its place.",
		"Correct the name or the value of the property."},
	{CSVWNotDescribed, Warning, "metadata that describes other tables",
		"A metadata document was found by the standard's rules, or was given, and the URL of this table is not in it. One that was found is not used, and the next one is looked for. Of one that was given the tables are read.",
		"Correct the url in the metadata; it is relative to the metadata document."},
	{CSVWTransformation, Note, "a transformation that is not run",
		"The metadata names a script that makes something else of the table. Scripts of others are not run; the statements are those that the standard gives for the table.",
		"Run the transformation yourself if you need its result."},
	{CSVWColumns, Warning, "columns that are not those of the metadata",
		"The header of the table has another number of columns than its metadata, or other titles. The cells are read in order, by the descriptions of the metadata.",
		"Correct the titles in the header or in the metadata, or add the columns that are missing."},
	{CSVWRowWidth, Warning, "a row with other than as many cells as columns",
		"The row has more or fewer cells than the table has columns. Cells that are missing have no value; those beyond the columns have names by their number, such as _col.5.",
		"Look whether a delimiter in a text lacks its quotation marks."},
	{CSVWQuotes, Warning, "quotation marks that are not in pairs around a cell",
		"A quotation mark begins a cell and does not end it, or there is text after the one that does. The text is taken as it is.",
		"Double the quotation marks in a quoted cell, or give the quoteChar of the table in the dialect of its metadata."},
	{CSVWCell, Warning, "a cell that is not of its datatype",
		"The text of a cell is not written as the datatype and format of its column say, or is outside the limits of the datatype. It is written as a text without that datatype, as the standard asks.",
		"Correct the cell, or the datatype or format in the metadata."},
	{CSVWRequired, Warning, "a required cell without a value",
		"The metadata says that each row has a value in this column, and the cell is empty or one of the texts that mean nothing.",
		"Fill in the cell, or take required out of the metadata."},
	{CSVWPrimaryKey, Warning, "a primary key that two rows have",
		"Two rows of the table have the same values in the columns of its primary key. Both are kept.",
		"Take the row out that is there twice, or correct the primary key in the metadata."},
	{CSVWForeignKey, Warning, "a foreign key without its row",
		"The values of a foreign key are in no row of the table that it refers to, or in several. The statements of the row are kept.",
		"Add the row to the other table, or correct the value."},
	{CSVWUncheckedKey, Note, "a foreign key that was not checked",
		"The metadata has a foreign key to another table. The daemon, and records --metadata, read a table by itself, so it is not known whether its values are in the other table.",
		"Read all tables together: wash or records of the metadata document, of the descriptor of a Data Package, or of the archive that it is in."},
}
