import Storage

extension Schema {
    // `known_places` has one row for each place that the search of a pin has named: where it is does not depend on the
    // pin. `search_places` tells which pins have named it. `place_changes` has one row, which counts the changes of
    // `known_places`. A program before gave a photo to the nearest of one pin's places: every pin is searched again.
    static let knownPlaces = Migration(
        "0007 known places",
        """
        CREATE TABLE known_places (
            place TEXT PRIMARY KEY,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            cell BIGINT NOT NULL
        );
        INSERT INTO known_places (place, latitude_e7, longitude_e7, cell)
        SELECT place, latitude_e7, longitude_e7, cell FROM search_places AS named
        WHERE NOT EXISTS (
            SELECT 1 FROM search_places AS other WHERE other.place = named.place AND other.pin < named.pin);
        CREATE INDEX known_places_by_cell ON known_places (cell, latitude_e7, longitude_e7, place);
        DROP INDEX search_places_by_cell;
        ALTER TABLE search_places DROP COLUMN latitude_e7;
        ALTER TABLE search_places DROP COLUMN longitude_e7;
        ALTER TABLE search_places DROP COLUMN cell;
        CREATE TABLE place_changes (id BIGINT PRIMARY KEY, count BIGINT NOT NULL);
        INSERT INTO place_changes (id, count) VALUES (1, 0);
        INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
        SELECT 'search', subject, 0, 0, 0, 0, FALSE, '' FROM albums
        WHERE subject > 'pin/' AND subject < 'pin0' AND searched_generation = generation
        ON CONFLICT (kind, key) DO NOTHING;
        """)
}
