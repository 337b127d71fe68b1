package postgres

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// schema makes the tables.
//
//go:embed schema.sql
var schema string

// layout is the version of the tables.
const layout = 8

// lastWith is the last build that knows a layout of before, and those before it.
func lastWith(layout int) string {
	if layout < 7 {
		return "77c1325e"
	}
	return "26eed662"
}

// Schema is what makes the tables, as text in SQL.
func Schema() string {
	return schema + fmt.Sprintf("\nCREATE TABLE layout (version integer NOT NULL);\nINSERT INTO layout VALUES (%d);\n", layout)
}

// oldest is the first version of PostgreSQL that is good enough.
const oldest = 15

// checkServer refuses servers that the list does not work on.
func (s *Store) checkServer(ctx context.Context, sql querier) error {
	var version, encoding, schema string
	var number int
	var isReplica bool
	if err := sql.QueryRow(ctx, "SELECT version()").Scan(&version); err != nil {
		return err
	}
	for _, other := range []string{"CockroachDB", "YugabyteDB", "-YB-"} {
		if strings.Contains(version, other) {
			return s.refuse("this is %s, which is not supported: its SKIP LOCKED is slow, or skips rows that are free; use PostgreSQL %d "+
				"or later",
				strings.Replace(other, "-YB-", "YugabyteDB", 1), oldest)
		}
	}
	if err := sql.QueryRow(ctx, "SELECT current_setting('server_version_num')::int, pg_is_in_recovery()").Scan(&number,
		&isReplica); err != nil {
		return err
	}
	if number/10000 < oldest {
		return s.refuse("this is PostgreSQL %d, which is too old: use %d or later", number/10000, oldest)
	}
	if isReplica && !s.options.ReadOnly {
		return s.refuse("this server is a replica, which only reads: name the primary server")
	}
	if err := sql.QueryRow(ctx, "SELECT current_setting('server_encoding'), coalesce(current_schema(), '')").Scan(&encoding,
		&schema); err != nil {
		return err
	}
	if encoding != "UTF8" && encoding != "SQL_ASCII" { // which takes all bytes as they are
		return s.refuse("the database is encoded in %s, which lacks characters: make one in UTF8 (createdb -E UTF8 -T template0)", encoding)
	}
	if first := firstSchema(s.db.path); first != "" && schema != first {
		return s.refuse("there is no schema %s, which search_path in the address names first: make it with CREATE SCHEMA, or mend the "+
			"address", first)
	}
	return nil
}

// firstSchema is the schema that a search_path names first; empty if that depends on the user, or there is none.
func firstSchema(path string) string {
	path = strings.TrimSpace(path)
	if quoted, isQuoted := strings.CutPrefix(path, `"`); isQuoted {
		var name strings.Builder
		for {
			part, rest, isEnded := strings.Cut(quoted, `"`)
			name.WriteString(part)
			if quoted = rest; !isEnded || !strings.HasPrefix(quoted, `"`) {
				break
			}
			name.WriteByte('"')
			quoted = quoted[1:]
		}
		if name.String() == "$user" {
			return ""
		}
		return name.String()
	}
	first, _, _ := strings.Cut(path, ",")
	if first = strings.TrimSpace(first); first == "$user" {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, first)
}

func (s *Store) refuse(format string, args ...any) error {
	return fault.New("postgres.Open", fault.Local, fault.LocalDatabase, "%s: %s", s.address, fmt.Sprintf(format, args...))
}

// lockName is of the lock under which one process at a time makes the tables.
const lockName = 0x6c61756e64727900 // "laundry"

// migrate makes the tables where there are none.
func (s *Store) migrate(ctx context.Context) error {
	var is int
	err := s.db.once(ctx, func(sql statements) (err error) {
		is, err = layoutOf(ctx, sql)
		return err
	})
	if err == nil && is == 0 && !s.options.ReadOnly {
		err = s.db.inTransaction(ctx, func(sql pgx.Tx) (err error) {
			if _, err = sql.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lockName)); err != nil {
				return err
			}
			if is, err = layoutOf(ctx, sql); err != nil || is > 0 { // another was faster
				return err
			}
			if err := s.refuseOthers(ctx, sql); err != nil {
				return err
			}
			_, err = sql.Exec(ctx, Schema())
			is = layout
			return err
		})
	}
	switch {
	case err != nil:
		return err
	case is == 0:
		return seedlist.ErrNoStore
	case is < layout:
		return s.refuse("the tables are of layout %d, and this version knows %d alone: with a build up to %s copy the list into a folder "+
			"(\"laundromat store migrate\"), and with this one from there into an empty database", is, layout, lastWith(is))
	case is > layout:
		return s.refuse("the tables are of layout %d, and this version knows %d: use the version of Laundromat that made them, or a "+
			"later one", is, layout)
	}
	return nil
}

// ID tells this list from every other.
func (s *Store) ID() string { return s.id }

// querier is a connection or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// layoutOf is the layout of the tables that are there; 0 if there are none.
func layoutOf(ctx context.Context, q querier) (is int, err error) {
	var isThere bool
	// Not to_regclass: that may answer from before a lock was waited for.
	if err := q.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'layout')").Scan(
		&isThere); err != nil || !isThere {
		return 0, err
	}
	err = q.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM layout").Scan(&is)
	return is, err
}

// refuseOthers refuses a schema with tables of another program, whose names may be ours.
func (s *Store) refuseOthers(ctx context.Context, q querier) error {
	var others int
	var name string
	err := q.QueryRow(ctx, "SELECT count(*), coalesce(current_schema(), '') FROM pg_tables WHERE schemaname = current_schema()").Scan(
		&others, &name)
	switch {
	case err != nil:
		return err
	case name == "":
		return s.refuse("there is no schema to make tables in: make it with CREATE SCHEMA, or mend search_path in the address")
	case others > 0:
		return s.refuse("the schema %s holds tables of something else: name an empty database, or a schema of its own by "+
			"search_path=NAME in the address", name)
	}
	return nil
}

// Size is what a table takes on the server's disk.
type Size struct {
	Table string
	// Bytes are those of its rows, also the long ones, and of its indexes.
	Bytes, Indexes int64
}

// Sizes are those of all tables, the largest first.
func (s *Store) Sizes(ctx context.Context) (all []Size, err error) {
	err = s.read(ctx, func(t *tx) error {
		all, err = query(t, pgx.RowToStructByPos[Size], `SELECT c.relname, pg_total_relation_size(c.oid), pg_indexes_size(c.oid)
			FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind = 'r' ORDER BY 2 DESC, 1`)
		return err
	})
	return all, err
}
