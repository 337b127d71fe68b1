package token_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/web/token"
)

func TestATokenIsGoodUntilItIsRevoked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	daemon, verb := token.Open(path), token.Open(path)
	if _, ok, err := daemon.Check(""); ok || err != nil {
		t.Fatal(ok, err)
	}
	secrets := map[string]string{}
	for name, scopes := range map[string][]token.Scope{"alice": {token.Add}, "bob": {token.Add, token.Operate}, "carol": {token.Read}} {
		secret, err := verb.Add(name, scopes)
		if err != nil {
			t.Fatal(err)
		}
		secrets[name] = secret
	}
	for name, secret := range secrets {
		found, ok, err := daemon.Check(secret)
		if err != nil || !ok || found.Name != name || found.May(token.Operate) != (name == "bob") ||
			found.May(token.Add) != (name != "carol") || !found.May(token.Read) {
			t.Errorf("%s: %+v, %v, %v", name, found, ok, err)
		}
		for _, foreign := range []string{secret + "x", secret[:len(secret)-1], found.SHA256, strings.ToUpper(secret)} {
			if _, ok, _ := daemon.Check(foreign); ok {
				t.Errorf("%q is taken for %s", foreign, name)
			}
		}
	}
	text, err := os.ReadFile(path)
	if info, _ := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode(), err)
	}
	for name, secret := range secrets {
		if strings.Contains(string(text), strings.TrimPrefix(secret, "laundromat_")) {
			t.Errorf("the file holds the token of %s", name)
		}
	}
	if err := verb.Revoke("bob"); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := daemon.Check(secrets["bob"]); ok {
		t.Error("a revoked token is good")
	}
	if _, ok, _ := daemon.Check(secrets["alice"]); !ok {
		t.Error("the others are gone")
	}
	if err := verb.Revoke("bob"); err != token.ErrUnknown {
		t.Error(err)
	}
	if _, err := verb.Add("alice", nil); err != token.ErrTaken {
		t.Error(err)
	}
	if _, err := verb.Add("two\nlines", nil); err != token.ErrName {
		t.Error(err)
	}
	if _, err := verb.Add("dave", []token.Scope{"everything"}); err == nil {
		t.Error("any scope is taken")
	}
}

func TestTokensThatOthersMayReadAreGoodForNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	file := token.Open(path)
	secret, err := file.Add("alice", []token.Scope{token.Add})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := file.Check(secret); ok || !errors.Is(err, token.ErrOpen) {
		t.Error(ok, err)
	}
	if err := os.WriteFile(path, []byte("["), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := file.Check(secret); ok || err == nil {
		t.Error(ok, err)
	}
}
