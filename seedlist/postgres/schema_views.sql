
-- Layout 3: lists, orders and counts of seeds, which one process at a time makes of the changes, and all read. The program
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
