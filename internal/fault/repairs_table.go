package fault

// Repairs of tables.
var tableRepairs = []Mended{
	{TableQuoteInner, "A quotation mark that is not doubled, within a field with marks around it, is kept as part of the text.",
		"A mark that does close the field follows on the same line, and the row then has as many fields as the others.",
		[]Example{{"csv", "id,name,c\n1,\"a \"big\" one\",x\n2,b,c\n",
			"{\"id\":\"1\",\"name\":\"a \\\"big\\\" one\",\"c\":\"x\"}\n{\"id\":\"2\",\"name\":\"b\",\"c\":\"c\"}\n",
			"{\"id\":\"2\",\"name\":\"b\",\"c\":\"c\"}\n"}}},
	{TableQuoteSpace, "Spaces between a delimiter and the quotation marks of a field are left out.",
		"The marks say where the text of the field begins and ends.",
		[]Example{{"csv", "a,b,c\n1, \"x, y\" ,2\n3,z,4\n",
			"{\"a\":\"1\",\"b\":\"x, y\",\"c\":\"2\"}\n{\"a\":\"3\",\"b\":\"z\",\"c\":\"4\"}\n",
			"{\"a\":\"3\",\"b\":\"z\",\"c\":\"4\"}\n"}}},
	{TableSurplus, "Empty fields beyond those of the table are left out.",
		"There is no column that they could belong to, and they hold nothing.",
		[]Example{{"csv", "a,b\n1,2\n3,4,\n", "{\"a\":\"1\",\"b\":\"2\"}\n{\"a\":\"3\",\"b\":\"4\"}\n", "{\"a\":\"1\",\"b\":\"2\"}\n"}}},
	{TableNUL, "The character U+0000 is taken out of a field.",
		"It isn't a part of any text; programs that end texts with it, or crashes, leave it.",
		[]Example{{"csv", "a,b\n1,x\u0000y\n2,z\n", "{\"a\":\"1\",\"b\":\"xy\"}\n{\"a\":\"2\",\"b\":\"z\"}\n",
			"{\"a\":\"2\",\"b\":\"z\"}\n"}}},
}
