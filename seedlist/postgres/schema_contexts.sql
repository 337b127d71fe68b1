
-- Layout 5: contexts of JSON-LD that documents name, as they were fetched.
CREATE TABLE contexts (
	key text COLLATE "C" PRIMARY KEY, -- MD5 of the IRI
	data json NOT NULL,               -- what is known of it, as seedlist.Context
	body bytea                        -- its text, compressed; NULL while it never came
);
