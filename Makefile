.PHONY: help test lint fuzz bench
help: ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/'
test: ## the tests, with the race detector
	go test -race ./...
lint: ## gofmt, go vet, staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	staticcheck ./...
fuzz: ## each fuzz target for ten seconds
	@for p in $$(go list ./...); do for t in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	  echo $$p $$t; go test -run '^$$' -fuzz "^$$t$$" -fuzztime 10s $$p || exit 1; done; done
bench: ## the benchmarks
	go test -run '^$$' -bench . ./...
