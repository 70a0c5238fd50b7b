\set account random(0, 63)
\set latitude random(-600000000, -400000000)
\set longitude random(-1400000000, -1200000000)
\set rest random(1, 9000000000000000000)
BEGIN ISOLATION LEVEL READ COMMITTED;
INSERT INTO subjects (name, version) VALUES ('bench-' || :account, (SELECT last FROM versions WHERE id = 1) + 1)
    ON CONFLICT (name) DO UPDATE SET version = subjects.version + 1 RETURNING version \gset
SELECT networks, units, language, start_view, version AS settings_version FROM account_settings
    WHERE account = 'bench-' || :account;
INSERT INTO pins (id, account, name, is_named, latitude_e7, longitude_e7, cell, radius_m, state, generation, created_ms,
        version, state_version, networks)
    VALUES (int8send(nextval('ids')) || int8send(:rest), 'bench-' || :account, 'Pin ' || currval('ids'), TRUE,
        :latitude, :longitude, currval('ids'), 100, 1, 1, 1795647670669, :version, :version, '*');
INSERT INTO pin_searches (pin, network, generation, state, place_count, is_truncated, warning, refusals, lates)
    VALUES (int8send(currval('ids')) || int8send(:rest), 'catalog', 1, 1, 0, FALSE, '', 0, 0)
    ON CONFLICT (pin, network) DO UPDATE SET generation = excluded.generation, state = excluded.state,
        place_count = excluded.place_count, is_truncated = excluded.is_truncated, warning = excluded.warning,
        refusals = excluded.refusals, lates = excluded.lates;
INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
    VALUES ('discover', lpad(currval('ids')::text, 36, '0') || '/catalog', 0, 1795647670669, 0, 0, FALSE, '')
    ON CONFLICT (kind, key) DO UPDATE SET
        next_ms = CASE WHEN jobs.lease = 0 AND jobs.kills = 0 THEN excluded.next_ms ELSE jobs.next_ms END,
        tries = CASE WHEN jobs.lease = 0 THEN 0 ELSE jobs.tries END, is_wanted_again = jobs.lease <> 0;
INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
    VALUES ('hold', lpad(currval('ids')::text, 36, '0'), 0, 1795647670669, 0, 0, FALSE, '')
    ON CONFLICT (kind, key) DO UPDATE SET
        next_ms = CASE WHEN jobs.lease = 0 AND jobs.kills = 0 THEN excluded.next_ms ELSE jobs.next_ms END,
        tries = CASE WHEN jobs.lease = 0 THEN 0 ELSE jobs.tries END, is_wanted_again = jobs.lease <> 0;
COMMIT;
