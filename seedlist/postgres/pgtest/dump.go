package pgtest

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// Dump writes the database into a file, as people who back it up do.
func (s *Server) Dump(name string) error {
	return run("pg_dump", "--format=custom", "--file", name, s.Address)
}

// Destroy removes all that the database holds.
func (s *Server) Destroy() error {
	_, err := s.Ask("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
	return err
}

// Load brings a dump back into an empty database.
func (s *Server) Load(name string) error {
	return run("pg_restore", "--exit-on-error", "--single-transaction", "--clean", "--if-exists", "--dbname", s.Address, name)
}

// run runs a program of PostgreSQL.
func run(program string, args ...string) error {
	if out, err := exec.Command(filepath.Join(programs, program), args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}
