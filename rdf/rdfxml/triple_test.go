package rdfxml_test

import "strings"

// head12 is head with a version.
var head12 = strings.Replace(head, ">", ` rdf:version="1.2">`, 1)

func in12(body string) string { return " " + head12 + body + foot }

// tripleFaults are rows about what RDF 1.2 adds.
var tripleFaults = []row{
	{"a fault in a triple term costs its statement",
		in12(sp + `<e:p rdf:parseType="Triple" rdf:annotation="http://e/a"><rdf:Description><bad:q>v</bad:q></rdf:Description></e:p><e:q>v</e:q>` +
			ps),
		[]string{`<e:s> <e:q> "v" .`}, []string{"2:114 drop syntax/undeclared-prefix 0", "2:41 drop syntax/rdfxml-triple 2"}},
	{"triple terms of no statement, of several and of several nodes",
		in12(sp + `<e:p rdf:parseType="Triple"/><e:p rdf:parseType="Triple"><e:T e:q="v"/></e:p><e:p rdf:parseType="Triple"><rdf:Description e:q="v"/><rdf:Description/></e:p><e:q>v</e:q>` +
			ps),
		[]string{`<e:s> <e:q> "v" .`}, []string{"2:41 drop syntax/rdfxml-triple 1", "2:70 drop syntax/rdfxml-triple 1",
			"2:172 drop syntax/rdfxml-several-nodes 0", "2:118 drop syntax/rdfxml-triple 1"}},
	{"text and mark-up in a triple term",
		in12(sp + `<e:p rdf:parseType="Triple">text<e:T/></e:p><e:p rdf:parseType="Triple"><rdf:Description><e:q><b>x</b></e:q></rdf:Description></e:p><e:q>v</e:q>` +
			ps),
		[]string{`<e:s> <e:q> "v" .`}, []string{"2:69 drop syntax/rdfxml-stray-text 0", "2:41 drop syntax/rdfxml-triple 1",
			"2:130 drop syntax/rdfxml-mixed-content 0", "2:85 drop syntax/rdfxml-triple 1"}},
	{"triple terms in one another, and repairs",
		in12(sp + `<e:p rdf:parseType="Triple"><rdf:Description rdf:about="http://e/1"><e:q rdf:parseType="Triple"><e:T rdf:about=" http://e/2"/></e:q></rdf:Description></e:p><e:p rdf:ID="i" rdf:annotationNodeID="n" rdf:parseType="Triple"><e:T/></e:p>` +
			ps),
		[]string{`!<e:s> <e:p> <<( <e:1> <e:q> <<( <e:2> <rdf:type> <e:T> )>> )>> .`, `<e:s> <e:p> <<( _:0-1 <rdf:type> <e:T> )>> .`,
			`_:n <rdf:reifies> <<( <e:s> <e:p> <<( _:0-1 <rdf:type> <e:T> )>> )>> .`, `<http://base/d#i> <rdf:type> <rdf:Statement> .`,
			`<http://base/d#i> <rdf:subject> <e:s> .`, `<http://base/d#i> <rdf:predicate> <e:p> .`,
			`<http://base/d#i> <rdf:object> <<( _:0-1 <rdf:type> <e:T> )>> .`}, []string{"2:142 repair iri/trimmed 0"}},
	{"a triple term within another is broken",
		in12(sp + `<e:p rdf:parseType="Triple"><rdf:Description><e:q rdf:parseType="Triple"><rdf:Description/></e:q></rdf:Description></e:p><e:q>v</e:q>` +
			ps),
		[]string{`<e:s> <e:q> "v" .`}, []string{"2:86 drop syntax/rdfxml-triple 0", "2:41 drop syntax/rdfxml-triple 1"}},
	{"annotations that name nothing",
		in12(sp + `<e:p rdf:annotation="http://e/a" rdf:annotationNodeID="b">v</e:p><e:q rdf:annotationNodeID="">v</e:q><bad:q rdf:annotation="http://e/a"/><e:r rdf:annotation="rel" rdf:resource="http://e/o"/>` +
			ps + `<e:T rdf:about="http://e/t" rdf:annotation="http://e/a"/>`),
		[]string{`<e:s> <e:p> "v" .`, `<e:s> <e:q> "v" .`, `<e:s> <e:r> <e:o> .`,
			`<http://base/rel> <rdf:reifies> <<( <e:s> <e:r> <e:o> )>> .`, `<e:t> <rdf:type> <e:T> .`},
		[]string{"2:46 drop syntax/rdfxml-conflicting-attributes 1", "2:111 drop syntax/rdfxml-bad-id 1",
			"2:142 drop syntax/undeclared-prefix 2", "2:277 drop syntax/rdfxml-forbidden-name 1"}},
	{"directions and versions",
		in12(`<rdf:Description rdf:about="http://e/s" xml:lang="en" xmlns:its="http://www.w3.org/2005/11/its" its:dir="rtl" e:a="1"><e:b>2</e:b><e:b its:dir="lro">3</e:b><e:b rdf:version="1.1" its:dir="ltr"/><e:b rdf:version="9" xml:lang="">4</e:b><e:b its:dir="ltr" rdf:datatype="http://e/d">5</e:b></rdf:Description>`),
		[]string{`<e:s> <e:a> "1"@en--rtl .`, `<e:s> <e:b> "2"@en--rtl .`, `<e:s> <e:b> "3"@en .`, `<e:s> <e:b> _:0-1 .`,
			`_:0-1 <http://www.w3.org/2005/11/itsdir> "ltr"@en .`, `<e:s> <e:b> "4" .`, `<e:s> <e:b> "5"^^<e:d> .`},
		[]string{"2:136 warning language/direction 0", "2:200 warning syntax/unknown-version 0"}},
	{"cut in a triple term", " " + head12 + sp +
		`<e:p>v</e:p><e:p rdf:parseType="Triple" rdf:annotation="http://e/a"><rdf:Description><e:q>v</e:q>`,
		[]string{`<e:s> <e:p> "v" .`}, []string{"2:53 drop syntax/xml-cut-short 2"}},
	{"triple terms and directions where no version is in force",
		" " + strings.Replace(head, ">", ` xmlns:its="http://www.w3.org/2005/11/its" its:dir="ltr" its:version="2.0">`, 1) + sp +
			`<e:p rdf:parseType="Triple"><e:T/></e:p><e:q its:dir="ltr">v</e:q><e:q>v</e:q>` + ps + foot,
		[]string{`<e:s> <e:q> "v" .`}, []string{"1:128 warning language/direction 0", "1:142 warning language/direction 0",
			"2:46 warning syntax/rdfxml-triple 0", "2:81 drop syntax/rdfxml-lost-part 1", "2:81 drop syntax/rdfxml-lost-part 1"}},
}
