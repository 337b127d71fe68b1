package fault

// Codes of what the rules of a map find.
const (
	MapNeverFound   Code = "map/never-found"
	MapNatural      Code = "map/natural"
	MapNaturalTwice Code = "map/natural-twice"
	MapKind         Code = "map/kind"
	MapSplit        Code = "map/split"
	MapNumber       Code = "map/number"
	MapAmbiguous    Code = "map/ambiguous-number"
	MapDate         Code = "map/date"
	MapDatePart     Code = "map/date-part"
	MapDateYear     Code = "map/two-digit-year"
	MapDateGap      Code = "map/time-gap"
	MapDateOverlap  Code = "map/time-overlap"
	MapTimeZone     Code = "map/time-zone"
	MapUnit         Code = "map/unit"
	MapUnitMismatch Code = "map/unit-mismatch"
	MapUnitRounded  Code = "map/unit-rounded"
	MapExpr         Code = "map/expr"
)

var mapCodes = []Info{
	{MapNeverFound, Warning, "a rule that found its field in no record",
		"A rule of the map reads a field that none of the records had. Its output field is missing everywhere.",
		"Correct the rule's from, or the selector that should give the field."},
	{MapNatural, Note, "which fields the natural map joined",
		"The natural map fills the fields of the schema from fields of nearly the same name. It lists those with another spelling, and those that it left out.",
		"Nothing is wrong; where a pair is, write a rule for that field."},
	{MapNaturalTwice, Warning, "two fields that would fill one of the schema",
		"Two fields of a record have names that differ only in case, spaces, punctuation or accents. The one of the very name fills the schema's field, else the first.",
		"Write a map that says which of them is meant."},
	{MapKind, Warning, "a value of a kind that the rule can't read",
		"The verb reads a text or a number, and the value is a boolean, a list or an object. It stays as it is.",
		"Take the value apart first, or use an expression."},
	{MapSplit, Warning, "a value that the rule could not split",
		"The pattern does not match the value, or sets apart more or fewer pieces than there are fields. The value is kept whole in the field that the rule is named for.",
		"Widen the pattern, or correct the value."},
	{MapNumber, Warning, "a value that isn't a number",
		"The value has no form of a number that the rule reads. It stays as it is.",
		"Correct the value, or add its decimal sign and grouping to the rule."},
	{MapAmbiguous, Warning, "a number that has two readings",
		"A single point or comma is before three digits, so that it may be a decimal sign or a grouping: 1,234. The value stays as it is.",
		"Give the rule its decimal sign: number: {decimal: \",\"}."},
	{MapDate, Warning, "a value that isn't a date of the rule's patterns",
		"No pattern fits the value, or the day does not exist, as 31 February. It stays as it is.",
		"Correct the value, or give the rule a further pattern or language."},
	{MapDatePart, Note, "a date without a day or month",
		"The pattern has no day, or neither month nor day. The first of the month or year was taken.",
		"Give a whole date, where one is known."},
	{MapDateYear, Note, "a year of two digits",
		"The year has two digits. 69 to 99 were read as 1969 to 1999, and 00 to 68 as 2000 to 2068, or as the rule's pivot says.",
		"Write years with four digits."},
	{MapDateGap, Warning, "a time that the clocks left out",
		"On that day the clocks were put forward past this time, so that it did not exist in its time zone. The value stays as it is.",
		"Correct the time, or its time zone."},
	{MapDateOverlap, Warning, "a time that the clocks showed twice",
		"On that day the clocks were put back, so that this time was there twice. The earlier of the two was taken.",
		"Write the offset beside the time, as 02:30 +0200."},
	{MapTimeZone, Warning, "a time zone that is not known",
		"The record's field of the time zone has no name of the IANA time zone database, or the abbreviation has several meanings. The date stays as it is.",
		"Give a name as Europe/Paris, or an offset as +02:00."},
	{MapUnit, Warning, "a value that isn't a number with a UCUM unit",
		"A quantity is a number, a space and a code of UCUM, whose letters' case counts. It stays as it is.",
		"Write the code of UCUM, as 5 [mi_i], or give the rule aliases."},
	{MapUnitMismatch, Warning, "a unit that can't be converted into the rule's",
		"The two units measure different things, or one of them is an arbitrary unit that converts into itself alone. The value stays as it is.",
		"Correct the unit, or the rule."},
	{MapUnitRounded, Note, "a quantity that was rounded",
		"The exact result has no finite form, since pi, a logarithm or a root is in it. It is given with the number of digits of the rule, 24 where it names none.",
		"Nothing is wrong; give the rule digits for fewer."},
	{MapExpr, Warning, "an expression without a value",
		"The expression could not be evaluated on this record, or was ended by its limit. The field stays as it is, or is absent where there was none.",
		"Test for what may be missing: has(record.price), or record.?price.orValue(\"\")."},
}
