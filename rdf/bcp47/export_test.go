package bcp47

// Replacements are what takes the place of what is deprecated or grandfathered.
var Replacements = func() map[string]string {
	load()
	all := map[string]string{}
	for _, pairs := range []map[string]string{deprecated, grandfathered} {
		for key, instead := range pairs {
			if key != instead {
				all[key] = instead
			}
		}
	}
	return all
}()
