package bolt

import "encoding/json"

// writeRecipes writes the rows about recipes that are whole.
func (s *salvage) writeRecipes(b *batch) {
	for key, data := range s.copied[inRecipes] {
		if json.Valid([]byte(data)) {
			b.put(inRecipes, []byte(key), []byte(data))
		}
	}
}
