package postgres

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// meanings says in plain words what the code of an error means for who runs the program. A
// code of two characters is that of its class.
var meanings = map[string]string{
	"28P01": "the server refuses the password: see to PGPASSWORD, ~/.pgpass or the address",
	"28000": "the server refuses the user: see to the address and to pg_hba.conf",
	"3D000": "there is no such database: make it with createdb, or mend the address",
	"3F000": "there is no such schema: make it with CREATE SCHEMA, or mend search_path in the address",
	"42501": "the user lacks rights: it must own the schema, or have the right CREATE on it and all rights on its tables",
	"25006": "the server only reads: name the primary server, not a replica",
	"53300": "the server has no connection left: raise its max_connections, or lower pool_max_conns in the address",
	"53100": "the disk of the server is full",
	"53200": "the server is out of memory",
	"57P01": "the server is being shut down",
	"57P03": "the server is starting, or being shut down",
	"57014": "the server took too long",
	"55P03": "another transaction held a lock for too long",
	"25P03": "the transaction did nothing for too long",
	"42P01": "a table is missing: was the schema changed by hand?",
	"42703": "a column is missing: was the schema changed by hand?",
	"08P01": "the server refuses, or a pooler before it: that must have the pool_mode transaction or session, takes few settings from an " +
		"address, and has no more connections than its max_client_conn",
	"08": "the connection is broken",
	"58": "the server has trouble with its disk",
	"XX": "the server has trouble of its own: see its log",
}

// trouble makes an error of kind Local of what the database or the way to it came to. What the list
// answers, and the end of a context, stay.
func (s *Store) trouble(op string, err error) error {
	var late *seedlist.LateError
	switch {
	case err == nil, errors.Is(err, context.Canceled), engine.IsAnswer(err), fault.KindOf(err) == fault.Local, errors.As(err, &late):
		return err
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		meaning := meanings[refused.Code]
		if meaning == "" && len(refused.Code) >= 2 {
			meaning = meanings[refused.Code[:2]]
		}
		if meaning != "" {
			return fault.New(op, fault.Local, fault.LocalDatabase, "%s: %s (%s)", s.address, meaning, refused.Message)
		}
		return fault.New(op, fault.Local, fault.LocalDatabase, "%s: %w", s.address, err)
	}
	if errors.Is(err, errOnlyReads) {
		return fault.New(op, fault.Local, fault.LocalDatabase, "%s: %s", s.address, meanings[codeOnlyReads])
	}
	if isOfTheConnection(err) {
		return fault.New(op, fault.Local, fault.LocalDatabase, "%s can't be reached, or the connection broke: %s", s.address, shortOf(err))
	}
	return err
}

// isOfTheConnection says that an error comes from the way to the server.
func isOfTheConnection(err error) bool {
	var connect *pgconn.ConnectError
	var network interface{ Timeout() bool }
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, pgx.ErrTxClosed) ||
		errors.Is(err, context.DeadlineExceeded) ||
		pgconn.SafeToRetry(err) || strings.Contains(err.Error(), "conn closed") || strings.Contains(err.Error(), "unexpected EOF") ||
		strings.Contains(err.Error(), "closed pool")
}

// shortOf is an error without the address, which the driver repeats.
func shortOf(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "): "); i >= 0 {
		text = text[i+3:]
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// isConflict says that another transaction stood in the way, so that this one is to be begun again.
func isConflict(err error) bool {
	switch refusal(err) {
	case "40001", "40P01", "23505": // serialization, deadlock, a row that another has made meanwhile
		return true
	}
	return false
}

// refusal is the code with which the server has refused something, which was not done then; "" if it has not.
func refusal(err error) string {
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// Shown is an address of a database without its password.
func Shown(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return "the address of the database"
	}
	q := u.Query()
	for name := range q {
		if strings.Contains(strings.ToLower(name), "password") {
			q.Del(name)
		}
	}
	u.RawQuery = q.Encode()
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	return u.String()
}
