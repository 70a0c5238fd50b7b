\set n random(0, 999)
SELECT pins.id, account, name, is_named, latitude_e7, longitude_e7, radius_m, pins.state, pins.generation,
    created_ms, version, pins.place_count, photo_place_count, photo_count, album_state, album_photo_count,
    album_ready_count, album_failed_count, album_generation, span_latitude, span_longitude, networks,
    note, visited_day, imported_by, album_warning, photo_trouble,
    searched.network, searched.generation, searched.state, searched.place_count, is_truncated, warning, refusals, lates
    FROM pins LEFT JOIN pin_searches AS searched ON searched.pin = pins.id
    WHERE pins.id = int8send(:n) || int8send(:n) ORDER BY searched.network;
