-- The seed list of Laundromat. Times are nanoseconds since 1970 (0: none), states the
-- places of their names in a seed's life, from 1: added, downloading, filed, unarchiving,
-- unarchived, guessing, guessed, parsing, parsed, depleted, failed, cleaned.

CREATE SEQUENCE numbers;
CREATE SEQUENCE turns;

-- What claims and completions write of a seed. Long columns come first, so that no bytes lie unused between them: statements
-- name the columns, and lists of before have them in another order. The part of a page that is left free has room for some
-- 14 rows, so that a row that changes stays in its page.
CREATE TABLE hot (
	id bigint PRIMARY KEY,
	fence bigint NOT NULL,
	due bigint NOT NULL,
	parent bigint NOT NULL,      -- the archive that it is an entry of
	since bigint NOT NULL,       -- when it was claimed
	revision bigint NOT NULL,    -- rises with every write of the cold record
	tries integer NOT NULL,
	failures integer NOT NULL,   -- ends in failed in a row that were tried again by themselves
	crashes integer NOT NULL,    -- of workers that held it; above 0: a suspect
	priority integer NOT NULL,
	state smallint NOT NULL,
	last smallint NOT NULL,      -- the last final state; 0 before the first
	stage smallint NOT NULL,     -- the working state that failed last
	queue smallint NOT NULL,     -- where it is found that may be taken: see Queue of seedlist/engine
	relative boolean NOT NULL,
	fragment boolean NOT NULL,
	fetchable boolean NOT NULL,
	clean boolean NOT NULL,
	gone boolean NOT NULL,
	is_archive boolean NOT NULL,
	asking boolean NOT NULL,     -- it counts among the requests to its host
	hash text NOT NULL,
	host text NOT NULL,
	holder text NOT NULL,        -- the process that holds the claim
	worker text NOT NULL
) WITH (fillfactor = 72, autovacuum_vacuum_scale_factor = 0.01);
CREATE UNIQUE INDEX hot_hash ON hot (hash);
CREATE INDEX hot_queue ON hot (queue, priority DESC, due, id) WHERE queue IN (2, 3, 4);
CREATE INDEX hot_hosted ON hot (host, priority DESC, due, id) WHERE queue = 1;
CREATE INDEX hot_due ON hot (queue, due) WHERE queue BETWEEN 1 AND 6;
CREATE INDEX hot_parent ON hot (parent, id) WHERE parent > 0;
CREATE INDEX hot_held ON hot (holder) WHERE holder <> '';

-- The rest of a record.
CREATE TABLE cold (
	id bigint PRIMARY KEY,
	revision bigint NOT NULL,    -- that of the seed when it was written
	alike text NOT NULL,         -- the SHA-256 of bytes whose wash holds for any URI; else ''
	data json NOT NULL
);
CREATE INDEX cold_alike ON cold (alike, id) WHERE alike <> '';

-- Which clean seed was washed from which seeds.
CREATE TABLE links (clean bigint, dirty bigint, PRIMARY KEY (clean, dirty));

-- Identifiers of 2018.
CREATE TABLE old_keys (old text PRIMARY KEY, id bigint NOT NULL);
CREATE INDEX old_keys_id ON old_keys (id);

-- The log. Numbers rise over all seeds and catalogs.
CREATE TABLE attempts (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash text NOT NULL, of_catalog boolean NOT NULL, data json NOT NULL);
CREATE INDEX attempts_hash ON attempts (hash, number);

CREATE TABLE hosts (
	host text PRIMARY KEY,
	turn bigint NOT NULL,        -- the smaller the sooner
	due bigint NOT NULL,         -- no seed of it can be claimed before; 0: it has none
	rest bigint NOT NULL DEFAULT 0,
	pace bigint NOT NULL DEFAULT 0,
	claims integer NOT NULL DEFAULT 0,
	connections integer NOT NULL DEFAULT 0, -- of its own; 0: as for all
	paused boolean NOT NULL DEFAULT false,
	settings text NOT NULL DEFAULT '',      -- JSON; '' without any of its own
	holder text NOT NULL DEFAULT '',        -- the process that asks it, or asked it last
	lease bigint NOT NULL DEFAULT 0,        -- until when it is the holder's, while that has claims
	delay bigint NOT NULL DEFAULT -1,       -- of its own; below 0: as for all
	crawl bigint NOT NULL DEFAULT 0,        -- the delay that its robots.txt asks for
	wish text NOT NULL DEFAULT '',          -- the process that has it next
	wished bigint NOT NULL DEFAULT 0        -- until when that wish holds
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX hosts_turn ON hosts (turn) WHERE due > 0 AND NOT paused;
CREATE INDEX hosts_next ON hosts ((greatest(due, rest))) WHERE due > 0 AND NOT paused;

-- Sums, a row for each process, which are added up when they are read.
CREATE TABLE counts (name text, part smallint, n bigint NOT NULL, PRIMARY KEY (name, part)) WITH (fillfactor = 70);

CREATE TABLE catalogs (
	id bigint PRIMARY KEY,
	hash text NOT NULL UNIQUE,
	due bigint NOT NULL,         -- 0: only when asked for
	harvesting boolean NOT NULL,
	holder text NOT NULL,
	data json NOT NULL,
	refusals text NOT NULL
);
CREATE TABLE listings (catalog bigint, seed bigint, harvest bigint NOT NULL, gone boolean NOT NULL, PRIMARY KEY (catalog, seed));
CREATE INDEX listings_seed ON listings (seed);

-- What the feed tells.
CREATE TABLE feed (last bigint NOT NULL);
INSERT INTO feed VALUES (0);
CREATE TABLE changes (
	revision bigint PRIMARY KEY, at bigint NOT NULL, id bigint NOT NULL,
	was smallint NOT NULL, became smallint NOT NULL,
	hash text NOT NULL -- of a seed that was removed, and after a space its name
);
CREATE TABLE washed (
	span text, begins bigint, documents bigint NOT NULL, bytes bigint NOT NULL, statements bigint NOT NULL,
	PRIMARY KEY (span, begins)
);

-- Hashes whose records were removed; taken says that their files are being removed now.
CREATE TABLE orphans (hash text PRIMARY KEY, taken boolean NOT NULL DEFAULT false);

-- What tells this list from another, also from one of the same address.
CREATE TABLE identity (list uuid NOT NULL);
INSERT INTO identity VALUES (gen_random_uuid());

-- The processes that hold claims, and until when without another sign of life.
CREATE TABLE holders (holder text PRIMARY KEY, lease bigint NOT NULL);

-- at_rest says that neither a seed nor anything below it will move by itself.
CREATE FUNCTION at_rest(seed bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
	WITH RECURSIVE below (id, state, is_archive) AS (
		SELECT id, state, is_archive FROM hot WHERE id = seed
		UNION ALL
		SELECT h.id, h.state, h.is_archive FROM below b JOIN hot h ON h.parent = b.id AND h.parent > 0 WHERE b.is_archive
	) SELECT NOT EXISTS (SELECT FROM below WHERE state < 9)
$$;

-- Contexts of JSON-LD that documents name, as they were fetched.
CREATE TABLE contexts (
	key text COLLATE "C" PRIMARY KEY, -- MD5 of the IRI
	data json NOT NULL,               -- what is known of it, as seedlist.Context
	body bytea                        -- its text, compressed; NULL while it never came
);

-- What is made of which documents: the version, recipes by name, and their forms, with older ones that records name.
CREATE TABLE recipes (key text COLLATE "C" PRIMARY KEY, data bytea NOT NULL);
INSERT INTO recipes VALUES ('version', '0');

-- Lists, orders and counts of seeds, which one process at a time makes of the changes, and all read. The program
-- knows what keys and values mean (seedlist/views). Nothing in these tables is known here alone: emptied,
-- they are made again.
CREATE TABLE view_meta (key bytea PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 70);
CREATE TABLE view_values (key bytea PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE view_names (key bytea PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE view_entries (key bytea PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
CREATE TABLE view_rows (key bytea PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE TABLE view_orders (key bytea PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
CREATE TABLE view_counts (key bytea PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE TABLE view_pairs (key bytea PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- How far a copy of another list has come; empty where none is being made.
CREATE TABLE copying (data json NOT NULL);
