
-- Layout 6: a page counts as HTML, and under each syntax that it holds. Where a last good wash is served, it is what counts.
INSERT INTO counts SELECT 'format:' || syntax, 0, count(*) FROM
	(SELECT CASE WHEN coalesce(data->>'clean', '') = '' AND coalesce(data->>'previous', '') <> '' AND data->'last_good' IS NOT NULL
		THEN data#>'{last_good,reading}' ELSE data END AS summed FROM hot JOIN cold USING (id) WHERE NOT clean) AS all_summed,
	json_each_text(summed->'sources') AS source (syntax, n)
	WHERE n::bigint > 0 AND syntax <> 'page' AND coalesce(summed->>'format', '') NOT IN ('', syntax)
	GROUP BY syntax ON CONFLICT (name, part) DO UPDATE SET n = counts.n + EXCLUDED.n;
