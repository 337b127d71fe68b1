package fault

// Codes of findings in the text of literals. All are doubts: the text is kept.
const (
	LiteralMojibake      Code = "literal/mojibake"
	LiteralQuestionMarks Code = "literal/question-marks"
	LiteralControl       Code = "literal/control-character"
	LiteralPrivateUse    Code = "literal/private-use"
	LiteralEntity        Code = "literal/html-entity"
	LiteralTag           Code = "literal/html-tag"
	LiteralWhiteSpace    Code = "literal/white-space"
	LiteralNotNFC        Code = "literal/not-nfc"

	LiteralMojibakeMended Code = "literal/mojibake-mended"
)

var textCodes = []Info{
	{LiteralMojibake, Warning, "a text that was read in the wrong encoding",
		"Characters outside ASCII have become two or three others each (Ã¤ for ä, â€™ for an apostrophe): somewhere on its way the text was UTF-8 and was read as windows-1252 or another code page, once or more often. The message shows what it says when it is read back. It is kept as it is; --fix-mojibake reads it back.",
		"Find the program that reads UTF-8 as something else: most often a database connection or a file that was opened without naming the encoding. Then make the data again."},
	{LiteralMojibakeMended, Repair, "a text that was read in the wrong encoding was read back",
		"Somewhere on its way the text was UTF-8 and was read as the code page that the message names, once or as often as it says. Since --fix-mojibake asks for it, the literal says what was meant. The excerpt shows the text as it was; to have it again, write the literal as UTF-8 and read that in the page.",
		"Find the program that reads UTF-8 as something else, as for literal/mojibake, and make the data again."},
	{LiteralQuestionMarks, Warning, "a text with question marks in the place of letters",
		"The language tag says that the text needs letters outside ASCII, and question marks are in their place (M?nchen, or ????? as a whole): a program wrote the text in an encoding that lacks them. It is kept as it is.",
		"Find the program that converts the text, let it write UTF-8, and make the data again."},
	{LiteralControl, Warning, "a control character in a text",
		"The text holds a control character or noncharacter that has no place in text and that XML could not hold; one between U+0080 and U+009F most often is a quotation mark of windows-1252 that was read as ISO 8859-1. It is kept as it is.",
		"Remove the character, or convert the text from the encoding that it is in."},
	{LiteralPrivateUse, Warning, "a private-use character in a text",
		"The text holds a character that has no meaning but by private agreement: a symbol of some font or program, which others see as an empty box. It is kept as it is.",
		"Use characters that have a public meaning."},
	{LiteralEntity, Warning, "a character reference of HTML in a plain text",
		"The text holds &amp;, &eacute;, &#233; or the like. In a plain literal that is not the character but these letters, and is shown so. The text is kept as it is.",
		"Decode the references before you write the literal, or give it the datatype rdf:HTML."},
	{LiteralTag, Warning, "a tag of HTML in a plain text",
		"The text holds a tag such as <br> or </b>. In a plain literal that is only text, and is shown as such. The text is kept as it is.",
		"Take the markup out, or give the literal the datatype rdf:HTML."},
	{LiteralWhiteSpace, Warning, "white space around a text",
		"The text begins or ends with a space, a line end or the like. Two texts that look the same are two values then, and no search finds the one by the other. It is kept as it is.",
		"Trim the values that literals are made from."},
	{LiteralNotNFC, Warning, "a text that is not in Unicode's normal form C",
		"A letter and its accent are written as two characters where one exists, or the like. Two such texts look the same and are not equal. RDF asks for normal form C. The text is kept as it is.",
		"Normalise texts to NFC before you write them."},
}
