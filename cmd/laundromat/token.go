package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/storage"
	"laundromat/web/token"
)

// tokensFile holds who may write over TCP, in the --data folder.
const tokensFile = "tokens"

// tokenFile are those of the --data folder, which must be there.
func tokenFile(u *ui) (*token.File, error) {
	dir := u.dataDir()
	if u.init {
		if err := initStore(u, dir); err != nil {
			return nil, err
		}
	}
	if !hasStore(u, dir) {
		return nil, storage.NoList(dir)
	}
	return token.Open(filepath.Join(dir, tokensFile)), nil
}

func tokenCommand(u *ui) *cobra.Command {
	return group("token", "Say who may write over TCP: add, list and revoke tokens", "add, list or revoke",
		tokenAddCommand(u), tokenListCommand(u), tokenRevokeCommand(u))
}

func tokenAddCommand(u *ui) *cobra.Command {
	var scopes []string
	c := &cobra.Command{
		Use:   "add NAME",
		Short: "Make a token and write it out, once: only its SHA-256 is kept",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			var given []token.Scope
			for _, name := range scopes {
				scope := token.Scope(strings.ToLower(strings.TrimSpace(name)))
				if !slices.Contains(token.Scopes(), scope) {
					return oneOf("scope", name, "add", "operate", "read")
				}
				given = append(given, scope)
			}
			file, err := tokenFile(u)
			if err != nil {
				return err
			}
			secret, err := file.Add(args[0], given)
			switch {
			case errors.Is(err, token.ErrName):
				return usage("%s: %w", args[0], err)
			case err != nil:
				return fmt.Errorf("%s: %w", args[0], err)
			}
			_, err = fmt.Fprintln(u.out, secret)
			return err
		},
	}
	c.Flags().StringSliceVar(&scopes, "scope", []string{"add"}, "what it is good for: add (seeds and catalogs), operate (remove, retry, "+
		"harvest, hosts), read")
	return c
}

func tokenListCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "The names of all tokens, with what they are good for",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			file, err := tokenFile(u)
			if err != nil {
				return err
			}
			all, err := file.List()
			if err != nil {
				return err
			}
			for _, t := range all {
				if u.json {
					err = encodeTo(u.out, t)
				} else {
					names := make([]string, len(t.Scopes))
					for i, scope := range t.Scopes {
						names[i] = string(scope)
					}
					_, err = fmt.Fprintf(u.out, "%s\t%s\tadded %s\n", t.Name, strings.Join(names, ","),
						t.Added.Format("2006-01-02 15:04:05 MST"))
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func tokenRevokeCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke NAME…",
		Short: "End tokens, at once also for a daemon that runs",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := tokenFile(u)
			if err != nil {
				return err
			}
			for _, name := range args {
				if err := file.Revoke(name); errors.Is(err, token.ErrUnknown) {
					return exit(exitNotFound, fmt.Errorf("%s: %w", name, err))
				} else if err != nil {
					return err
				}
			}
			return nil
		},
	}
}
