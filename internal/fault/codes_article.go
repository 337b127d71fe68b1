package fault

// Codes of findings where articles are made of pages, feeds and plain text.
const (
	TextEmpty         Code = "text/empty"
	TextEntity        Code = "text/entity"
	TextNUL           Code = "text/nul"
	TextControl       Code = "text/control"
	TextUnclosedQuote Code = "text/unclosed-quote"
	TextCut           Code = "text/cut"
	TextTooDeep       Code = "text/too-deep"
	TextNoDate        Code = "text/no-date"
	TextBadOffset     Code = "text/bad-offset"
	TextUnknownField  Code = "text/unknown-field"
	TextBrokenLine    Code = "text/broken-line"
	TextFormatLoss    Code = "text/format-loss"
	TextFormat        Code = "text/format"
	TextStatus        Code = "text/status"
)

var articleCodes = []Info{
	{TextEmpty, Note, "a page without text",
		"The page or the entry of a feed has no text: no article is made of it. It is counted as empty.",
		"Nothing, if the page has none. A page whose text a script brings can't be read without running that."},
	{TextEntity, Note, "a character reference that was written twice over",
		"After the decoding of HTML, the text of a feed's entry still had a character reference such as &amp;. It is decoded once more, except in code. The message shows the first of them.",
		"Escape the text of an entry once."},
	{TextNUL, Warning, "the character U+0000 in the text",
		"The text holds the character U+0000, which isn't text and which most programs can't hold. It is left out.",
		"Remove the character. Where every second byte is zero, the page is in UTF-16 and should say so."},
	{TextControl, Warning, "control characters in the text",
		"The text holds characters from U+0080 to U+009F, which are controls that no text has. They are kept. Most come from a text in Windows-1252 that was taken for Latin-1, or from bytes that were cut out of their character.",
		"Convert the text from the encoding that it was written in."},
	{TextUnclosedQuote, Note, "a quotation that never closes",
		"A quotation mark opens, and none closes it before the text or the paragraph ends. No quotation is made of it; the text is kept as it is.",
		"Close the quotation mark."},
	{TextCut, Warning, "a page that is cut off, or an element without its end tag",
		"The page or feed ends within a tag, a comment or an element; then what followed is not in the article. Or an element that needs an end tag has none: it is read to where another begins, or takes the rest of the page. The message says how many bytes are its own.",
		"Publish the document whole, say its length in Content-Length, and close elements where they end."},
	{TextTooDeep, Warning, "elements that are nested too deeply",
		"So many elements are open at once that the parser of HTML gives up. Tags beyond that depth are skipped; their text is kept.",
		"Close elements where they end."},
	{TextNoDate, Note, "an article without a date",
		"Neither the feed nor JSON-LD, meta or time elements of the page say when it was published. The date is left unknown: it is never guessed from prose.",
		"Say the date of publication in JSON-LD (datePublished) or in a meta element (article:published_time)."},
	{TextBadOffset, Warning, "a place of a link or quote that is wrong",
		"A line of f5 or full5 gives a link or a quote a place that its content does not have, or at which the content says something else than the quote. Places count code points of the content in tokens. The line is kept as it is; an article made of it goes without that link or quote where the place is outside.",
		"Count code points, not bytes or units of UTF-16, in the field C as it is written."},
	{TextUnknownField, Warning, "a field that f5 and full5 don't have",
		"A column or line has a letter that the format doesn't name, or none, or a date in neither of the two ways (2013-04-09T02:26:00Z and 2013-04-09 02:26:00). It is kept as it is.",
		"Nothing, if another program reads it. A column without a letter most often comes of a tab within a value: write tabs as the format says."},
	{TextBrokenLine, Drop, "a line that is none of its format",
		"A line of full5 does not begin with a letter and a tab, or a line of f5 has no column of a letter and a colon. It is skipped, and the next one is read.",
		"Write newlines within a value as the format says: *NL* in f5, &#10; in full5."},
	{TextFormatLoss, Warning, "something that the format can't hold",
		"The article is written in a format that has no room for a part of it: f5 has neither tabs nor runs of newlines, and the fields I, V, S and G only on demand. The message says what is missing in what was written.",
		"Write full5 or JSON where all of it is needed, or ask for the extra columns."},
	{TextStatus, Warning, "a page that came with another status than 200",
		"A crawl stored the body of a redirect (301), of an error (404, 500) or the like. Its text is made an article, though it is most often the server's own words.",
		"Leave such articles out, by this notice, where only pages are wanted."},
	{TextFormat, Note, "a document that isn't a page, feed or text",
		"Its name, its media type or its content says that the document holds no text for people: it is a picture, a script, data or the like. No article is made of it. Beside others that are text this isn't a fault.",
		"Nothing, if it is what it seems. Where the format was found out wrongly, name it with --format."},
}
