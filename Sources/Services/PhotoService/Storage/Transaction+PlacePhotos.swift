import Geo
import Storage
import Stores

extension Transaction {
    /// The photos that belong to some places, and those in the albums of these or of nearby places that belong
    /// elsewhere. Its time is bounded by the number of photos and places within reach of these.
    func photos(of places: [KnownPlace]) throws(SQLError) -> PlacePhotos {
        var found = PlacePhotos()
        for tile in PlaceTile.tiles(of: places) {
            let rivals = tile.radiusMetres + 2 * PlaceAssignment.reachMetres
            let known = try knownPlaces(around: tile.centre, radiusMetres: rivals)
            let assignment = PlaceAssignment(known.places)
            found.places += try photos(of: tile, assignment)
            found.misplaced += try misplaced(near: tile, known.places + known.minor, assignment)
        }
        found.places.sort { $0.place.id < $1.place.id }
        return found
    }

    /// Takes twice as many as an album gets at first: those that are in it already are among them, or as many others.
    private func photos(of tile: PlaceTile, _ assignment: PlaceAssignment) throws(SQLError) -> [PlacePhotos.OfPlace] {
        let mine = Set(tile.places.map(\.id))
        var nearest: [String: (place: KnownPlace, byFacing: [Bool: NearestSelection<PhotoID>])] = [:]
        try forEachPhoto(ofAlbums: true, around: tile.centre, radiusMetres: tile.photoReach) { row throws(SQLError) in
            let position = try row.coordinate(0)
            guard let found = assignment.place(of: position, looking: try row.view(3)), mine.contains(found.place.id)
            else { return }
            let empty = NearestSelection<PhotoID>(
                centre: found.place.position, radiusMetres: 2 * PlaceAssignment.reachMetres,
                limit: 2 * Album.firstSize)
            try nearest[found.place.id, default: (found.place, [:])].byFacing[found.isFaced, default: empty]
                .offer(position) { () throws(SQLError) in try row.photoID(2) }
        }
        return nearest.values.map { place, byFacing in
            PlacePhotos.OfPlace(
                place: place, facing: byFacing[true]?.nearest.map(\.id) ?? [],
                near: byFacing[false]?.nearest.map(\.id) ?? [])
        }
    }

    private func misplaced(
        near tile: PlaceTile, _ known: [KnownPlace], _ assignment: PlaceAssignment
    ) throws(SQLError) -> [PlacePhotos.Misplaced] {
        let mine = Set(tile.places.map(\.id))
        var misplaced: [PlacePhotos.Misplaced] = []
        for place in known {
            try forEach(
                """
                SELECT photos.latitude_e7, photos.longitude_e7, photos.id, photos.heading, photos.view_angle
                FROM album_photos JOIN photos ON photos.id = album_photos.photo_id
                WHERE album_photos.subject = ?1 AND album_photos.ordinal >= ?2
                """, AlbumSubject.place(place.id).text, PhotoReason.facing.firstOrdinal
            ) { row throws(SQLError) in
                let position = try row.coordinate(0)
                // For a photo farther away, not all places that may be the nearest are known here.
                guard mine.contains(place.id) || tile.centre.metres(to: position) <= tile.photoReach,
                    assignment.place(of: position, looking: try row.view(3))?.place.id != place.id
                else { return }
                misplaced.append(PlacePhotos.Misplaced(place: place.id, photo: try row.photoID(2)))
            }
        }
        return misplaced
    }
}

extension PlaceTile {
    /// No photo farther away from the centre belongs to one of the places.
    fileprivate var photoReach: Double { radiusMetres + PlaceAssignment.reachMetres }
}
