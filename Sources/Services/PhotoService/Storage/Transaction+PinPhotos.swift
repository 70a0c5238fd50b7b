import Geo
import Storage

extension Transaction {
    /// The photos that can be found for a pin now; nil when it is forgotten.
    func pinPhotos(_ pin: String) throws(SQLError) -> PinPhotos? {
        guard let album = try album(.pin(pin)) else { return nil }
        let found = try albumPhotos(
            of: album.account, at: try enabledNetworks(of: album.account).limited(to: album.networks),
            around: album.centre,
            radiusMetres: album.radiusMetres, limit: PinPhotos.limit)
        return PinPhotos(
            generation: album.generation, areAllPlacesNamed: album.namedGeneration == album.generation,
            photos: found.nearest.map(\.id.id),
            ofPlaces: try photos(of: try places(of: pin)), placeChanges: try placeChanges(),
            isTruncated: found.isTruncated)
    }

    /// Adds what was found to the albums of the pin and of its places. Results for an older generation are not used:
    /// the search of the newer one will follow.
    func listPinPhotos(
        _ found: PinPhotos, for pin: String, _ warnings: [String] = [], _ answers: NetworkAnswers = .all,
        at time: Int64
    ) throws(SQLError) {
        guard let album = try album(.pin(pin)), album.generation == found.generation else { return }
        // One that is still to be searched gets all by that.
        guard answers != .unasked || album.searchedGeneration == album.generation else { return }
        let filled = try fillAlbum(album, found)
        let isEmpty = try photoIDs(of: album.subject).isEmpty
        // The place that a photo belongs to may be different when there are other places by now.
        let isCurrent = try found.placeChanges == placeChanges()
        let ofPlaces = isCurrent ? found.ofPlaces : try photos(of: try places(of: pin))
        try takeOut(ofPlaces.misplaced, at: time)
        for place in ofPlaces.places { try listPlacePhotos(place, for: album.account, at: time) }
        let isAwaited = answers == .unasked ? album.isSearching : answers == .awaited
        guard try takeEvent(.searched(isAwaited: isAwaited && isEmpty), album) else { return }
        try execute(
            """
            UPDATE albums SET searched_generation = generation, warning = ?2,
                complete_generation = CASE WHEN ?3 THEN generation ELSE complete_generation END, missing_count = ?4
            WHERE subject = ?1
            """, album.subject.text, answers == .unasked ? album.warning : found.warning(with: warnings),
            found.areAllPlacesNamed, filled.missing(answers, of: album))
        try wantPictures(of: album.subject, at: time)
        try recountList(album.subject)
    }

    /// Only a first search, one after a move, and one of an album that never had a photo add photos; and a search that
    /// follows one without the answers of all networks, up to as many as that one could not find.
    private func fillAlbum(_ album: Album, _ found: PinPhotos) throws(SQLError) -> Filled {
        let isFirst = album.searchedGeneration < found.generation || album.nextOrdinal == 0
        let wanted = isFirst ? Album.firstSize : Int(clamping: album.missingCount)
        guard wanted > 0 else { return Filled() }
        let known = try photoIDs(of: album.subject).union(removed(from: album.subject, by: album.account))
        let others = found.photos.filter { !known.contains($0) }.map { CollectionChoice.Candidate(id: $0) }
        let chosen = CollectionChoice.choose(wanted, from: others)
        try addPhotos(chosen.map(\.id), to: album)
        return Filled(wanted: wanted, added: chosen.count)
    }

    /// How many photos an album was to get, and how many it got.
    private struct Filled {
        var wanted = 0
        var added = 0

        /// How many may still come from networks.
        func missing(_ answers: NetworkAnswers, of album: Album) -> Int {
            switch answers {
            case .all: 0
            case .lacking, .awaited: wanted - added
            case .unasked: max(0, Int(clamping: album.missingCount) - added)
            }
        }
    }

    /// Removes photos from albums of places to which they do not belong. Others may replace them.
    private func takeOut(_ misplaced: [PlacePhotos.Misplaced], at time: Int64) throws(SQLError) {
        for entry in misplaced {
            try execute(
                "DELETE FROM album_photos WHERE subject = ?1 AND photo_id = ?2", AlbumSubject.place(entry.place).text,
                entry.photo.text)
        }
        for place in Set(misplaced.map(\.place)).sorted() {
            try recountList(.place(place))
            try searchAgain(place: place, at: time)
        }
    }

    /// A place's album grows up to its first size, as an account sees it, as long as no other collection was requested.
    /// Photos that it shows only to others take no room.
    private func listPlacePhotos(_ found: PlacePhotos.OfPlace, for account: String, at time: Int64) throws(SQLError) {
        let subject = AlbumSubject.place(found.place.id)
        let known = try photoIDs(of: subject)
        let room = max(0, Album.firstSize - (try shown(known, to: account)).count)
        let facing = try shown(found.facing.filter { !known.contains($0) }, to: account).prefix(room)
        let near = try shown(found.near.filter { !known.contains($0) }, to: account).prefix(room - facing.count)
        guard !facing.isEmpty || !near.isEmpty else { return }
        if known.isEmpty { try insertAlbum(of: found.place, isOpened: false) }
        guard let album = try album(subject), album.collection == 1 else { return }
        try addPhotos(Array(facing), to: album, as: .facing)
        try addPhotos(Array(near), to: try self.album(subject) ?? album)
        // An earlier New Collection may have found none.
        try execute("UPDATE albums SET warning = '' WHERE subject = ?1", subject.text)
        if album.isOpened { try wantPictures(of: subject, at: time) }
        try recountList(subject)
    }

    func insertAlbum(of place: KnownPlace, isOpened: Bool) throws(SQLError) {
        try insertAlbum(
            .place(place.id), account: "", centre: place.position, radiusMetres: PlaceAssignment.reachMetres,
            isSearching: false, isOpened: isOpened)
    }
}

extension Transaction {
    /// Records one part of a search, and requests the search when it is the last. A part for a pin that is forgotten,
    /// or of an older generation than is known, changes nothing. False when the pin's album belongs to another account.
    func recordSearch(_ part: PinSearch, at time: Int64) throws(SQLError) -> Bool {
        if try isForgotten(part.pin) { return true }
        try insertAlbum(
            part.subject, account: part.account, centre: part.centre, radiusMetres: part.radiusMetres,
            isSearching: true, isOpened: true)
        guard let album = try album(part.subject), album.account == part.account else { return false }
        if let chosen = part.chosen { try putChosenNetworks(chosen, of: part.account, at: time) }
        guard part.generation >= album.generation else { return true }
        if part.generation > album.generation { try movePin(part) }
        try putEnabledNetworks(part.limit, of: album)
        for place in part.places { try recordPlace(place, of: part.pin, at: time) }
        guard part.isLast else { return true }
        if part.generation > album.searchedGeneration { _ = try takeEvent(.searchRequested, album) }
        if !part.morePlacesFollow { try recordAllNamed(part) }
        // Of one that is complete the networks have been asked: only its places are others.
        let isComplete = part.generation == album.completeGeneration
        try enqueue(isComplete ? RelistJob.name : "search", part.subject.text, at: time)
        return true
    }

    private func movePin(_ part: PinSearch) throws(SQLError) {
        try execute(
            """
            UPDATE albums SET generation = ?2, latitude_e7 = ?3, longitude_e7 = ?4, radius_m = ?5, version = ?6
            WHERE subject = ?1
            """, part.subject.text, part.generation, Int64(part.centre.latitudeE7), Int64(part.centre.longitudeE7),
            part.radiusMetres, try nextVersion())
    }

    private func recordAllNamed(_ part: PinSearch) throws(SQLError) {
        try execute(
            "UPDATE albums SET named_generation = ?2 WHERE subject = ?1", part.subject.text, part.generation)
    }

    /// An existing album of the place is sent again: the pin does not know of it yet.
    private func recordPlace(_ note: PlaceNote, of pin: String, at time: Int64) throws(SQLError) {
        let place = note.place
        try knowPlace(note, at: time)
        if let tags = note.pictureTags { try keepPictureTags(tags, of: place.id) }
        try execute(
            "INSERT INTO search_places (pin, place) VALUES (?1, ?2) ON CONFLICT (pin, place) DO NOTHING", pin, place.id)
        let subject = AlbumSubject.place(place.id)
        guard try album(subject) != nil else { return }
        try execute("UPDATE albums SET version = ?2 WHERE subject = ?1", subject.text, try nextVersion())
    }
}
