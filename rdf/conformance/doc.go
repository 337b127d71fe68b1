// Package conformance holds nothing but a test. It runs the public conformance suites through the
// whole chain, the readers as package format calls them and the sinks of package clean. It holds
// docs/conformance.md against the results.
//
//	go test ./rdf/conformance -run TestPageIsUpToDate            # compares
//	go test ./rdf/conformance -run TestPageIsUpToDate -update    # writes the page
//
// The same run writes docs/conformance.earl.ttl, its results for machines.
//
// The suites are not in this repository; docs/conformance.md says where they are and where they are to
// be put. Without them the test is skipped.
package conformance
