package bolt

import (
	"bytes"
	"encoding/json"

	"laundromat/seedlist/engine"
)

// Recipes are rows about recipes.
func (t *tx) Recipes(keys []string, prefix, after string, most int) (all []engine.Recipe, err error) {
	if keys != nil {
		for _, key := range keys {
			if data := t.get(inRecipes, []byte(key)); data != nil && len(all) < most {
				all = append(all, engine.Recipe{Key: key, Data: bytes.Clone(data)})
			}
		}
		return all, nil
	}
	var from []byte
	if after != "" {
		from = append([]byte(after), 0)
	}
	if most <= 0 {
		return nil, nil
	}
	t.scan(inRecipes, []byte(prefix), from, func(key, data []byte) bool {
		all = append(all, engine.Recipe{Key: string(key), Data: bytes.Clone(data)})
		return len(all) < most
	})
	return all, nil
}

// writeRecipes writes rows about recipes.
func (b *batch) writeRecipes(rows []engine.Recipe) {
	for _, row := range rows {
		if row.Data == nil {
			b.delete(inRecipes, []byte(row.Key))
		} else {
			b.put(inRecipes, []byte(row.Key), row.Data)
		}
	}
}

// writeRecipes writes the rows about recipes that are whole.
func (s *salvage) writeRecipes(b *batch) {
	for key, data := range s.copied[inRecipes] {
		if json.Valid([]byte(data)) {
			b.put(inRecipes, []byte(key), []byte(data))
		}
	}
}
