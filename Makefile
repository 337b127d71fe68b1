.PHONY: help demo release reproduce packaged test lint fuzz bench kills alike scale scalebench month man screenshots
help: ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/'
# The program without what a first wash does not need: see internal/lean.
demo: ## compile, wash a small world of clean and dirty data and, in a terminal, go on showing it in the browser
	@begin=$$(date +%s); seconds() { echo $$(( $$(date +%s) - begin )); }; \
	echo "Compiling laundromat. Without a cache this takes about $(COMPILING) seconds of processor time, $$(nproc 2>/dev/null || echo some) processors are here; with one, a few."; \
	(while sleep 10; do echo "  still compiling after $$(seconds) s"; done) & told=$$!; trap 'kill $$told 2>/dev/null' EXIT; \
	go build -tags lean -o laundromat ./cmd/laundromat || exit; kill $$told; echo "Compiled in $$(seconds) s."; trap - EXIT; \
	if [ -t 1 ]; then echo "Open the address below in a browser; Ctrl-C ends it."; else until=--until-idle; fi; \
	exec ./laundromat serve --demo $$until
COMPILING = 75
release: ## programs, packages of Debian, images, bills of materials and SHA256SUMS in dist (VERSION, PLATFORMS)
	deploy/release dist
reproduce: ## two releases of the commit in different folders, the second compiled anew, which must be the same bytes
	deploy/reproduce
packaged: ## the package of Debian installed in a chroot, started, replaced by a higher version with its store, and removed
	LAUNDROMAT_PACKAGED=1 go test ./cmd/laundromat -run '^TestThePackage' -count=1 -v -timeout 1h
test: ## the tests, with the race detector
	go test -race ./...
	go -C bench test ./...
lint: ## gofmt, go vet, staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	staticcheck ./...
	go -C bench vet ./...
	cd bench && staticcheck ./...
fuzz: ## each fuzz target for FUZZTIME (5s), with a table of what came of it
	.ci/fuzz
kills: ## 1,000 kills of a daemon at work, none of which may blame a document or lose one
	LAUNDROMAT_KILLS=1000 go test ./cmd/laundromat -run 'Kill' -v -timeout 3h
alike: ## 10,000 generated steps (STEPS) on seed lists of all kinds at once, which must agree after each
	LAUNDROMAT_ALIKE_STEPS=$(or $(STEPS),10000) go test ./seedlist/postgres -run '^TestListsOfAllKindsAreAlike$$' -count=1 -timeout 2h
scale: ## ten daemons on one database and one bucket, killed and cut off for SCALE (1h), against what one daemon makes
	LAUNDROMAT_SCALE=$(or $(SCALE),1h) LAUNDROMAT_SCALE_HOSTS=$(or $(HOSTS),100) LAUNDROMAT_SCALE_ENTRIES=$(or $(ENTRIES),4000) \
	LAUNDROMAT_SCALE_DISTURBANCES=$(or $(DISTURBANCES),60) LAUNDROMAT_SCALE_WORKERS=$(or $(WORKERS),10) \
	go test ./cmd/laundromat -run '^TestTenWorkersMakeWhatOneMakes$$' -count=1 -v -timeout 3h
scalebench: ## claims and completions of SEEDS (10,000,000) seeds in PostgreSQL; then 1, 2, 4 and 8 daemons on one list
	go -C bench run ./scale -seeds $(or $(SEEDS),10000000) -hosts 100000 -timeout 1h $(if $(DIR),-dir $(DIR))
month: ## a month of a daemon and its operator on 5,000 seeds of 300 hosts, three times; a day is DAY (10s)
	go -C bench run ./month -day $(or $(DAY),10s) -timeout 30m $(if $(DIR),-dir $(DIR))
screenshots: ## pictures of each page, light, dark and 320 pixels wide, in the folder SCREENSHOTS
	LAUNDROMAT_NEED_BROWSER=1 LAUNDROMAT_SCREENSHOTS=$(abspath $(or $(SCREENSHOTS),screenshots)) go test ./cmd/laundromat -run TestPagesAreForEveryone -count=1 -v
man: ## manual pages in man/man1
	go run ./cmd/laundromat man man/man1
bench: ## the benchmarks of packages, then those of whole commands, which write docs/benchmarks.md
	go test -run '^$$' -bench . ./...
	go -C bench run ./readers -write ../docs/benchmarks.md
	go -C bench run ./wash -runs 5 -growth 1000000,10000000,100000000 -write ../docs/benchmarks.md
	go -C bench run ./subjects -n 100000000 -timeout 1h -write ../docs/benchmarks.md
	go -C bench run ./seeds
	go -C bench run ./service
	go -C bench run ./documents -timeout 30m -write ../docs/benchmarks.md
	go -C bench run ./giants -timeout 2h
	go -C bench run ./crawl -write ../docs/crawling.md
