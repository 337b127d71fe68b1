package rdfxml_test

var sound = []string{
	records + record + "</rdf:RDF>",
	" <!DOCTYPE rdf:RDF [<!ENTITY e 'http://e/'><!ENTITY f '<e:x>&e;</e:x>'><!ATTLIST e:p xml:lang CDATA 'en'>]>\n" + head + "<e:T rdf:about='&e;t'><e:p>&f;</e:p><e:q rdf:parseType='Literal'>&f;<!-- c --><?p i?><![CDATA[<]]></e:q></e:T>" + foot,
}
