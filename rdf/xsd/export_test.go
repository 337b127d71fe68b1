package xsd

// The inside, for laws about it.
var IsCanonicalFloating = isCanonicalFloating

// Names are the names of all datatypes.
func Names() (all []string) {
	for _, known := range []map[string]*Datatype{builtIn, ofRDF, ofGeoSPARQL} {
		for _, d := range known {
			all = append(all, d.name)
		}
	}
	return all
}
