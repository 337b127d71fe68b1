package fault

// Codes of records and tables that break their schema.
const (
	SchemaType           Code = "schema/type-error"
	SchemaConstraint     Code = "schema/constraint-error"
	SchemaUnique         Code = "schema/unique-error"
	SchemaPrimaryKey     Code = "schema/primary-key"
	SchemaForeignKey     Code = "schema/foreign-key"
	SchemaMissingCell    Code = "schema/missing-cell"
	SchemaExtraCell      Code = "schema/extra-cell"
	SchemaBlankRow       Code = "schema/blank-row"
	SchemaBlankHeader    Code = "schema/blank-header"
	SchemaBlankLabel     Code = "schema/blank-label"
	SchemaDuplicateLabel Code = "schema/duplicate-label"
	SchemaExtraLabel     Code = "schema/extra-label"
	SchemaIncorrectLabel Code = "schema/incorrect-label"
	SchemaMissingLabel   Code = "schema/missing-label"
	SchemaFieldCount     Code = "schema/field-count"
	SchemaRowCount       Code = "schema/row-count"
	SchemaJSON           Code = "schema/json-schema"
)

var schemaCodes = []Info{
	{SchemaType, Drop, "a value that is not of its field's type",
		"The schema gives the field a type and a format, and the value can't be read as one. The record is dropped, unless the field has onError.",
		"Write the value as the type asks, or correct the type or format in the schema."},
	{SchemaConstraint, Drop, "a value that breaks a constraint of its field",
		"The value has the type of its field, and is missing where it is required, out of its bounds, too short or long, unlike the pattern, or not among the values allowed. The record is dropped, unless the field has onError.",
		"Correct the value, or the constraint in the schema."},
	{SchemaUnique, Drop, "a value that comes twice in a unique field",
		"The schema says that the values of the field, or of several fields together, come once. The first record with the value is kept, and this one is dropped.",
		"Remove the duplicate, or correct the value."},
	{SchemaPrimaryKey, Drop, "a primary key that is missing or comes twice",
		"The primary key names a record: no part of it may be missing, and no two records have the same. The first record with the key is kept, and this one is dropped.",
		"Give each record a key of its own."},
	{SchemaForeignKey, Drop, "a foreign key that names no record",
		"The field refers to the key of another table, or of this one, and there is no record with that key. The record that refers is dropped.",
		"Correct the reference, or add the record that it names."},
	{SchemaMissingCell, Drop, "a row with too few cells",
		"The header has a column for the field, and the row ends before it. The record is dropped.",
		"Write all cells of the row; leave one empty where there is no value."},
	{SchemaExtraCell, Drop, "a row with too many cells",
		"The row goes on beyond the last column of the header. Which cell is the one too many can't be known, so the record is dropped.",
		"Put cells that hold the delimiter into quotation marks."},
	{SchemaBlankRow, Drop, "a row without cells",
		"The row has no cell at all, and so no record of the schema.",
		"Remove the empty line."},
	{SchemaBlankHeader, Warning, "a header without labels",
		"The header row has no label at all. The columns were taken in the order of the schema's fields where fieldsMatch is exact; else their values are kept as they are.",
		"Write the names of the fields in the first row."},
	{SchemaBlankLabel, Warning, "a column without a label",
		"A cell of the header row is blank. The column was taken for the field of the schema at this place where fieldsMatch is exact; else its values are kept as they are.",
		"Write the name of the field in the header."},
	{SchemaDuplicateLabel, Warning, "a label that comes twice",
		"Two columns have the same label. The first is the field of this name. The other was taken for the field of the schema at this place where fieldsMatch is exact and no other column has its name.",
		"Give each column a name of its own."},
	{SchemaExtraLabel, Warning, "a column that the schema does not know",
		"The schema has no field of this name, and its fieldsMatch allows no others. The values are kept as they are, without a check.",
		"Add the field to the schema, or set fieldsMatch to subset or partial."},
	{SchemaIncorrectLabel, Warning, "a label that is not the one of the schema",
		"The schema has another field at this place. A label that names a field elsewhere is taken for that field; one that names none is taken for the field at its place.",
		"Correct the label or the order of the columns, or set fieldsMatch to equal."},
	{SchemaMissingLabel, Warning, "a field of the schema without a column",
		"The schema has a field of which the table has no column, and its fieldsMatch allows none to be absent. The records have no such field.",
		"Add the column, or set fieldsMatch to superset or partial."},
	{SchemaFieldCount, Warning, "another number of columns than described",
		"The description of the table says how many fields it has, and the header has another number.",
		"Correct the description, or add what is missing."},
	{SchemaRowCount, Warning, "another number of rows than described",
		"The description of the table says how many rows it has, and another number was read. The table may have been cut short.",
		"Correct the description, or fetch the whole table again."},
	{SchemaJSON, Drop, "a record that breaks its JSON Schema",
		"A value of the record is not as the JSON Schema says; the notice names the value by its path. The record is dropped.",
		"Correct the value, or the schema."},
}
