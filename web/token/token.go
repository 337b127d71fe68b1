// Package token keeps who may write over TCP: named tokens in a file that only its owner reads. The
// file holds the SHA-256 of each, not the token. A token is 256 random bits, so that no salt is needed.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Scope is what a token is good for.
type Scope string

// The scopes. Each lets one read, too.
const (
	Read    Scope = "read"    // read, where that needs a token
	Add     Scope = "add"     // add seeds and catalogs
	Operate Scope = "operate" // remove, retry, harvest, settings of hosts
)

// Scopes are all of them.
func Scopes() []Scope { return []Scope{Read, Add, Operate} }

// Token is what is kept of a token.
type Token struct {
	Name   string    `json:"name"`
	SHA256 string    `json:"sha256"`
	Scopes []Scope   `json:"scopes"`
	Added  time.Time `json:"added"`
}

// May says that the token is good for something.
func (t *Token) May(scope Scope) bool {
	return scope == Read || slices.Contains(t.Scopes, scope)
}

// File is the file of all tokens. It is read again when it has changed.
type File struct {
	path string

	mu     sync.Mutex
	tokens []Token
	seen   fs.FileInfo // of the file as it was read; nil: there was none
}

// Open returns the file at path, which need not be there.
func Open(path string) *File { return &File{path: path} }

var (
	// ErrTaken refuses a name that a token has.
	ErrTaken = errors.New("a token has this name: revoke it first, or take another name")
	// ErrUnknown says that no token has a name.
	ErrUnknown = errors.New("no token has this name")
	// ErrName refuses a name that can't be shown in a log.
	ErrName = errors.New("a name is 1 to 64 letters, digits, dots, hyphens or underscores")
	// ErrOpen refuses a file that others may read or write.
	ErrOpen = errors.New("others may read or change the tokens: give the file the mode 0600")
)

// List are all tokens, oldest first.
func (f *File) List() ([]Token, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.refresh()
	return slices.Clone(f.tokens), err
}

// refresh reads the file if it is another than before. The lock is held.
func (f *File) refresh() error {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.tokens, f.seen = nil, nil
		return nil
	case err != nil:
		return err
	case isOpen(info):
		f.tokens, f.seen = nil, nil
		return fmt.Errorf("%s: %w", f.path, ErrOpen)
	case f.seen != nil && os.SameFile(f.seen, info) && f.seen.ModTime().Equal(info.ModTime()) && f.seen.Size() == info.Size():
		return nil
	}
	text, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	var tokens []Token
	if err := json.Unmarshal(text, &tokens); err != nil {
		f.tokens, f.seen = nil, nil
		return fmt.Errorf("%s: %w", f.path, err)
	}
	f.tokens, f.seen = tokens, info
	return nil
}

// Check finds the token that a request brought. Every token is compared, each in constant time.
func (f *File) Check(secret string) (found Token, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.refresh(); err != nil {
		return found, false, err
	}
	sum := []byte(sumOf(secret))
	for _, t := range f.tokens {
		if subtle.ConstantTimeCompare(sum, []byte(t.SHA256)) == 1 {
			found, ok = t, true
		}
	}
	return found, ok, nil
}

// Current is a token that was found before, as it is now; ok is false if it was revoked. Another of the same
// name is not it.
func (f *File) Current(before Token) (now Token, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.refresh(); err != nil {
		return now, false, err
	}
	for _, t := range f.tokens {
		if t.Name == before.Name && t.SHA256 == before.SHA256 {
			return t, true, nil
		}
	}
	return now, false, nil
}

func sumOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Add makes a token and returns it. It can't be shown again.
func (f *File) Add(name string, scopes []Scope) (secret string, err error) {
	if !isName(name) {
		return "", ErrName
	}
	for _, scope := range scopes {
		if !slices.Contains(Scopes(), scope) {
			return "", fmt.Errorf("there is no scope %s", scope)
		}
	}
	random := make([]byte, 32)
	rand.Read(random)
	secret = "laundromat_" + base64.RawURLEncoding.EncodeToString(random)
	err = f.change(func(tokens []Token) ([]Token, error) {
		if slices.ContainsFunc(tokens, func(t Token) bool { return t.Name == name }) {
			return nil, ErrTaken
		}
		return append(tokens, Token{Name: name, SHA256: sumOf(secret), Scopes: scopes, Added: time.Now().UTC().Truncate(time.Second)}), nil
	})
	if err != nil {
		return "", err
	}
	return secret, nil
}

// Revoke ends a token. What was begun with it goes on.
func (f *File) Revoke(name string) error {
	return f.change(func(tokens []Token) ([]Token, error) {
		kept := slices.DeleteFunc(slices.Clone(tokens), func(t Token) bool { return t.Name == name })
		if len(kept) == len(tokens) {
			return nil, ErrUnknown
		}
		return kept, nil
	})
}

// change writes the file anew, whole: it takes its name when it is complete.
func (f *File) change(change func([]Token) ([]Token, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	lock, err := os.OpenFile(f.path+".lock", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the tokens are being changed by another process: try again; if there is none, remove %s.lock", f.path)
	}
	if err != nil {
		return err
	}
	defer os.Remove(f.path + ".lock")
	defer lock.Close()
	if err := f.refresh(); err != nil {
		return err
	}
	tokens, err := change(slices.Clone(f.tokens))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(tokens, "", "  ")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.path), ".tokens-*") // its mode is 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(append(text, '\n'))
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		os.Remove(temp.Name())
		return err
	}
	return os.Rename(temp.Name(), f.path)
}

func isName(name string) bool {
	return len(name) > 0 && len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") == ""
}
