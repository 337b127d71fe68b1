package postgres_test

import (
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

// Each table that does not fit the records is told of, and a list that is whole is not.
func TestWhatDoesNotFitTheRecordsIsFound(t *testing.T) {
	server := need(t)
	for _, row := range []struct{ name, sql, want string }{
		{"nothing", "SELECT 1", ""},
		{"a count", "UPDATE counts SET n = n + 1 WHERE name = 'seeds'", "count seeds is"},
		{"a count that is gone", "DELETE FROM counts WHERE name LIKE 'state:parsed'", "count state:parsed is 0"},
		{"a document that is gone", "DELETE FROM cold WHERE id = 1", "record 1 has no document; lost is the record of the seed"},
		{"a document that is none", "UPDATE cold SET data = '[]' WHERE id = 1", "record 1 can't be decoded"},
		{"a document of another", "UPDATE cold SET data = (SELECT data FROM cold WHERE id = 2) WHERE id = 1", "and its document that of"},
		{"a record that is gone", "DELETE FROM hot WHERE id = 1", "document 1 is of no record"},
		{"a state that is none", "UPDATE hot SET state = 99 WHERE id = 1", "record 1 is in no state"},
		{"a claim that nobody holds", "UPDATE hot SET state = 2 WHERE id = 1", "held by"},
		{"a wrong host", "UPDATE hot SET host = 'other.example' WHERE id = 1", "is of the host"},
		{"a queue that is another", "UPDATE hot SET queue = 6 WHERE id IN (SELECT id FROM hot WHERE queue = 1 LIMIT 1)", "is in the queue 6"},
		{"an index of bytes", "UPDATE cold SET alike = 'x' WHERE id = 1", "in another place"},
		{"a link that is gone", "DELETE FROM links", "is not linked with it"},
		{"a link too many", "INSERT INTO links VALUES (1, 2)", "linked with a record that is not there, or is none"},
		{"an entry of no archive", "UPDATE hot SET is_archive = false", "is an entry of no archive"},
		{"a turn that is gone", "UPDATE hosts SET due = 0", "has seeds that wait, and no turn"},
		{"a listing of nothing", "INSERT INTO listings VALUES (1000, 1, 1, false)", "names a seed or a catalog"},
		{"an attempt of nothing", "UPDATE attempts SET hash = 'x' WHERE number = (SELECT min(number) FROM attempts)", "is of no record"},
		{"an old identifier of nothing", "INSERT INTO old_keys VALUES ('x', 1000)", "leads to nothing"},
		{"a catalog that is none", "UPDATE catalogs SET data = '[]'", "can't be decoded"},
	} {
		t.Run(row.name, func(t *testing.T) {
			address := server.schema(t)
			list := open(t, address, seedlist.Options{HostConnections: 1 << 20, HostDelay: -1})
			storetest.PopulateWithEntries(t, list, 12)
			server.exec(t, "SET search_path = "+nameOf(address)+"; "+row.sql)
			var said []string
			records, err := list.Inspect(t.Context(), func(d *seedlist.Damage) error {
				said = append(said, d.Finding())
				return nil
			})
			if err != nil || records == 0 {
				t.Errorf("%d records, %v", records, err)
			}
			if all := strings.Join(said, "\n"); !strings.Contains(all, row.want) || row.want == "" && all != "" {
				t.Errorf("it says\n%s\nwant %q", all, row.want)
			}
		})
	}
}

// A list that is copied from another kind has the rows that it had.
func TestAListIsTheSameAfterACopyFromAnotherKind(t *testing.T) {
	server := need(t)
	options := seedlist.Options{KeepVersions: 2, HostConnections: 1 << 20, HostDelay: -1}
	for kind, other := range otherKinds {
		t.Run(kind, func(t *testing.T) {
			source := other(t, options).(seedlist.RowSource)
			storetest.ACopyIsTheList(t, source, func() seedlist.RowTarget { return open(t, server.schema(t), options) })
		})
	}
}

// A list that is not whole is refused until its copy is ended.
func TestAListThatIsNotWholeIsNotOpened(t *testing.T) {
	server := need(t)
	address := server.schema(t)
	list := open(t, address, seedlist.Options{})
	if err := list.SetCopying(t.Context(), &seedlist.Copying{From: "a test", Part: seedlist.PartSeeds}); err != nil {
		t.Fatal(err)
	}
	if _, err := postgresOpen(t, address); err == nil || !strings.Contains(err.Error(), "not whole yet") {
		t.Errorf("it is opened: %v", err)
	}
	if err := list.SetCopying(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := postgresOpen(t, address); err != nil {
		t.Error(err)
	}
}

// A list is not copied while a process works on it, and what one holds that is gone is given back.
func TestAListThatIsWorkedOnIsNotCopied(t *testing.T) {
	server := need(t)
	address := server.schema(t)
	one := open(t, address, seedlist.Options{})
	other := open(t, address, seedlist.Options{})
	if err := one.Settle(t.Context()); err == nil || !strings.Contains(err.Error(), "a daemon works") {
		t.Errorf("%v", err)
	}
	storetest.Add(t, other, "http://example.org/a")
	storetest.Claim(t, other, seedlist.Downloading)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := one.Settle(t.Context()); err != nil {
		t.Error(err)
	}
	if seed, err := one.Record(t.Context(), seedlist.Key("http://example.org/a")); err != nil || seed.Status != seedlist.Added {
		t.Errorf("%+v, %v", seed, err)
	}
}
