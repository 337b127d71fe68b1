
-- Layout 2: a host belongs to one process at a time.
ALTER TABLE hosts
	ADD COLUMN holder text NOT NULL DEFAULT '',  -- the process that asks it, or asked it last
	ADD COLUMN lease bigint NOT NULL DEFAULT 0,  -- until when it is the holder's, while that has claims
	ADD COLUMN delay bigint NOT NULL DEFAULT -1, -- of its own; below 0: as for all
	ADD COLUMN crawl bigint NOT NULL DEFAULT 0,  -- the delay that its robots.txt asks for
	ADD COLUMN wish text NOT NULL DEFAULT '',    -- the process that has it next
	ADD COLUMN wished bigint NOT NULL DEFAULT 0; -- until when that wish holds
UPDATE hosts SET claims = 0, delay = coalesce(round((settings::json->>'delay')::numeric * 1000000000), -1) WHERE settings <> '';
UPDATE hosts SET claims = 0 WHERE claims > 0;
