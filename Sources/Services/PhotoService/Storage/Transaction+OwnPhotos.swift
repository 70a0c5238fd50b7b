import Storage
import Stores

extension PhotoSchema {
    // Which photos networks have given for which account's pins: it alone finds them. `grid_cell` of a photo is -1 when
    // no network's answer has listed it, and then all see it. The row stays as long as it is remembered that the photo
    // was deleted.
    static let ownPhotos = Migration(
        "0.2.0 own photos",
        """
        CREATE TABLE own_photos (
            account TEXT NOT NULL,
            number BIGINT NOT NULL,
            version BIGINT NOT NULL,
            PRIMARY KEY (account, number)
        );
        CREATE INDEX own_photos_by_number ON own_photos (number, account);
        CREATE INDEX own_photos_by_version ON own_photos (version);
        """)
}

extension Transaction {
    /// A network has given a photo for an account's pins.
    func ownPhoto(_ id: PhotoID, _ account: String) throws(SQLError) {
        let number = try first(
            """
            SELECT number FROM photos WHERE id = ?1 AND grid_cell <> -1 AND owner = ''
                AND NOT EXISTS (SELECT 1 FROM own_photos WHERE account = ?2 AND own_photos.number = photos.number)
            """, id.text, account
        ) { row throws(SQLError) in try row.integer(0) }
        guard let number else { return }
        try execute(
            "INSERT INTO own_photos (account, number, version) VALUES (?1, ?2, ?3)", account, number,
            try nextVersion())
        // It may be in albums of places for others already, and is now for this one too.
        for subject in try albums(with: id.text) where !subject.isPin { try recountList(subject) }
    }

    /// Those of some photos that an account is shown.
    func shown(_ ids: some Sequence<PhotoID>, to account: String) throws(SQLError) -> [PhotoID] {
        var shown: [PhotoID] = []
        for id in ids where try isShown(id, to: account) { shown.append(id) }
        return shown
    }

    /// A network has given a photo for a place: for all accounts that ask this network, and have a pin that has found
    /// the place.
    func ownPhoto(_ id: PhotoID, ofPlace place: String) throws(SQLError) {
        let accounts = try rows(
            """
            SELECT DISTINCT albums.account FROM search_places
                JOIN albums ON albums.subject = 'pin/' || search_places.pin
            WHERE search_places.place = ?1
            """, place
        ) { row throws(SQLError) in try row.text(0) }
        for account in accounts where try enabledNetworks(of: account).allows(id.network) { try ownPhoto(id, account) }
    }

    /// Whether all see a photo, or an account's pins were given it.
    func isShown(_ id: PhotoID, to account: String) throws(SQLError) -> Bool {
        try first(
            """
            SELECT 1 FROM photos WHERE id = ?1 AND (grid_cell = -1 OR owner <> ''
                OR EXISTS (SELECT 1 FROM own_photos WHERE account = ?2 AND own_photos.number = photos.number))
            """, id.text, account
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }
}
