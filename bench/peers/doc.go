// Package peers holds nothing but tests: what the readers make of a document is compared with what
// other programs make of it.
//
// The peers are github.com/knakk/rdf, in Go, and serdi, rapper and rdflib where they are installed.
// All of them err, each elsewhere. So a difference is not a failure by itself. The table in
// difference_test.go, which docs/peers.md is written from, names every one that is known. It says who
// is right, and by which section of which specification; any other fails a test. An input that a peer
// refuses says nothing of ours.
//
// Peers written in Go run in a child process, which is the test binary itself. Some inputs make them
// panic in a goroutine of their own, which ends the process. The death of the child is then the
// answer.
//
//	go -C bench test -v ./peers
package peers
