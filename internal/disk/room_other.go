//go:build !linux

package disk

import (
	"errors"
	"os"
)

// Reserve can't be done here.
func Reserve(*os.File, int64, int64) error { return errors.ErrUnsupported }

// Free is not known here.
func Free(string) (int64, error) { return 0, errors.ErrUnsupported }
