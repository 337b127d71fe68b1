// Package database keeps records of many runs in a table of SQLite or PostgreSQL, by their keys. A new record is
// inserted. A changed one takes the place of its old form, which a second table keeps. What is there already changes
// nothing.
//
//	db, err := database.Open(ctx, address)
//	sink, err := db.Sink(ctx, "events", shape, options)
//	…                    // sink.Record for each record
//	err = sink.Close()   // all of them are there, in one transaction
package database

import (
	"fmt"
	"net/url"
	"strings"
)

// Address is a database, and a table in it.
type Address struct {
	// File is the path of a database of SQLite; "" for another.
	File string
	// Server is the URL of a database of PostgreSQL; "" for another.
	Server string
	Table  string // "" where the address names none
}

// ParseAddress reads sqlite:FILE#TABLE or postgres://USER@HOST:PORT/DATABASE#TABLE.
func ParseAddress(text string) (a Address, err error) {
	where := text
	if at := strings.LastIndexByte(text, '#'); at >= 0 {
		if where, a.Table = text[:at], text[at+1:]; a.Table == "" {
			return a, fmt.Errorf("%s: there is no name of a table after #", hidden(text))
		}
		if err := checkTable(a.Table); err != nil {
			return a, err
		}
	}
	scheme, rest, _ := strings.Cut(where, ":")
	switch strings.ToLower(scheme) {
	case "sqlite":
		if a.File = rest; rest == "" || strings.ContainsAny(rest, "?\x00") {
			return a, fmt.Errorf("%s: want sqlite:FILE#TABLE", text)
		}
		return a, nil
	case "postgres", "postgresql":
		if u, err := url.Parse(where); err == nil && u.Host != "" || err == nil && u.Query().Get("host") != "" {
			a.Server = where
			return a, nil
		}
	}
	return a, fmt.Errorf("%s: want sqlite:FILE#TABLE or postgres://USER@HOST:PORT/DATABASE#TABLE", hidden(text))
}

// String is the address without a password.
func (a Address) String() string {
	shown := "sqlite:" + a.File
	if a.Server != "" {
		shown = hidden(a.Server)
	}
	if a.Table != "" {
		shown += "#" + a.Table
	}
	return shown
}

// hidden is an address whose password is left out.
func hidden(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the address"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	for name := range q {
		if strings.Contains(strings.ToLower(name), "password") {
			q.Del(name)
		}
	}
	if u.Host != "" {
		u.RawQuery = q.Encode()
	}
	return u.String()
}

// mostName is the longest name that PostgreSQL has, in bytes.
const mostName = 63

const (
	// own is what the names of our own tables begin with.
	own = "laundromat_"
	// ofHistory is what the name of the table ends in that keeps old forms.
	ofHistory = "_history"
)

// checkTable refuses the name of a table that no database takes, or that is one of ours.
func checkTable(name string) error {
	lower := strings.ToLower(name)
	switch {
	case len(name) > mostName-len(ofHistory):
		return fmt.Errorf("the table %q: a name has %d bytes at most", name, mostName-len(ofHistory))
	case strings.HasPrefix(lower, own), strings.HasPrefix(lower, "sqlite_"):
		return fmt.Errorf("the table %q: names that begin so are not for records", name)
	case strings.ContainsRune(name, 0):
		return fmt.Errorf("the table %q: no database has names with a zero byte", name)
	}
	return nil
}

// quoted is a name as SQL writes it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Shape says what is known of the records of a table.
type Shape struct {
	// Key are the fields that tell records apart; empty: the field id.
	Key []string
	// KeyOrPage says that a record without its key has the address of its page of details as one: see [DetailField].
	KeyOrPage bool
	// Fields are known columns, in their order. Others come as records have them.
	Fields []Field
	// Fleeting are fields that differ from run to run, as the time of access. They change no record.
	Fleeting []string
}

// Field is a column that is known.
type Field struct {
	Name string
	Type string // of Table Schema; "" where it is not known
}

// NamesNoKey says that the records have no field by which they could be told apart, as far as their fields are known.
func (s *Shape) NamesNoKey() bool {
	if len(s.Key) > 0 || len(s.Fields) == 0 {
		return false
	}
	for _, f := range s.Fields {
		if f.Name == idField {
			return false
		}
	}
	return true
}

// idField is the key where a schema has none.
const idField = "id"

func (s *Shape) key() []string {
	if len(s.Key) > 0 {
		return s.Key
	}
	return []string{idField}
}

// NoKeyError says that records can't be told apart.
type NoKeyError struct{ Names []string }

func (e *NoKeyError) Error() string {
	if len(e.Names) == 1 && e.Names[0] == idField {
		return "the records have no key: neither has the schema a primaryKey, nor have they a field id"
	}
	return fmt.Sprintf("the records have no key: they lack a field of it, which is %s", strings.Join(e.Names, ", "))
}
