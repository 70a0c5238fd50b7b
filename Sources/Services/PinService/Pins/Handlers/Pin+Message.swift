import PinContracts
import Geo
import Wire

// Converts values of the domain to messages.

extension PinContracts.Pin {
    /// - Parameter isWhole: whether with its note, which lists leave out.
    init(_ pin: Pin, isWhole: Bool = false) {
        self.init(
            id: pin.id.description, name: pin.name, position: BaseContracts.Coordinate(pin.position),
            radiusM: pin.radiusMetres, state: BaseContracts.PinState(pin.state),
            createTime: TimestampMessage(unixMilliseconds: pin.createdMilliseconds),
            version: UInt64(clamping: pin.version), placeCount: UInt32(clamping: pin.counts.places),
            photoPlaceCount: UInt32(clamping: pin.counts.placesWithPhotos),
            photoCount: UInt32(clamping: pin.counts.photos), album: AlbumSummary(pin.album, of: pin),
            searches: pin.searches.map { PinContracts.NetworkSearch($0) }, isNamed: pin.isNamed,
            span: pin.span.map { BaseContracts.Span($0) }, generation: UInt64(clamping: pin.generation),
            hasNote: !pin.note.isEmpty, note: isWhole ? pin.note : "", visitedDate: pin.visitedDay,
            photoWarning: pin.photoWarning)
    }
}

extension BaseContracts.PinState {
    init(_ state: PinState) {
        switch state {
        case .new: self = .new
        case .partial: self = .partial
        case .ready: self = .ready
        case .failed: self = .failed
        }
    }
}

extension PinContracts.NetworkSearch {
    init(_ search: NetworkSearch) {
        self.init(
            network: search.network, state: NetworkSearchState(search.state),
            placeCount: UInt32(clamping: search.placeCount), truncated: search.isTruncated, warning: search.warning)
    }
}

extension NetworkSearchState {
    init(_ state: NetworkSearch.State) {
        switch state {
        case .searching: self = .searching
        case .retrying: self = .retrying
        case .done: self = .done
        case .failed: self = .failed
        case .disabled: self = .disabled
        }
    }
}

extension AlbumSummary {
    /// What is not looked for now has failed for now.
    init(_ album: PinAlbum, of pin: Pin) {
        let hasFailed = album.state == .searching && !pin.photoTrouble.isEmpty
        self.init(
            state: hasFailed ? .failed : AlbumState(album.state), photoCount: UInt32(clamping: album.photoCount),
            readyCount: UInt32(clamping: album.readyCount), failedCount: UInt32(clamping: album.failedCount))
    }
}

extension AlbumState {
    init(_ state: PinAlbum.State) {
        switch state {
        case .searching: self = .searching
        case .downloading: self = .downloading
        case .complete: self = .complete
        case .empty: self = .empty
        case .completeWithErrors: self = .completeWithErrors
        case .failed: self = .failed
        case .listed: self = .listed
        }
    }
}

extension PinPlace {
    init(_ link: LinkedPlace) {
        self.init(
            id: link.place.id, name: link.place.name, categories: link.place.categories,
            position: BaseContracts.Coordinate(link.place.position), distanceM: link.metres,
            photoCount: UInt32(clamping: link.photoCount))
    }
}

extension BaseContracts.Coordinate {
    init(_ point: Geo.Coordinate) { self.init(latitude: point.latitude, longitude: point.longitude) }
}

extension BaseContracts.Span {
    init(_ span: MapSpan) { self.init(latitudeDelta: span.latitudeDelta, longitudeDelta: span.longitudeDelta) }
}

extension BaseContracts.Region {
    init(_ region: MapRegion) {
        self.init(centre: BaseContracts.Coordinate(region.centre), span: BaseContracts.Span(region.span))
    }
}

extension ListPinsResponse {
    init(_ listed: PinsListed) {
        let last = listed.hasMore ? listed.pins.last : nil
        self.init(
            pins: listed.pins.map { PinContracts.Pin($0) },
            nextPageToken: last.map { PinListing.token(after: $0) } ?? "")
    }
}

extension ListPinPlacesResponse {
    init(_ listed: PlacesListed, _ listing: PlaceListing) {
        let last = listed.hasMore ? listed.places.last : nil
        self.init(
            places: listed.places.map { PinPlace($0) }, nextPageToken: last.map { listing.token(after: $0) } ?? "",
            count: UInt32(clamping: listed.count))
    }
}
