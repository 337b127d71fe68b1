package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// connections are those to the database. On one that leads to the server itself, settings and prepared statements
// are the connection's. Behind a pooler each transaction may come to another connection of the server, which other
// programs use too. There nothing is left on it, and each transaction brings its settings with it.
//
// A connection that turns out to lead to a server which only reads is given up, with all others. The server may have
// been demoted, and what it says is old.
type connections struct {
	pool *pgxpool.Pool
	// path is the search_path that the address asks for; empty if it asks for none.
	path string
	// begin is what a transaction behind a pooler begins with; empty where there is no pooler.
	begin   string
	mayRead bool // a server that only reads is good enough
}

// limits bound what one statement, and one transaction that does nothing, may hold up.
const limits = "SET %[1]s statement_timeout = '60s'; SET %[1]s idle_in_transaction_session_timeout = '30s'; SET %[1]s lock_timeout = " +
	"'30s'; "

// errOnlyReads says that a server only reads, where it was to be written to.
var errOnlyReads = errors.New("it only reads")

// codeOnlyReads is how a server refuses to write.
const codeOnlyReads = "25006"

// connect makes the connections, which last as long as life. The first shows whether there is a pooler on the way.
// Behind one statements are described and not prepared, unless the address says how they are done (modeIsSaid).
func connect(ctx, life context.Context, config *pgxpool.Config, modeIsSaid, mayRead bool) (*connections, error) {
	c := &connections{mayRead: mayRead, path: takeSearchPath(config.ConnConfig.RuntimeParams)}
	config.ConnConfig.RuntimeParams["client_encoding"] = "UTF8"
	if !mayRead {
		if config.ConnConfig.ValidateConnect == nil {
			config.ConnConfig.ValidateConnect = func(_ context.Context, conn *pgconn.PgConn) error { return c.check(conn) }
		}
		isFatal := config.ConnConfig.OnPgError
		config.ConnConfig.OnPgError = func(conn *pgconn.PgConn, refused *pgconn.PgError) (stays bool) {
			return refused.Code != codeOnlyReads && isFatal(conn, refused)
		}
	}
	if err := c.lookForPooler(ctx, config.ConnConfig); err != nil {
		return nil, err
	}
	if c.begin == "" {
		config.AfterConnect = c.settle
	} else if !modeIsSaid {
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	var err error
	c.pool, err = pgxpool.NewWithConfig(life, config)
	return c, err
}

// takeSearchPath takes the search_path out of what the address sets, for a pooler may refuse it or leave it out.
func takeSearchPath(parameters map[string]string) (path string) {
	options, left := fieldsOf(parameters["options"]), []string(nil)
	for i := 0; i < len(options); i++ {
		setting, taken := strings.CutPrefix(options[i], "--")
		if !taken {
			setting, taken = strings.CutPrefix(options[i], "-c")
		}
		from := i
		if taken && setting == "" && i+1 < len(options) {
			i++
			setting = options[i]
		}
		name, value, _ := strings.Cut(setting, "=")
		if taken && strings.EqualFold(strings.ReplaceAll(name, "-", "_"), "search_path") {
			path = value
			continue
		}
		left = append(left, options[from:i+1]...)
	}
	if path != "" {
		for i := range left {
			left[i] = strings.NewReplacer(`\`, `\\`, " ", `\ `).Replace(left[i])
		}
		if parameters["options"] = strings.Join(left, " "); len(left) == 0 {
			delete(parameters, "options")
		}
	}
	if said := parameters["search_path"]; said != "" {
		path = said
	}
	delete(parameters, "search_path")
	return path
}

// fieldsOf divides options as the server does: by white space, unless a backslash is before it.
func fieldsOf(options string) (fields []string) {
	var field strings.Builder
	isOpen := false
	for i := 0; i < len(options); i++ {
		switch b := options[i]; {
		case b == '\\' && i+1 < len(options):
			i++
			field.WriteByte(options[i])
			isOpen = true
		case strings.IndexByte(" \t\n\r\v\f", b) >= 0:
			if isOpen {
				fields = append(fields, field.String())
			}
			field.Reset()
			isOpen = false
		default:
			field.WriteByte(b)
			isOpen = true
		}
	}
	if isOpen {
		fields = append(fields, field.String())
	}
	return fields
}

// lookForPooler asks which process of the server answers. It is another than that which greeted where a pooler
// hands connections on.
func (c *connections) lookForPooler(ctx context.Context, config *pgx.ConnConfig) error {
	config = config.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var pid uint32
	var usual string
	if err := conn.QueryRow(ctx,
		"SELECT pg_backend_pid(), coalesce((SELECT reset_val FROM pg_settings WHERE name = 'search_path'), '')").Scan(&pid,
		&usual); err != nil {
		return err
	}
	if pid == conn.PgConn().PID() {
		return nil
	}
	path := c.path
	if path == "" {
		path = usual // another program may have changed it on a connection that is shared
	}
	c.begin = fmt.Sprintf(limits, "LOCAL") + setPath(path, true)
	return nil
}

func setPath(path string, isLocal bool) string {
	return fmt.Sprintf("SELECT set_config('search_path', '%s', %t);", strings.ReplaceAll(path, "'", "''"), isLocal)
}

// isPooled says that there is a pooler on the way.
func (c *connections) isPooled() bool { return c.begin != "" }

// settle sets what holds for a connection to the server itself. Transactions that are not of another kind read what
// others have committed, whatever the server's own setting is.
func (c *connections) settle(ctx context.Context, conn *pgx.Conn) error {
	text := fmt.Sprintf(limits, "SESSION") + "SET SESSION default_transaction_isolation = 'read committed'; "
	if c.path != "" {
		text += setPath(c.path, false)
	}
	_, err := conn.Exec(ctx, text)
	return err
}

// check refuses a server that only reads, as it says itself with each answer.
func (c *connections) check(conn *pgconn.PgConn) error {
	if !c.mayRead && (conn.ParameterStatus("in_hot_standby") == "on" || conn.ParameterStatus("default_transaction_read_only") == "on") {
		return errOnlyReads
	}
	return nil
}

// giveUp closes a connection that leads to a server which only reads, and lets all others be closed when they are
// free.
func (c *connections) giveUp(ctx context.Context, conn *pgx.Conn) {
	conn.Close(context.WithoutCancel(ctx))
	c.pool.Reset()
}

// transaction begins one. On a connection that only reads none is begun.
func (c *connections) transaction(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error) {
	if c.isPooled() {
		options.BeginQuery = fmt.Sprintf("BEGIN ISOLATION LEVEL %s %s; %s", options.IsoLevel, options.AccessMode, c.begin)
	}
	for try := 0; ; try++ {
		sql, err := c.pool.BeginTx(ctx, options)
		if err != nil {
			return nil, err
		}
		if err = c.check(sql.Conn().PgConn()); err == nil {
			return sql, nil
		}
		c.giveUp(ctx, sql.Conn())
		sql.Rollback(context.WithoutCancel(ctx)) // which returns the connection
		if try == mostMoves {
			return nil, err
		}
	}
}

// mostMoves is how often a connection that only reads is given up before that is said.
const mostMoves = 3

// inTransaction does something in a transaction that reads what others have committed.
func (c *connections) inTransaction(ctx context.Context, do func(sql pgx.Tx) error) error {
	sql, err := c.transaction(ctx, readCommitted)
	if err != nil {
		return err
	}
	defer sql.Rollback(context.WithoutCancel(ctx))
	if err := do(sql); err != nil {
		return err
	}
	return sql.Commit(ctx)
}

var (
	// Locks are waited for, and what is read after that is read anew.
	// Whether it may write is left to the server, which may have been told that it only reads.
	readCommitted = pgx.TxOptions{IsoLevel: pgx.ReadCommitted}
	oneMoment     = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
)

// once does one thing, which needs no transaction but behind a pooler. It is done again where a server only reads.
func (c *connections) once(ctx context.Context, do func(sql statements) error) error {
	if c.isPooled() {
		return c.inTransaction(ctx, func(sql pgx.Tx) error { return do(sql) })
	}
	for try := 0; ; try++ {
		conn, err := c.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		err = do(conn)
		stale := c.check(conn.Conn().PgConn()) != nil || isOnlyReads(err)
		if stale && !c.mayRead {
			c.giveUp(ctx, conn.Conn())
		}
		conn.Release()
		if !stale || c.mayRead {
			return err
		}
		if try == mostMoves {
			return errors.Join(errOnlyReads, err)
		}
	}
}

// isOnlyReads says that a server refused to write since it only reads.
func isOnlyReads(err error) bool {
	return errors.Is(err, errOnlyReads) || refusal(err) == codeOnlyReads
}

// exec does one statement.
func (c *connections) exec(ctx context.Context, sql string, arguments ...any) (tag pgconn.CommandTag, err error) {
	err = c.once(ctx, func(on statements) (err error) {
		tag, err = on.Exec(ctx, sql, arguments...)
		return err
	})
	return tag, err
}

// scan reads the one column of one row.
func (c *connections) scan(ctx context.Context, to any, sql string, arguments ...any) error {
	return c.once(ctx, func(on statements) error { return on.QueryRow(ctx, sql, arguments...).Scan(to) })
}
