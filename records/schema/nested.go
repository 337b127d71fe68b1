package schema

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"laundromat/records"
)

// maxDepth is how deeply a value within a cell may be nested.
const maxDepth = 200

// parseJSON reads a JSON value out of a text, with the order of its fields and all digits.
func parseJSON(s string) (records.Value, error) {
	decoder := json.NewDecoder(strings.NewReader(s))
	decoder.UseNumber()
	v, err := nextJSON(decoder, 0)
	if err != nil {
		return v, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return v, errors.New("something follows the JSON value")
	}
	return v, nil
}

func nextJSON(decoder *json.Decoder, depth int) (v records.Value, err error) {
	if depth > maxDepth {
		return v, errors.New("the value is nested too deeply")
	}
	token, err := decoder.Token()
	if err != nil {
		return v, err
	}
	switch t := token.(type) {
	case bool:
		return records.BoolOf(t), nil
	case json.Number:
		return records.NumberOf(t.String()), nil
	case string:
		return records.TextOf(t), nil
	case json.Delim:
		if v.Kind = records.Object; t == '[' {
			v.Kind = records.List
		}
		for decoder.More() {
			name := ""
			if v.Kind == records.Object {
				key, err := decoder.Token()
				if err != nil {
					return v, err
				}
				name = key.(string) // the decoder gives no other key
				if _, twice := v.Get(name); twice {
					return v, errors.New("a name comes twice")
				}
			}
			item, err := nextJSON(decoder, depth+1)
			if err != nil {
				return v, err
			}
			if v.Kind == records.List {
				v.Items = append(v.Items, item)
			} else {
				v.Fields = append(v.Fields, records.Field{Name: name, Value: item})
			}
		}
		_, err = decoder.Token()
	}
	return v, err
}

// castJSON reads a text as JSON, and wants a kind of value.
func castJSON(v *records.Value, kind records.Kind) string {
	got := *v
	if v.Kind == records.Text {
		var err error
		if got, err = parseJSON(v.Text); err != nil {
			return "it isn't JSON " + strings.Replace(kind.String(), "list", "array", 1)
		}
	}
	if got.Kind != kind {
		return "it is " + article(got.Kind) + ", no " + kind.String()
	}
	*v = got
	return ""
}

func castObject(_ *field, v *records.Value) string { return castJSON(v, records.Object) }
func castArray(_ *field, v *records.Value) string  { return castJSON(v, records.List) }

// castList reads values apart by the field's delimiter. An empty text is an empty list.
func castList(f *field, v *records.Value) string {
	var items []records.Value
	switch v.Kind {
	case records.Text:
		if v.Text != "" {
			for _, part := range strings.Split(v.Text, f.delimiter) {
				items = append(items, records.TextOf(part))
			}
		}
	case records.List:
		items = records.Value.Clone(*v).Items
	default:
		return "it is " + article(v.Kind) + ", no list"
	}
	for i := range items {
		if why := f.item.cast(f.item, &items[i]); why != "" {
			return "an item of the list isn't a " + f.item.kind + ": " + why
		}
	}
	*v = records.Value{Kind: records.List, Items: items}
	return ""
}

// castGeopoint reads longitude and latitude, in this order. The default form stays a text.
func castGeopoint(f *field, v *records.Value) string {
	const wrong = "it isn't a longitude within 180 degrees and latitude within 90"
	got := *v
	var lon, lat string
	switch f.format {
	case "array":
		if why := castJSON(&got, records.List); why != "" {
			return why
		}
		if len(got.Items) != 2 || got.Items[0].Kind != records.Number || got.Items[1].Kind != records.Number {
			return "it isn't an array of two numbers"
		}
		lon, lat = got.Items[0].Text, got.Items[1].Text
	case "object":
		if why := castJSON(&got, records.Object); why != "" {
			return why
		}
		x, hasX := got.Get("lon")
		y, hasY := got.Get("lat")
		if !hasX || !hasY || len(got.Fields) != 2 || x.Kind != records.Number || y.Kind != records.Number {
			return "it isn't an object of two numbers, lon and lat"
		}
		lon, lat = x.Text, y.Text
	default:
		if v.Kind != records.Text {
			return "it is " + article(v.Kind) + `, no text as "lon,lat"`
		}
		x, y, found := strings.Cut(v.Text, ",")
		var okX, okY bool
		lon, okX = numberOf(strings.TrimSpace(x), found)
		lat, okY = numberOf(strings.TrimSpace(y), found)
		if !okX || !okY {
			return `it is no "lon,lat"`
		}
	}
	if compareNumbers(lon, "-180") < 0 || compareNumbers(lon, "180") > 0 || compareNumbers(lat, "-90") < 0 ||
		compareNumbers(lat, "90") > 0 {
		return wrong
	}
	*v = got
	return ""
}

// castGeojson reads an object of RFC 7946, or of TopoJSON.
func castGeojson(f *field, v *records.Value) string {
	got := *v
	if why := castJSON(&got, records.Object); why != "" {
		return why
	}
	if f.format == "topojson" {
		objects, hasObjects := got.Get("objects")
		arcs, hasArcs := got.Get("arcs")
		kind, _ := got.Get("type")
		if kind.Text != "Topology" || !hasObjects || !hasArcs || objects.Kind != records.Object || arcs.Kind != records.List {
			return "it isn't a Topology with objects and arcs"
		}
	} else if why := geojsonFault(&got); why != "" {
		return why
	}
	*v = got
	return ""
}

// geometryDepth is how deeply the positions of a geometry are nested in its coordinates.
var geometryDepth = map[string]int{"Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2,
	"MultiPolygon": 3}

func geojsonFault(v *records.Value) string {
	kind, _ := v.Get("type")
	members := map[string]string{"FeatureCollection": "features", "GeometryCollection": "geometries"}[kind.Text]
	switch {
	case kind.Kind != records.Text:
		return "it isn't GeoJSON: it has no type"
	case members != "":
		list, _ := v.Get(members)
		if list.Kind != records.List {
			return "a " + kind.Text + " has a list of " + members
		}
		for i := range list.Items {
			if why := geojsonFault(&list.Items[i]); why != "" {
				return why
			}
			if inner, _ := list.Items[i].Get("type"); members == "features" && inner.Text != "Feature" {
				return "the features of a FeatureCollection are of type Feature"
			}
		}
		return ""
	case kind.Text == "Feature":
		geometry, found := v.Get("geometry")
		properties, found2 := v.Get("properties")
		if !found || !found2 || properties.Kind != records.Object && properties.Kind != records.Null {
			return "a Feature has a geometry and properties"
		}
		if geometry.Kind == records.Null {
			return ""
		}
		return geojsonFault(&geometry)
	}
	depth, known := geometryDepth[kind.Text]
	if !known {
		return "GeoJSON has no type " + kind.Text
	}
	coordinates, _ := v.Get("coordinates")
	if !positions(&coordinates, depth) {
		return "its coordinates are none of a " + kind.Text
	}
	return ""
}

// positions says that v holds lists of at least two numbers, so deeply.
func positions(v *records.Value, depth int) bool {
	if v.Kind != records.List || depth == 0 && len(v.Items) < 2 {
		return false
	}
	for i := range v.Items {
		if depth == 0 && v.Items[i].Kind != records.Number || depth > 0 && !positions(&v.Items[i], depth-1) {
			return false
		}
	}
	return true
}
