\set n random(0, 999)
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT id, account, name, is_named, latitude_e7, longitude_e7, radius_m, state, generation, created_ms, version,
    place_count, photo_place_count, photo_count, album_state, album_photo_count, album_ready_count, album_failed_count,
    album_generation, span_latitude, span_longitude
    FROM pins WHERE id = int8send(:n);
SELECT network, generation, state, place_count, is_truncated, warning, refusals
    FROM pin_searches WHERE pin = int8send(:n) ORDER BY network;
COMMIT;
