import Geo
import Storage

// Writes the answers of networks.

extension Transaction {
    /// Links places of a network to a pin, with their distance from its current position, and updates its state.
    /// `asked` is the generation for which the network was asked. False when the pin is deleted.
    func link(_ places: [NetworkPlace], of network: String, to id: PinID, asked: Int64) throws(SQLError) -> Bool {
        guard let pin = try pin(id) else { return false }
        let version = try nextVersion(of: pin.id, pin.account)
        for place in places { try link(place, of: network, to: pin, version) }
        let state = PinProgress(pin).afterLinking(places: places.count, asked: asked)
        if state != pin.state { try set(state, of: id, version) }
        try recount(id, version: version)
        return true
    }

    /// A place that another pin has too already has its photos counted. One that was sent to the photo service and has
    /// moved since, or names other pictures, has to be sent again.
    private func link(_ place: NetworkPlace, of network: String, to pin: Pin, _ version: Int64) throws(SQLError) {
        try execute(
            """
            INSERT INTO links (pin, place, network, name, categories, latitude_e7, longitude_e7, distance_m,
                photo_count, is_told, version, picture_tags)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
                coalesce((SELECT max(photo_count) FROM links WHERE place = ?2), 0), FALSE, ?9, ?10)
            ON CONFLICT (pin, place) DO UPDATE SET name = excluded.name, categories = excluded.categories,
                latitude_e7 = excluded.latitude_e7, longitude_e7 = excluded.longitude_e7,
                distance_m = excluded.distance_m, version = excluded.version, picture_tags = excluded.picture_tags,
                is_told = links.is_told AND links.latitude_e7 = excluded.latitude_e7
                    AND links.longitude_e7 = excluded.longitude_e7 AND links.picture_tags = excluded.picture_tags
            WHERE links.name <> excluded.name OR links.categories <> excluded.categories
                OR links.latitude_e7 <> excluded.latitude_e7 OR links.longitude_e7 <> excluded.longitude_e7
                OR links.picture_tags <> excluded.picture_tags
            """,
            pin.id, place.id, network, place.name, LinkedPlace.joined(place.categories),
            Int64(place.position.latitudeE7), Int64(place.position.longitudeE7),
            pin.position.metres(to: place.position), version, LinkedPlace.joined(place.pictureTags))
        try execute("DELETE FROM neighbours WHERE pin = ?1 AND place = ?2", pin.id, place.id)
    }

    /// Writes the state of a search of a pin's generation. When it was the last one to end, the photos are requested:
    /// also when all have failed, because the pin's own album needs no places.
    func put(_ search: NetworkSearch, of pin: Pin, at time: Int64) throws(SQLError) {
        var pin = pin
        pin.searches = pin.searches.map { $0.network == search.network ? search : $0 }
        try put(search, of: pin.id)
        let progress = PinProgress(pin)
        if search.hasEnded, progress.haveEnded(pin.searches) {
            try enqueue(Work.albums, Work.key(pin.id), at: time)
        }
        pin.state = progress.after(pin.searches, albumGeneration: pin.album.generation)
        _ = try touch(pin)
    }

    /// Deletes searches of earlier generations and their jobs: their networks are not asked for this pin any more.
    func dropEarlierSearches(of pin: Pin) throws(SQLError) {
        let networks = try rows(
            "DELETE FROM pin_searches WHERE pin = ?1 AND generation < ?2 RETURNING network", pin.id, pin.generation
        ) { row throws(SQLError) in try row.text(0) }
        for network in networks { try cancelJob(Work.discovery(at: network), Work.key(pin.id, network)) }
    }

    private func set(_ state: PinState, of pin: PinID, _ version: Int64) throws(SQLError) {
        try execute("UPDATE pins SET state = ?2, state_version = ?3 WHERE id = ?1", pin, state.rawValue, version)
    }
}
