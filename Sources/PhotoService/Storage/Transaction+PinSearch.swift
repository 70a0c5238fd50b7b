import Geo
import ServiceRuntime
import Storage

extension Transaction {
    /// Notes one part of a search, and asks for the search when it is the last. A part for a pin that is forgotten, or
    /// of an older generation than is known, changes nothing. False when the pin's album is that of another account.
    func note(_ part: PinSearch, at time: Int64) throws(SQLError) -> Bool {
        if try isForgotten(part.pin) { return true }
        try insertAlbum(
            part.subject, account: part.account, centre: part.centre, radiusMetres: part.radiusMetres,
            isSearching: true, isOpened: true)
        guard let album = try album(part.subject), album.account == part.account else { return false }
        guard part.generation >= album.generation else { return true }
        if part.generation > album.generation { try move(part) }
        for place in part.places { try note(place, of: part.pin) }
        guard part.isLast else { return true }
        if part.generation > album.searchedGeneration { try startSearching(part.subject) }
        try enqueue("search", part.subject.text, at: time)
        return true
    }

    private func move(_ part: PinSearch) throws(SQLError) {
        try execute(
            """
            UPDATE albums SET generation = ?2, latitude_e7 = ?3, longitude_e7 = ?4, radius_m = ?5, version = ?6
            WHERE subject = ?1
            """, part.subject.text, part.generation, Int64(part.centre.latitudeE7), Int64(part.centre.longitudeE7),
            part.radiusMetres, try nextVersion())
    }

    private func startSearching(_ subject: AlbumSubject) throws(SQLError) {
        try execute(
            "UPDATE albums SET is_searching = TRUE, version = ?2 WHERE subject = ?1", subject.text, try nextVersion())
    }

    /// An album that the place has is told again: the pin has not heard of it yet.
    private func note(_ place: KnownPlace, of pin: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO search_places (pin, place, latitude_e7, longitude_e7, cell) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (pin, place) DO UPDATE SET latitude_e7 = excluded.latitude_e7,
                longitude_e7 = excluded.longitude_e7, cell = excluded.cell
            """, pin, place.id, Int64(place.position.latitudeE7), Int64(place.position.longitudeE7),
            Cell.id(of: place.position))
        let subject = AlbumSubject.place(place.id)
        guard try album(subject) != nil else { return }
        try execute("UPDATE albums SET version = ?2 WHERE subject = ?1", subject.text, try nextVersion())
    }

    /// The place, if the search of some pin has named it.
    func knownPlace(_ id: String) throws(SQLError) -> KnownPlace? {
        try first(
            "SELECT latitude_e7, longitude_e7 FROM search_places WHERE place = ?1 ORDER BY pin LIMIT 1", id
        ) { row throws(SQLError) in KnownPlace(id: id, position: try row.coordinate(0)) }
    }

    /// The places that the searches of a pin have named.
    func places(of pin: String) throws(SQLError) -> [KnownPlace] {
        try rows("SELECT place, latitude_e7, longitude_e7 FROM search_places WHERE pin = ?1", pin) {
            row throws(SQLError) in KnownPlace(id: try row.text(0), position: try row.coordinate(1))
        }
    }
}
