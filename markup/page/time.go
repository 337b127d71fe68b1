package page

import (
	"strings"

	"laundromat/internal/pattern"
)

// xsd is the namespace of the datatypes (XML Schema Definition Language 1.1 Part 2 §3.1).
const xsd = "http://www.w3.org/2001/XMLSchema#"

// times are the datatypes of dates and times in HTML, the first that fits.
var times = []struct {
	datatype string
	form     *pattern.Pattern
}{
	{"duration", pattern.New(`^-?P(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$`)},
	{"dateTime", pattern.New(`^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$`)},
	{"date", pattern.New(`^-?\d{4,}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?$`)},
	{"time", pattern.New(`^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$`)},
	{"gYearMonth", pattern.New(`^-?\d{4,}-\d\d(Z|[+-]\d\d:\d\d)?$`)},
	{"gYear", pattern.New(`^-?\d{4,}(Z|[+-]\d\d:\d\d)?$`)},
}

// TimeType is the XSD datatype of the value of a time element, by its form (HTML+RDFa 1.1 §3.1,
// Microdata to RDF §4.1). It is "" for no such form.
func TimeType(value string) string {
	if strings.HasSuffix(value, "P") || strings.HasSuffix(value, "T") {
		return ""
	}
	for i := range times {
		if times[i].form.MatchString(value) {
			return xsd + times[i].datatype
		}
	}
	return ""
}
