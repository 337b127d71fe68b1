package fault

// Repairs of TriX.
var trixRepairs = []Mended{
	{TriXName, "The name of an element in other letters is read as that of TriX.",
		"TriX has nine names, which differ in more than their letters' case.",
		[]Example{{"TriX", "<TriX xmlns=\"http://www.w3.org/2004/03/trix/trix-1/\"><graph><triple><uri>s</uri><uri>http://e/p</uri><plainliteral>x</plainliteral></triple></graph></TriX>",
			"<http://e/s> <http://e/p> \"x\" .\n", ""}}},
}
