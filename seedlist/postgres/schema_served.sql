
-- How many documents have a clean file that is served, and how many of those are being fetched or washed again.
INSERT INTO counts SELECT 'washed', 0, count(*) FROM hot JOIN cold USING (id)
	WHERE NOT clean AND (state = 9 OR coalesce(data->>'clean', data->>'previous') IS NOT NULL);
INSERT INTO counts SELECT 'refreshed', 0, count(*) FROM hot JOIN cold USING (id)
	WHERE NOT clean AND state < 9 AND coalesce(data->>'clean', data->>'previous') IS NOT NULL;
