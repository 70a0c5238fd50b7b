\set account random(0, 63)
\set latitude random(-600000000, -400000000)
\set longitude random(-1400000000, -1200000000)
BEGIN ISOLATION LEVEL READ COMMITTED;
UPDATE subjects SET version = version + 0 WHERE name = 'bench-' || :account RETURNING version;
UPDATE subjects SET version = version + 1 WHERE name = 'bench-' || :account RETURNING version \gset
INSERT INTO pins (id, account, name, is_named, latitude_e7, longitude_e7, cell, radius_m, state, generation, created_ms,
        version, state_version)
    VALUES (int8send(nextval('ids')), 'bench-' || :account, 'Pin ' || currval('ids'), TRUE, :latitude,
        :longitude, currval('ids'), 100, 1, 1, 1795647670669, :version, :version);
INSERT INTO pin_searches (pin, network, generation, state, place_count, is_truncated, warning, refusals)
    VALUES (int8send(currval('ids')), 'catalog', 1, 1, 0, FALSE, '', 0)
    ON CONFLICT (pin, network) DO UPDATE SET generation = excluded.generation, state = excluded.state,
        place_count = excluded.place_count, is_truncated = excluded.is_truncated, warning = excluded.warning,
        refusals = excluded.refusals;
INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
    VALUES ('discover', currval('ids') || '/catalog', 0, 1795647670669, 0, 0, FALSE, '')
    ON CONFLICT (kind, key) DO UPDATE SET
        next_ms = CASE WHEN jobs.lease = 0 AND jobs.kills = 0 THEN excluded.next_ms ELSE jobs.next_ms END,
        tries = CASE WHEN jobs.lease = 0 THEN 0 ELSE jobs.tries END, is_wanted_again = jobs.lease <> 0;
COMMIT;
