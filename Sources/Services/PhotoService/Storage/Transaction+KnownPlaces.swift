import Bytes
import Geo
import Storage
import Stores

// The places that the searches of pins have named. A photo's place is chosen among all of them, so that the result does
// not depend on which pin asks, nor on which pin came first.

extension Transaction {
    /// Records where a place is, and whether it is minor. When it was elsewhere before, or got photos and gets none any
    /// more, the places around there may get these back.
    func knowPlace(_ note: PlaceNote, at time: Int64) throws(SQLError) {
        let place = note.place
        let before = try known(place.id)
        let isMinor = note.isMinor ?? before?.isMinor ?? false
        if let before, before.place == place, before.isMinor == isMinor { return }
        let (latitude, longitude) = (Int64(place.position.latitudeE7), Int64(place.position.longitudeE7))
        try execute(
            """
            INSERT INTO known_places (place, latitude_e7, longitude_e7, cell, is_minor) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (place) DO UPDATE SET latitude_e7 = excluded.latitude_e7,
                longitude_e7 = excluded.longitude_e7, cell = excluded.cell, is_minor = excluded.is_minor
            """, place.id, latitude, longitude, Cell.id(of: place.position), isMinor)
        try countPlaceChange()
        guard let before, try album(.place(place.id)) != nil || before.place != place else { return }
        try execute(
            "UPDATE albums SET latitude_e7 = ?2, longitude_e7 = ?3 WHERE subject = ?1",
            AlbumSubject.place(place.id).text, latitude, longitude)
        try searchAgain(around: [before.place], at: time)
    }

    /// Records what the entry of a place says about pictures of it. What is new is asked for when its album is opened.
    func keepPictureTags(_ tags: [String], of place: String) throws(SQLError) {
        try execute(
            """
            UPDATE known_places SET picture_tags = ?2, named_ms = 0 WHERE place = ?1 AND picture_tags <> ?2
            """, place, tags.joined(separator: "\n"))
    }

    /// The pictures that the entry of a place names, or its network has of it.
    func pictureNames(of place: String) throws(SQLError) -> PictureNames {
        let tags = try first("SELECT picture_tags FROM known_places WHERE place = ?1", place) { row throws(SQLError) in
            try row.text(0)
        }
        return PictureNames(tags: (tags ?? "").split(at: "\n").map { String($0) }, of: place)
    }

    /// Deletes places that no pin names any more. Those around get back the photos that these had.
    func forgetPlaces(_ places: [KnownPlace], at time: Int64) throws(SQLError) {
        var withPhotos: [KnownPlace] = []
        for place in places {
            try execute("DELETE FROM known_places WHERE place = ?1", place.id)
            if try dropAlbum(.place(place.id)) { withPhotos.append(place) }
        }
        if !places.isEmpty { try countPlaceChange() }
        try searchAgain(around: withPhotos, at: time)
    }

    /// The place, if the search of some pin has named it.
    func knownPlace(_ id: String) throws(SQLError) -> KnownPlace? { try known(id)?.place }

    private func known(_ id: String) throws(SQLError) -> (place: KnownPlace, isMinor: Bool)? {
        try first("SELECT latitude_e7, longitude_e7, is_minor FROM known_places WHERE place = ?1", id) {
            row throws(SQLError) in (KnownPlace(id: id, position: try row.coordinate(0)), try row.bool(2))
        }
    }

    /// The places that the searches of a pin have named.
    func places(of pin: String) throws(SQLError) -> [KnownPlace] {
        try rows(
            """
            SELECT known_places.place, latitude_e7, longitude_e7
            FROM search_places JOIN known_places ON known_places.place = search_places.place
            WHERE search_places.pin = ?1
            """, pin
        ) { row throws(SQLError) in KnownPlace(id: try row.text(0), position: try row.coordinate(1)) }
    }

    /// All known places within a circle, the minor ones apart.
    func knownPlaces(
        around centre: Coordinate, radiusMetres: Double
    ) throws(SQLError) -> (places: [KnownPlace], minor: [KnownPlace]) {
        var (places, minor): ([KnownPlace], [KnownPlace]) = ([], [])
        for range in Cell.cover(centre: centre, radiusMetres: radiusMetres) {
            try forEach(
                "SELECT latitude_e7, longitude_e7, place, is_minor FROM known_places WHERE cell BETWEEN ?1 AND ?2",
                range.lowerBound, range.upperBound
            ) { row throws(SQLError) in
                let position = try row.coordinate(0)
                guard centre.metres(to: position) <= radiusMetres else { return }
                let place = KnownPlace(id: try row.text(2), position: position)
                if try row.bool(3) { minor.append(place) } else { places.append(place) }
            }
        }
        return (places, minor)
    }

    /// How often the known places have changed.
    func placeChanges() throws(SQLError) -> Int64 {
        try first("SELECT count FROM place_changes WHERE id = 1") { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    private func countPlaceChange() throws(SQLError) {
        try execute("UPDATE place_changes SET count = count + 1 WHERE id = 1")
    }
}

extension Transaction {
    /// Requests a search of a pin of each place that may get photos that were nearer to these.
    func searchAgain(around places: [KnownPlace], at time: Int64) throws(SQLError) {
        var pins: Set<String> = []
        for tile in PlaceTile.tiles(of: places) {
            let reach = tile.radiusMetres + 2 * PlaceAssignment.reachMetres
            let known = try knownPlaces(around: tile.centre, radiusMetres: reach)
            for place in known.places + known.minor {
                if let pin = try pin(of: place.id) { pins.insert(pin) }
            }
        }
        for pin in pins.sorted() { try searchAgain(pin, at: time) }
    }

    /// Requests a search of a pin that has the place.
    func searchAgain(place: String, at time: Int64) throws(SQLError) {
        if let pin = try pin(of: place) { try searchAgain(pin, at: time) }
    }

    private func searchAgain(_ pin: String, at time: Int64) throws(SQLError) {
        try enqueue(RelistJob.name, AlbumSubject.pin(pin).text, at: time)
    }

    /// A pin that has the place, and whose first search has ended: one whose search has not will include it anyway.
    private func pin(of place: String) throws(SQLError) -> String? {
        try first(
            """
            SELECT search_places.pin FROM search_places JOIN albums ON albums.subject = 'pin/' || search_places.pin
            WHERE search_places.place = ?1 AND albums.searched_generation = albums.generation
            ORDER BY search_places.pin LIMIT 1
            """, place
        ) { row throws(SQLError) in try row.text(0) }
    }
}
