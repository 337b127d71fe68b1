//go:build !lean

package expr

import (
	"fmt"
	"sort"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/traits"

	"laundromat/records"
)

// mapFromCEL makes an object of a map, its fields by name: a map of CEL has no order.
func mapFromCEL(m traits.Mapper, size *int, depth int) (records.Value, error) {
	v := records.Value{Kind: records.Object}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		name := fmt.Sprint(key.Value())
		if *size -= len(name); *size < 0 {
			return records.Value{}, ErrLimit
		}
		field, err := fromCEL(m.Get(key), size, depth+1)
		if err != nil {
			return records.Value{}, err
		}
		v.Fields = append(v.Fields, records.Field{Name: name, Value: field})
	}
	sort.Slice(v.Fields, func(a, b int) bool { return v.Fields[a].Name < v.Fields[b].Name })
	return v, nil
}
