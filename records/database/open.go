//go:build !lean

package database

import (
	"context"
	"database/sql"
	"path/filepath"

	"laundromat/internal/fileurl"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
)

// connect makes the connections to a database.
func connect(_ context.Context, a Address) (*sql.DB, dialect, error) {
	if a.Server != "" {
		config, err := pgx.ParseConfig(a.Server)
		if err != nil {
			return nil, dialect{}, err
		}
		// A pooler on the way leads each transaction to another connection, which knows no prepared statements.
		config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		return sql.OpenDB(stdlib.GetConnector(*config)), dialect{isServer: true}, nil
	}
	path, err := filepath.Abs(a.File)
	if err != nil {
		return nil, dialect{}, err
	}
	// A transaction takes the lock at once: none has to be begun anew because another wrote in between.
	name := fileurl.Of(path)
	name.RawQuery = "_txlock=immediate&_pragma=busy_timeout(60000)&_pragma=synchronous(full)"
	connector, err := sqlite.NewConnector(name.String())
	if err != nil {
		return nil, dialect{}, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return db, dialect{}, nil
}
