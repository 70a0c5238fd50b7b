import Storage

extension Schema {
    // Places around a pin that are not linked to it; the photo service knows them too, so that a photo goes to the
    // nearest place. Pins of an earlier program have none: their places of the catalog are looked for once more, by a
    // job whose key begins with the pin's id as text.
    static let neighbours = Migration(
        "0007 neighbours of pins' places",
        """
        CREATE TABLE neighbours (
            pin BYTEA NOT NULL,
            place TEXT NOT NULL,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            is_told BOOLEAN NOT NULL,
            PRIMARY KEY (pin, place)
        );
        CREATE INDEX neighbours_untold ON neighbours (pin, place) WHERE is_told = FALSE;
        INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason)
        SELECT 'discover', lower(hex(substr(pin, 1, 4)) || '-' || hex(substr(pin, 5, 2)) || '-'
            || hex(substr(pin, 7, 2)) || '-' || hex(substr(pin, 9, 2)) || '-'
            || hex(substr(pin, 11, 6))) || '/catalog', 0, 0, 0, 0, FALSE, ''
        FROM pin_searches WHERE network = 'catalog'
        ON CONFLICT (kind, key) DO NOTHING;
        """)
}
