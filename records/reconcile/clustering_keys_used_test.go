package reconcile_test

import (
	"context"
	"fmt"
	"testing"

	"laundromat/records"
	"laundromat/records/reconcile"
)

// Of each name the two spellings have no word and no four letters in common, but one key.
func TestAClusteringKeyMakesCandidatesWhereItIsNamed(t *testing.T) {
	spellings := [][2]string{{"Meyer", "Mair"}, {"Schmidt", "Smitt"}, {"Kohl", "Cole"}, {"Fuchs", "Vux"}, {"Becker", "Pekr"},
		{"Lutz", "Lauds"}, {"Neumann", "Noyman"}, {"Zorn", "Sarn"}, {"Wolf", "Valv"}, {"Haas", "Hess"}}
	for spec, want := range map[string]int{
		"id: id\nfields: {name: {keys: cologne-phonetic}}":                len(spellings),
		"id: id\nfields: {name: {keys: [fingerprint, cologne-phonetic]}}": len(spellings),
		"id: id\nfields: {name: {keys: fingerprint}}":                     0,
		"id: id": 0,
	} {
		e := reconcile.New(plan(t, spec), reconcile.Options{})
		e.Input("a.csv")
		for i, both := range spellings {
			for k, name := range both {
				r := &records.Record{}
				r.Set("id", records.TextOf(fmt.Sprintf("%d-%d", i, k)))
				r.Set("name", records.TextOf(name))
				if err := e.Add(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		found := 0
		if err := e.Candidates(context.Background(), func(a, b string) {
			if a[:len(a)-2] == b[:len(b)-2] {
				found++
			}
		}); err != nil {
			t.Fatal(err)
		}
		if e.Close(); found < want || want == 0 && found > 2 {
			t.Errorf("%s: %d pairs are candidates, not %d", spec, found, want)
		}
	}
}
