import Storage

extension Transaction {
    /// What is new about a pin since `version`, also when that is nothing; nil when the account has no such pin. A
    /// version that is still to come belongs to data that is gone: everything is new then.
    func news(of id: PinID, account: String, after version: Int64) throws(SQLError) -> PinNews? {
        guard let pin = try pin(id, of: account) else { return nil }
        let start = version > pin.version ? 0 : version
        let found = try rows(
            """
            SELECT place, name, categories, latitude_e7, longitude_e7, distance_m, photo_count, version
            FROM links WHERE pin = ?1 AND version > ?2 ORDER BY version LIMIT ?3
            """, id, start, PinNews.mostPlaces + 1
        ) { row throws(SQLError) in try LinkedPlace(row) }
        guard found.count > PinNews.mostPlaces, let first = found.first else {
            return PinNews(pin: pin, places: found, version: pin.version)
        }
        let whole = found.wholeVersions
        let places = whole.isEmpty ? try links(of: id, version: first.version) : whole
        return PinNews(pin: pin, places: places, version: places.last?.version ?? pin.version)
    }

    /// All links that were changed with one version.
    private func links(of pin: PinID, version: Int64) throws(SQLError) -> [LinkedPlace] {
        try rows(
            """
            SELECT place, name, categories, latitude_e7, longitude_e7, distance_m, photo_count, version
            FROM links WHERE pin = ?1 AND version = ?2
            """, pin, version
        ) { row throws(SQLError) in try LinkedPlace(row) }
    }
}
