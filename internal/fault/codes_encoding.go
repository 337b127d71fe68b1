package fault

// Codes of the encoding of a document as a whole, and of bytes that are no character in it.
const (
	EncodingUnsupported        Code = "encoding/unsupported"
	EncodingUndecodable        Code = "encoding/undecodable"
	EncodingDeclarationRefuted Code = "encoding/declaration-refuted"
	EncodingDisagreement       Code = "encoding/disagreement"
	EncodingGuessed            Code = "encoding/guessed"
	EncodingMixed              Code = "encoding/mixed"
	EncodingDoubleEncoded      Code = "encoding/double-encoded"
	EncodingLost               Code = "encoding/letters-lost"
)

var encodingCodes = []Info{
	{EncodingUnsupported, 0, "an encoding that can't be read",
		"The document is in a character encoding that Laundromat does not know, or does not read (UTF-EBCDIC and rare code pages of EBCDIC, ISO-2022-CN-EXT, BOCU-1 and SCSU among them). Nothing of it was read.",
		"Publish the document in UTF-8, and declare UTF-8. Whoever washes it can name another encoding with --encoding."},
	{EncodingUndecodable, Warning, "bytes that stand for no character",
		"In the encoding that the document is read in, these bytes stand for no character. The replacement character U+FFFD is put in their place, so that the loss can be seen.",
		"Write the document in UTF-8. If these bytes came from elsewhere, convert them from the encoding of that source first."},
	{EncodingDeclarationRefuted, Warning, "the declared encoding is not the true one",
		"The XML declaration, the meta element of the page, or the charset parameter of the Content-Type header names an encoding that the bytes of the document can't be in. It is read in the encoding that the notice names.",
		"Declare the encoding that the document is saved in; best, save it in UTF-8 and declare UTF-8."},
	{EncodingDisagreement, Warning, "two statements about the encoding disagree",
		"Two of the byte order mark, the declaration in the document, the charset parameter of the Content-Type header, and the likelihood of the words speak for different encodings, and the bytes alone refute none of them. The notice says which was believed.",
		"Declare the same encoding everywhere; best, UTF-8. Check that the web server does not add a charset of its own to every text."},
	{EncodingGuessed, Warning, "not UTF-8, and no encoding that holds is declared",
		"The bytes of the document are not UTF-8, and nothing says what else they are. The encoding that makes the most likely words of them was chosen; accented letters and other scripts may come out wrong.",
		"Save the document in UTF-8: N-Triples, N-Quads, Turtle, TriG and JSON-LD allow nothing else. In XML and HTML, declare the encoding."},
	{EncodingDoubleEncoded, Warning, "a document that was encoded twice",
		"Most of the characters outside ASCII are there as two to four others each (Ã¤ for ä): the document was UTF-8, a program read it as windows-1252 or ISO-8859-1, and wrote it as UTF-8 again. The notice gives the share. The text is read as it is; with --fix-mojibake it is read back, all of it if the share is nine of ten or more, else literal by literal.",
		"Find the program that reads UTF-8 as something else, and make the document again. If there is no other: wash it with --fix-mojibake."},
	{EncodingLost, Warning, "a document whose letters outside ASCII are lost",
		"Question marks replace most of the letters outside ASCII (M?nchen for München, ?????? for Москва): a program wrote the text in an encoding that lacks them. The notice gives the share: the question marks within words of letters, and those that are words alone, if these have three lengths or more, of all characters outside ASCII and these. Nothing can bring the letters back; the text is kept as it is.",
		"Find the program that converts the text, let it write UTF-8, and make the document again."},
	{EncodingMixed, Warning, "UTF-8 with bytes of another encoding in it",
		"Most of the characters outside ASCII are well-formed UTF-8, but some bytes are not: data from several sources was most likely joined without converting it. The document is read as UTF-8, and each term that holds such bytes is judged by itself. The notice names the single-byte encoding in which they make the likeliest words.",
		"Convert every source to UTF-8 before joining them."},
}
