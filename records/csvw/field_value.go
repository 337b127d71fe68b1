package csvw

import (
	"strings"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/records"
)

// parseField reads a cell as the field of a Table Schema says.
func (w *rowWriter) parseField(to *cell, c *Column, text string, at fault.Pos) {
	p := w.table.packaged
	kind, item := c.cell.Kind()
	var v records.Value
	var missing bool
	var why string
	switch {
	case p.null != "" && text == p.null, p.isJSON && text == "":
		missing = true
	case p.isJSON && kind == "list":
		v, missing, why = c.cell.ReadJSON(text)
	default:
		v, missing, why = c.cell.Read(text)
	}
	if missing {
		if c.required {
			w.cellNotice(fault.CSVWRequired, at, c, text, "the field is required, and the cell has no value")
		}
		return
	}
	to.null = false
	if why != "" {
		w.cellNotice(fault.CSVWCell, at, c, text, why+"; it is written as a text")
		to.values = append(to.values, value{lexical: text, language: c.language})
		return
	}
	if kind == "list" {
		to.isList = true
		for i := range v.Items {
			to.values = append(to.values, fieldValue(item, "", &v.Items[i], c.language))
		}
		return
	}
	to.values = append(to.values, fieldValue(kind, c.cell.Format(), &v, c.language))
}

// fieldValue is a value of a field as a literal.
func fieldValue(kind, format string, v *records.Value, language string) value {
	text := v.Text
	switch kind {
	case "integer", "boolean", "date", "time", "duration":
		return value{lexical: text, datatype: rdf.XSD + kind}
	case "number":
		if v.Kind != records.Number || strings.ContainsAny(text, "eE") {
			return value{lexical: text, datatype: rdf.XSD + "double"}
		}
		return value{lexical: text, datatype: rdf.XSD + "decimal"}
	case "datetime":
		return value{lexical: text, datatype: rdf.XSD + "dateTime"}
	case "year":
		digits, negative := strings.CutPrefix(text, "-")
		if digits = strings.Repeat("0", max(0, 4-len(digits))) + digits; negative {
			digits = "-" + digits
		}
		return value{lexical: digits, datatype: rdf.XSD + "gYear"}
	case "yearmonth":
		return value{lexical: text, datatype: rdf.XSD + "gYearMonth"}
	case "object", "array", "geojson":
		return value{lexical: string(v.AppendJSON(nil)), datatype: Namespace + "JSON"}
	case "geopoint":
		if v.Kind != records.Text {
			return value{lexical: string(v.AppendJSON(nil)), datatype: Namespace + "JSON"}
		}
	case "string":
		switch format {
		case "uri":
			return value{lexical: text, datatype: rdf.XSD + "anyURI"}
		case "binary":
			return value{lexical: text, datatype: rdf.XSD + "base64Binary"}
		}
	}
	return value{lexical: text, language: language}
}
