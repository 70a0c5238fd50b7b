import Geo
import Networks
import Requests
import Storage
import Stores

extension Transaction {
    /// Stores a record. What is known of its picture is kept.
    func putPhoto(_ photo: Photo) throws(SQLError) {
        try execute(
            """
            INSERT INTO photos (id, network, provider_id, title, latitude_e7, longitude_e7, cell, author, licence,
                source_url, original_url, width, height, taken_ms, version, heading, view_angle, tags, taken_offset_min,
                number, camera, lens)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?15, ?20, ?21)
            ON CONFLICT (id) DO UPDATE SET title = excluded.title, latitude_e7 = excluded.latitude_e7,
                longitude_e7 = excluded.longitude_e7, cell = excluded.cell, author = excluded.author,
                licence = excluded.licence, source_url = excluded.source_url, original_url = excluded.original_url,
                width = excluded.width, height = excluded.height, taken_ms = excluded.taken_ms,
                version = excluded.version, heading = excluded.heading, view_angle = excluded.view_angle,
                tags = excluded.tags, taken_offset_min = excluded.taken_offset_min, camera = excluded.camera,
                lens = excluded.lens
            """,
            photo.id.text, photo.id.network, photo.id.providerID, photo.title, Int64(photo.position.latitudeE7),
            Int64(photo.position.longitudeE7), Cell.id(of: photo.position), photo.credit.author, photo.credit.licence,
            photo.credit.sourceURL, photo.originalURL, Int64(photo.width), Int64(photo.height), photo.takenMilliseconds,
            try nextVersion(), photo.view.map { Int64($0.heading) }, photo.view.map { Int64($0.angle) },
            photo.tags.joined(separator: "\n"), photo.takenOffsetMinutes, photo.camera, photo.lens)
    }

    /// As an account sees it: of others those alone that they have added to its albums. One that is nowhere any more,
    /// as its file or its network's page is gone, is seen where it is left: in an album that the account sees, or by
    /// the one whose favourite it is. They alone are shown a shared photo's picture: that an account wants it shows
    /// others where it has a pin. Without an account all are seen, with all that is known, and none is a favourite.
    func photo(_ id: PhotoID, for account: String? = nil) throws(SQLError) -> Photo? {
        let found = try first(
            """
            SELECT id, title, latitude_e7, longitude_e7, author, licence, source_url, original_url, width, height,
                taken_ms, state, byte_count, failure, placeholder, modified_ns, orientation,
                (SELECT blob FROM pictures WHERE photo_id = photos.id AND size = 1),
                EXISTS (SELECT 1 FROM pictures WHERE photo_id = photos.id AND size = 2),
                EXISTS (SELECT 1 FROM favourites WHERE account = ?2 AND photo_id = photos.id), heading, view_angle,
                fetched_count, fetched_of, tags, CASE WHEN owner <> ?2 THEN added_by ELSE '' END, owner,
                taken_offset_min, camera, lens, copies, cell <> -1,
                CASE WHEN CAST(?2 AS TEXT) IS NULL
                    OR EXISTS (SELECT 1 FROM removals WHERE account = ?2 AND photo_id = photos.id)
                    OR EXISTS (SELECT 1 FROM album_photos WHERE photo_id = photos.id
                        AND (SELECT account FROM albums WHERE subject = album_photos.subject) = ?2)
                    OR EXISTS (SELECT 1 FROM album_photos JOIN search_places
                            ON search_places.place = substr(album_photos.subject, 7)
                        WHERE album_photos.photo_id = photos.id
                            AND album_photos.subject > 'place/' AND album_photos.subject < 'place0'
                            AND (SELECT account FROM albums WHERE subject = 'pin/' || search_places.pin) = ?2
                            AND (photos.grid_cell = -1 OR EXISTS (SELECT 1 FROM own_photos
                                WHERE own_photos.account = ?2 AND own_photos.number = photos.number)))
                    THEN TRUE ELSE FALSE END
            FROM photos WHERE id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR owner = '' OR owner = ?2
                OR EXISTS (SELECT 1 FROM album_photos WHERE photo_id = photos.id
                    AND (SELECT account FROM albums WHERE subject = album_photos.subject) = ?2))
            """, id.text, account
        ) { row throws(SQLError) in
            (photo: try Photo(row), isSomewhere: try row.bool(31), isInAlbum: try row.bool(32))
        }
        guard let found else { return nil }
        let isHeld = found.isInAlbum || found.photo.isFavourite
        guard isHeld || found.isSomewhere else { return nil }
        // What a network gave for another's pins would tell where they are.
        if let account, !isHeld, try !isShown(id, to: account) { return nil }
        var photo = found.photo
        photo.showsPicture = isHeld || !photo.owner.isEmpty
        if !photo.showsPicture {
            // How large a file of the folder is was known before anyone wanted it.
            let byteCount = id.network == PhotoID.folderNetwork ? photo.picture.byteCount : 0
            photo.picture = PictureStatus(byteCount: byteCount, original: photo.picture.original)
        }
        return photo
    }

    /// The ids of the photos around a point that an account sees, with their distances.
    func nearest(
        _ query: NearQuery, _ filter: PhotoFilter = PhotoFilter(), for account: String
    ) throws(SQLError) -> NearestSelection<PhotoID> {
        var selection = NearestSelection<PhotoID>(
            centre: query.centre, radiusMetres: query.radiusMetres, limit: query.limit)
        try forEachPhoto(filter, of: account, around: query.centre, radiusMetres: query.radiusMetres) {
            row throws(SQLError) in
            try selection.offer(try row.coordinate(0)) { () throws(SQLError) in try row.photoID(2) }
        }
        return selection
    }

    /// With what the ids of photos begin of which albums are made.
    private static let ofAlbums = Network.all.filter { $0.photos?.isOfAreas ?? false }.map { Array("\($0.name)/".utf8) }

    /// Reads the position, the id and the view of each photo within a circle, and of some outside of it: of all photos,
    /// or of those that albums are made of. Of uploads and libraries only those of an account; of none by itself. Of
    /// what networks have found, for an account only what its own pins were given; for none all.
    ///
    /// The ranges are joined rather than chained with OR, so that each is one look-up in the index; what a filter looks
    /// at is not in the index, and read apart.
    func forEachPhoto(
        _ filter: PhotoFilter = PhotoFilter(), ofAlbums: Bool = false, of account: String = "",
        around centre: Coordinate, radiusMetres: Double,
        _ body: (borrowing Row) throws(SQLError) -> Void
    ) throws(SQLError) {
        let bounds = CellBounds(around: centre, radiusMetres: radiusMetres)
        let ranges: [(any SQLParameter)?] = bounds.numbers.map { $0 }
        try forEach(
            """
            WITH ranges (first, last) AS (VALUES (CAST(?1 AS BIGINT), CAST(?2 AS BIGINT)), (?3, ?4), (?5, ?6), (?7, ?8),
                (?9, ?10), (?11, ?12), (?13, ?14), (?15, ?16), (?17, ?18), (?19, ?20), (?21, ?22), (?23, ?24),
                (?25, ?26), (?27, ?28), (?29, ?30), (?31, ?32))
            SELECT photos.latitude_e7, photos.longitude_e7, photos.id, photos.heading, photos.view_angle
            FROM ranges CROSS JOIN photos
            WHERE photos.cell BETWEEN ranges.first AND ranges.last
                AND ((photos.id < 'immich/' OR photos.id > 'immich0')
                    AND (photos.id < 'upload/' OR photos.id > 'upload0')
                    OR EXISTS (SELECT 1 FROM photos AS own WHERE own.id = photos.id AND own.owner = ?39))
                AND (?39 = '' OR photos.grid_cell = -1 OR photos.owner <> '' OR EXISTS (SELECT 1 FROM own_photos
                    WHERE own_photos.account = ?39 AND own_photos.number = photos.number))
                AND (?33 OR EXISTS (SELECT 1 FROM photos AS wanted WHERE wanted.id = photos.id
                    AND (?35 = '' OR replace(?35, ?34 || wanted.network || ?34, '') <> ?35)
                    AND (?36 = '' OR replace(?36, ?34 || lower(wanted.licence) || ?34, '') <> ?36)
                    AND (CAST(?37 AS BIGINT) IS NULL OR wanted.taken_ms >= ?37)
                    AND (CAST(?38 AS BIGINT) IS NULL OR wanted.taken_ms < ?38)))
            """, parameters: ranges + filter.parameters + [account]
        ) { row throws(SQLError) in
            if ofAlbums {
                let id = try row.text(2).utf8
                guard Self.ofAlbums.contains(where: { id.starts(with: $0) }) else { return }
            }
            try body(row)
        }
    }
}
