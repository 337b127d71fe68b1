package process

import "os"

// Shared is the folder of data that others made, which LAUNDROMAT_SHARED names, or which is next to the checkout.
func Shared() string {
	if named := os.Getenv("LAUNDROMAT_SHARED"); named != "" {
		return named
	}
	return "../../shared"
}
