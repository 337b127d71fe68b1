package page

import (
	"regexp"
	"strings"

	"laundromat/rdf"
)

// times are the datatypes of dates and times in HTML, the first that fits.
var times = []struct {
	datatype string
	form     *regexp.Regexp
}{
	{"duration", regexp.MustCompile(`^-?P(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$`)},
	{"dateTime", regexp.MustCompile(`^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$`)},
	{"date", regexp.MustCompile(`^-?\d{4,}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?$`)},
	{"time", regexp.MustCompile(`^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$`)},
	{"gYearMonth", regexp.MustCompile(`^-?\d{4,}-\d\d(Z|[+-]\d\d:\d\d)?$`)},
	{"gYear", regexp.MustCompile(`^-?\d{4,}(Z|[+-]\d\d:\d\d)?$`)},
}

// TimeType is the XSD datatype of the value of a time element, by its form (HTML+RDFa
// 1.1 §3.1, Microdata to RDF §4.1); "" if it has none of the forms.
func TimeType(value string) string {
	if strings.HasSuffix(value, "P") || strings.HasSuffix(value, "T") {
		return ""
	}
	for i := range times {
		if times[i].form.MatchString(value) {
			return rdf.XSD + times[i].datatype
		}
	}
	return ""
}
