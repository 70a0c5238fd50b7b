import Bytes
import Geo
import Requests
import Storage
import Stores

// What is sent to the photo service, and what it sends.

extension Transaction {
    /// The part of a pin's search that the photo service does not have yet. While the catalog alone is waited for,
    /// which takes no time, it is nil: the end of that search requests it again. A live network may take long, and
    /// neither the pin's own album waits for it, nor the photos of other networks' places. Nil also when the pin is
    /// deleted.
    /// `settings` are those of its account.
    func unsentSearch(
        of id: PinID, _ settings: (String, borrowing Transaction) throws(SQLError) -> AccountSettings
    ) throws(SQLError) -> AlbumSearch? {
        guard let pin = try pin(id) else { return nil }
        let waits = PinProgress(pin).waits(for: pin.searches)
        guard !waits || pin.asksLiveNetworks else { return nil }
        let most = AlbumSearch.maximumPlaces
        let unsent = try rows(
            """
            SELECT place, latitude_e7, longitude_e7, picture_tags, categories, -1 FROM links
            WHERE pin = ?1 AND is_told = FALSE
            UNION ALL SELECT place, latitude_e7, longitude_e7, NULL, NULL, minor FROM neighbours
            WHERE pin = ?1 AND is_told = FALSE
            ORDER BY place LIMIT ?2
            """, id, most + 1
        ) { row throws(SQLError) in try AlbumSearch.PlacePoint(row) }
        return AlbumSearch(
            pin: id, account: pin.account, generation: pin.generation, centre: pin.position,
            radiusMetres: pin.radiusMetres, places: Array(unsent.prefix(most)), isLast: unsent.count <= most,
            morePlacesFollow: waits, settings: try settings(pin.account, self), limit: pin.limit)
    }

    /// Records that the photo service knows these places, unless one has moved meanwhile.
    func markSent(_ part: AlbumSearch) throws(SQLError) {
        for place in part.places {
            try execute(
                """
                UPDATE links SET is_told = TRUE
                WHERE pin = ?1 AND place = ?2 AND latitude_e7 = ?3 AND longitude_e7 = ?4 AND picture_tags = ?5
                    AND categories = ?6
                """, part.pin, place.id, Int64(place.position.latitudeE7), Int64(place.position.longitudeE7),
                LinkedPlace.joined(place.pictureTags ?? []), place.categories ?? "")
            try execute(
                """
                UPDATE neighbours SET is_told = TRUE
                WHERE pin = ?1 AND place = ?2 AND latitude_e7 = ?3 AND longitude_e7 = ?4
                """, part.pin, place.id, Int64(place.position.latitudeE7), Int64(place.position.longitudeE7))
        }
    }

    func feedPosition() throws(SQLError) -> FeedPosition {
        try first("SELECT version, epoch FROM album_feed WHERE id = 1") { row throws(SQLError) in
            FeedPosition(version: try row.integer(0), epoch: try row.integer(1))
        } ?? FeedPosition()
    }

    /// Applies the photo service's updates, unless another replica has already done so.
    func apply(_ batch: AlbumUpdates, at time: Int64) throws(SQLError) {
        let stored = try feedPosition()
        if stored.epoch == batch.position.epoch, stored.version > batch.position.version { return }
        if stored.epoch != batch.position.epoch, stored.epoch != 0 { try forgetAlbums(at: time) }
        var versions: [String: Int64] = [:]
        var recounted: [PinID: String] = [:]
        for update in batch.updates {
            switch update.subject {
            case .place(let id): try setPhotos(update, of: id, &versions, &recounted)
            case .pin(let id): try set(update.album, of: id)
            }
        }
        for (pin, account) in recounted { try recount(pin, version: try nextVersion(of: pin, account)) }
        try execute(
            "UPDATE album_feed SET version = ?1, epoch = ?2 WHERE id = 1", batch.position.version,
            batch.position.epoch)
    }

    /// All links of an account that one batch changes get the same version.
    private func setPhotos(
        _ update: AlbumUpdate, of place: String, _ versions: inout [String: Int64], _ changed: inout [PinID: String]
    ) throws(SQLError) {
        let linked = try rows(
            """
            SELECT links.pin, pins.account, links.photo_count FROM links JOIN pins ON pins.id = links.pin
            WHERE links.place = ?1
            """, place
        ) { row throws(SQLError) in (pin: try row.pinID(0), account: try row.text(1), before: try row.integer(2)) }
        for (pin, account, before) in linked {
            let count = update.photoCounts[account] ?? update.album.photoCount
            if count == before { continue }
            let version = if let known = versions[account] { known } else { try nextVersion(of: account) }
            versions[account] = version
            try execute(
                "UPDATE links SET photo_count = ?3, version = ?4 WHERE pin = ?1 AND place = ?2", pin, place, count,
                version)
            changed[pin] = account
        }
    }

    /// Applies the state of a pin's own album, and makes the pin READY when it was waiting for that.
    private func set(_ album: PinAlbum, of id: PinID) throws(SQLError) {
        guard var pin = try pin(id) else { return }
        pin.album = album
        pin.photoTrouble = ""
        let state = PinProgress(pin).after(pin.searches, arePhotosSettled: pin.arePhotosSettled)
        try execute(
            """
            UPDATE pins SET state = ?2, version = ?3,
                state_version = CASE WHEN state = ?2 THEN state_version ELSE ?3 END, album_state = ?4,
                album_photo_count = ?5, album_ready_count = ?6, album_failed_count = ?7, album_generation = ?8,
                album_warning = ?9, photo_trouble = ''
            WHERE id = ?1
            """,
            id, state.rawValue, try nextVersion(of: id, pin.account), album.state.rawValue, album.photoCount,
            album.readyCount, album.failedCount, album.generation, album.warning)
    }

    /// The photo service does not look for photos of a pin now: the pin does not wait for it. It is asked again, and
    /// what it then tells of the pin's album takes this back.
    func recordPhotoTrouble(_ reason: String, of pin: Pin) throws(SQLError) {
        let trouble = "\(reason); it is asked again"
        guard pin.photoTrouble != trouble else { return }
        var pin = pin
        pin.photoTrouble = trouble
        pin.state = PinProgress(pin).after(pin.searches, arePhotosSettled: true)
        _ = try touch(pin)
    }

    /// The photo service's data was replaced: everything sent either way is void, and every pin starts again. Links get
    /// their versions in small groups, as watchers expect them.
    private func forgetAlbums(at time: Int64) throws(SQLError) {
        try execute("UPDATE links SET is_told = FALSE WHERE is_told = TRUE")
        try execute("UPDATE neighbours SET is_told = FALSE WHERE is_told = TRUE")
        try execute("UPDATE pins SET album_generation = 0")
        let pins = try rows("SELECT id, account FROM pins") { row throws(SQLError) in
            (id: try row.pinID(0), account: try row.text(1))
        }
        for (pin, account) in pins {
            var version = try nextVersion(of: pin, account)
            while try clearSomePhotos(of: pin, version) { version = try nextVersion(of: pin, account) }
            try recount(pin, version: version)
            try enqueue(Work.albums, Work.key(pin), at: time)
        }
    }

    private func clearSomePhotos(of pin: PinID, _ version: Int64) throws(SQLError) -> Bool {
        try change(
            """
            UPDATE links SET photo_count = 0, version = ?2
            WHERE pin = ?1 AND place IN (SELECT place FROM links WHERE pin = ?1 AND photo_count > 0 LIMIT 500)
            """, pin, version) > 0
    }
}

extension AlbumSearch.PlacePoint {
    /// Reads the columns place, latitude_e7, longitude_e7, picture_tags and categories, both NULL of a place that is
    /// not linked, and whether such a one is minor, below 0 when that is not known.
    fileprivate init(_ row: borrowing Row) throws(SQLError) {
        func texts(_ joined: String) -> [String] { joined.split(at: LinkedPlace.separator).map(String.init) }
        let (categories, minor) = (try row.optionalText(4), try row.integer(5))
        self.init(
            id: try row.text(0), position: try row.coordinate(1), pictureTags: try row.optionalText(3).map(texts),
            categories: categories,
            isMinor: categories.map { MinorKinds.areAll(texts($0)) } ?? (minor < 0 ? nil : minor > 0))
    }
}
