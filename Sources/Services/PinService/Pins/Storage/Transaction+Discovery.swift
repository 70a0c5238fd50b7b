import Bytes
import Geo
import Storage

// Writes the answers of networks.

extension Transaction {
    /// Links places of a network to a pin, with their distance from its current position, and updates its state.
    /// `asked` is the generation for which the network was asked. Gives the pin with its state.
    func link(_ places: [NetworkPlace], of network: String, to pin: Pin, asked: Int64) throws(SQLError) -> Pin {
        if places.isEmpty { return pin }
        var pin = pin
        pin.version = try nextVersion(of: pin.id, pin.account)
        for place in places { try link(place, of: network, to: pin) }
        try execute(
            """
            DELETE FROM neighbours WHERE pin = ?1
                AND EXISTS (SELECT 1 FROM links WHERE links.pin = ?1 AND links.place = neighbours.place)
            """, pin.id)
        let state = PinProgress(pin).afterLinking(places: places.count, asked: asked)
        if state != pin.state { try set(state, of: pin.id, pin.version) }
        pin.state = state
        try recount(pin.id, version: pin.version)
        return pin
    }

    /// A place that another pin of the account has too already has its photos counted. One that was sent to the photo
    /// service and has moved since, or names other pictures, has to be sent again.
    private func link(_ place: NetworkPlace, of network: String, to pin: Pin) throws(SQLError) {
        try execute(
            """
            INSERT INTO links (pin, place, network, name, categories, latitude_e7, longitude_e7, distance_m,
                photo_count, is_told, version, picture_tags)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
                coalesce((SELECT max(known.photo_count) FROM links AS known JOIN pins ON pins.id = known.pin
                    WHERE known.place = ?2 AND pins.account = ?11), 0), FALSE, ?9, ?10)
            ON CONFLICT (pin, place) DO UPDATE SET name = excluded.name, categories = excluded.categories,
                latitude_e7 = excluded.latitude_e7, longitude_e7 = excluded.longitude_e7,
                distance_m = excluded.distance_m, version = excluded.version, picture_tags = excluded.picture_tags,
                is_told = links.is_told AND links.latitude_e7 = excluded.latitude_e7
                    AND links.longitude_e7 = excluded.longitude_e7 AND links.picture_tags = excluded.picture_tags
                    AND links.categories = excluded.categories
            WHERE links.name <> excluded.name OR links.categories <> excluded.categories
                OR links.latitude_e7 <> excluded.latitude_e7 OR links.longitude_e7 <> excluded.longitude_e7
                OR links.picture_tags <> excluded.picture_tags
            """,
            pin.id, place.id, network, place.name, LinkedPlace.joined(place.categories),
            Int64(place.position.latitudeE7), Int64(place.position.longitudeE7),
            pin.position.metres(to: place.position), pin.version, LinkedPlace.joined(place.pictureTags), pin.account)
    }

    /// Writes the state of a search of a pin's generation, and what follows from it.
    func putSearch(_ search: NetworkSearch, of pin: Pin, at time: Int64) throws(SQLError) {
        let before = pin.searches.first { $0.network == search.network }
        var pin = pin
        pin.searches = pin.searches.map { $0.network == search.network ? search : $0 }
        try putSearch(search, of: pin.id)
        if pin.state == .failed, search.state == .done {
            // Its first places may have photos, which were not looked for.
            pin.album.generation = 0
            try execute("UPDATE pins SET album_generation = 0 WHERE id = ?1", pin.id)
        }
        let isNews = search.state == .done || !search.isAwaited && before?.isAwaited ?? true
        try advance(pin, asksForPhotos: isNews ? true : try hasUnsentPlaces(of: pin.id), at: time)
    }

    /// Stores the state that a pin has after its searches. Its photos are looked for with the places of those networks
    /// that have answered: also when all have failed, because the pin's own album needs no places.
    func advance(_ pin: Pin, asksForPhotos: Bool, at time: Int64) throws(SQLError) {
        var pin = pin
        let progress = PinProgress(pin)
        if asksForPhotos, pin.asksLiveNetworks || !progress.waits(for: pin.searches) {
            try enqueue(Work.albums, Work.key(pin.id), at: time)
        }
        pin.state = progress.after(pin.searches, arePhotosSettled: pin.arePhotosSettled)
        _ = try touch(pin)
    }

    /// Whether the photo service does not know all places of a pin.
    private func hasUnsentPlaces(of pin: PinID) throws(SQLError) -> Bool {
        try first(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM links WHERE pin = ?1 AND is_told = FALSE)
                OR EXISTS (SELECT 1 FROM neighbours WHERE pin = ?1 AND is_told = FALSE)
            """, pin
        ) { row throws(SQLError) in try row.integer(0) } != nil
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
