import Geo
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
        for place in part.places { try note(place, of: part.pin, at: time) }
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
    private func note(_ place: KnownPlace, of pin: String, at time: Int64) throws(SQLError) {
        try know(place, at: time)
        try execute(
            "INSERT INTO search_places (pin, place) VALUES (?1, ?2) ON CONFLICT (pin, place) DO NOTHING", pin, place.id)
        let subject = AlbumSubject.place(place.id)
        guard try album(subject) != nil else { return }
        try execute("UPDATE albums SET version = ?2 WHERE subject = ?1", subject.text, try nextVersion())
    }
}
