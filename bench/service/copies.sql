-- Copies of all seeds of a list, :copies of each, with numbers, hashes, hosts and URIs of their own.
BEGIN;
CREATE TEMP TABLE here AS SELECT h.id, h.hash, md5((h.id + k * m)::text) AS new_hash, h.id + k * m AS new_id, k
	FROM hot h, (SELECT max(id) AS m FROM hot) l, generate_series(1, :copies) k;
CREATE TEMP TABLE last AS SELECT max(id) AS m FROM hot;
INSERT INTO hot (id, hash, state, last, stage, fence, tries, failures, crashes, priority, due, later, host, parent, relative, fragment, fetchable,
	clean, gone, is_archive, holder, worker, since, asking, revision)
	SELECT new_id, new_hash, state, last, stage, fence, tries, failures, crashes, priority, due, later,
	CASE host WHEN '' THEN '' ELSE replace(host, '.example', '-' || k || '.example') END,
	parent, relative, fragment, fetchable, clean, gone, is_archive, holder, worker, since, asking, revision FROM here JOIN hot USING (id);
INSERT INTO cold (id, alike, data) SELECT new_id, CASE alike WHEN '' THEN '' ELSE new_hash || new_hash END,
	replace(replace(data::text, hash, new_hash), '.example/', '-' || k || '.example/')::json FROM here JOIN cold USING (id);
INSERT INTO attempts (hash, of_catalog, data) SELECT new_hash, of_catalog, data FROM here JOIN attempts USING (hash);
INSERT INTO links SELECT clean + k * m, dirty + k * m FROM links, last, generate_series(1, :copies) k;
INSERT INTO hosts (host, turn, due, rest, pace) SELECT replace(host, '.example', '-' || k || '.example'), turn + k * (SELECT max(turn) + 1 FROM hosts), due, rest, pace
	FROM hosts, generate_series(1, :copies) k;
UPDATE counts SET n = n * (1 + :copies);
SELECT setval('numbers', (SELECT max(id) FROM hot)), setval('turns', (SELECT max(turn) + 1 FROM hosts));
COMMIT;
VACUUM ANALYZE;
