import Geo
import Storage
import Stores

// Changes requested by users, as a whole: rows, versions and the work that follows. `time` is in milliseconds since
// 1970.

extension Transaction {
    /// A version of the account for a change of a pin, whose watchers are notified.
    func nextVersion(of pin: PinID, _ account: String) throws(SQLError) -> Int64 {
        announce(PinStore.subject(of: pin, account))
        return try nextVersion(of: account)
    }

    /// Stores a new pin, whose search begins. Returns it with its version.
    func create(_ pin: Pin, at time: Int64) throws(SQLError) -> Pin {
        var pin = pin
        pin.version = try nextVersion(of: pin.id, pin.account)
        try insert(pin)
        try beginSearch(pin, at: time)
        return pin
    }

    /// Writes a pin that was moved, whose search starts over.
    func move(_ pin: Pin, at time: Int64) throws(SQLError) -> Pin {
        var pin = pin
        pin.version = try nextVersion(of: pin.id, pin.account)
        try update(pin)
        for search in pin.searches { try putSearch(search, of: pin.id) }
        try dropEarlierSearches(of: pin)
        try measureLinks(of: pin.id, from: pin.position)
        try beginSearch(pin, at: time)
        return pin
    }

    /// Writes a pin of a file that was opened, whose search begins.
    func open(_ pin: Pin, at time: Int64) throws(SQLError) -> Pin {
        let pin = try touch(pin)
        for search in pin.searches { try putSearch(search, of: pin.id) }
        try beginSearch(pin, at: time)
        return pin
    }

    /// Writes a pin that has another name; a name that no user chose is looked up.
    func rename(_ pin: Pin, at time: Int64) throws(SQLError) -> Pin {
        let pin = try touch(pin)
        if !pin.isNamed, !pin.isUnsearched { try enqueue(Work.name, Work.key(pin.id), at: time) }
        return pin
    }

    /// Writes a pin with a new version.
    func touch(_ pin: Pin) throws(SQLError) -> Pin {
        var pin = pin
        pin.version = try nextVersion(of: pin.id, pin.account)
        try update(pin)
        return pin
    }

    /// Removes a pin with all that belongs to it; the photo service and the places service are notified.
    func delete(_ pin: Pin, at time: Int64) throws(SQLError) {
        for part in PinParts.all { try part.remove(pin.id, self) }
        try recordRemoval(of: pin, at: time)
        for search in pin.searches {
            try cancelJob(Work.discovery(at: search.network), Work.key(pin.id, search.network))
        }
        try cancelJob(Work.name, Work.key(pin.id))
        try cancelJob(Work.albums, Work.key(pin.id))
        try enqueue(Work.forget, Work.key(pin.id, pin.account), at: time)
        try enqueue(Work.hold, Work.key(pin.id), at: time)
    }

    /// Requests the jobs of a pin's search that should be there and are not, and stores the state that it has by now.
    func requestMissing(of pin: Pin, at time: Int64) throws(SQLError) {
        for search in pin.searches where !search.hasEnded {
            try request(Work.discovery(at: search.network), Work.key(pin.id, search.network), at: time)
        }
        if pin.album.generation < pin.generation { try request(Work.albums, Work.key(pin.id), at: time) }
        let state = PinProgress(pin).after(pin.searches, arePhotosSettled: pin.arePhotosSettled)
        if state != pin.state { try advance(pin, asksForPhotos: false, at: time) }
    }

    /// Requests a job unless it is requested already.
    private func request(_ kind: String, _ key: String, at time: Int64) throws(SQLError) {
        let known = try first("SELECT 1 FROM jobs WHERE kind = ?1 AND key = ?2", kind, key) { row throws(SQLError) in
            try row.integer(0)
        }
        if known == nil { try enqueue(kind, key, at: time) }
    }

    /// Requests all jobs of a pin's search.
    func beginSearch(_ pin: Pin, at time: Int64) throws(SQLError) {
        for search in pin.searches {
            try enqueue(Work.discovery(at: search.network), Work.key(pin.id, search.network), at: time)
        }
        try enqueue(Work.hold, Work.key(pin.id), at: time)
        if pin.asksLiveNetworks || pin.searches.isEmpty { try enqueue(Work.albums, Work.key(pin.id), at: time) }
        if !pin.isNamed { try enqueue(Work.name, Work.key(pin.id), at: time) }
    }
}

extension Transaction {
    func mapRegion(of account: String) throws(SQLError) -> MapRegion? {
        try first(
            "SELECT latitude_e7, longitude_e7, span_latitude, span_longitude FROM map_regions WHERE account = ?1",
            account
        ) { row throws(SQLError) in
            MapRegion(centre: try row.coordinate(0), span: MapSpan(try row.double(2), try row.double(3)))
        }
    }

    func putRegion(_ region: MapRegion, of account: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO map_regions (account, latitude_e7, longitude_e7, span_latitude, span_longitude)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (account) DO UPDATE SET latitude_e7 = excluded.latitude_e7,
                longitude_e7 = excluded.longitude_e7, span_latitude = excluded.span_latitude,
                span_longitude = excluded.span_longitude
            """,
            account, Int64(region.centre.latitudeE7), Int64(region.centre.longitudeE7), region.span.latitudeDelta,
            region.span.longitudeDelta)
    }
}
