package fault

// Repairs of TriX.
var trixRepairs = []Mended{
	{TriXName, "The name of an element in other letters is read as that of TriX.",
		"TriX has nine names, which differ in more than their letters' case.",
		[]Example{{"TriX",
			"<TriX xmlns=\"http://www.w3.org/2004/03/trix/trix-1/\"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><plainliteral>x</plainliteral></triple></graph></TriX>",
			"<http://e/s> <http://e/p> \"x\" .\n", ""}}},
	{TriXNamespace, "Elements of TriX in another namespace, or in none, are read as those of TriX.",
		"The root is called TriX, and what is in it has the names and the order of TriX, which no other language has.",
		[]Example{
			{"TriX", "<TriX><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral>x</plainLiteral></triple></graph></TriX>",
				"<http://e/s> <http://e/p> \"x\" .\n", ""},
			{"TriX", "<TriX xmlns=\"http://e/trix\"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral>x</plainLiteral></triple></graph></TriX>",
				"<http://e/s> <http://e/p> \"x\" .\n", ""},
		}},
	{TriXEmptyName, "A graph whose name is an empty element is one without a name.",
		"An empty element says as much as none, and a graph without a name is the default graph.",
		[]Example{{"TriX",
			"<TriX xmlns=\"http://www.w3.org/2004/03/trix/trix-1/\"><graph><uri/><triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral>x</plainLiteral></triple></graph></TriX>",
			"<http://e/s> <http://e/p> \"x\" .\n", ""}}},
}
