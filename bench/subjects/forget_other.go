//go:build !linux

package main

import (
	"errors"
	"os"
)

// forget can't be done here.
func forget(*os.File) error {
	return errors.New("only Linux can be asked to take a file out of its page cache")
}
