import Contracts

/// What tests show and watch.
enum Sample {
    static let pinID = "01a1f8cb-6901-7c14-b2c1-5071771f994f"

    /// A pin at a square, in any state.
    static func pin(_ state: PinState = .partial, places: UInt32 = 0, album: AlbumSummary? = nil) -> Pin {
        Pin(
            id: pinID, name: "Square", position: Coordinate(latitude: 60.17, longitude: 24.94), radiusM: 500,
            state: state, placeCount: places, album: album)
    }

    static func place(_ number: Int, photos: UInt32 = 0) -> PinPlace {
        PinPlace(
            id: "catalog/mine/\(number)", name: "Place \(number)", categories: ["amenity/cafe"],
            distanceM: Double(number) * 100, photoCount: photos)
    }

    static func summary(_ state: AlbumState, _ ready: UInt32 = 0, of count: UInt32 = 0, failed: UInt32 = 0)
        -> AlbumSummary
    { AlbumSummary(state: state, photoCount: count, readyCount: ready, failedCount: failed) }

    static func photo(_ number: Int, _ state: PhotoState = .ready) -> Photo {
        Photo(id: "folder/\(number).jpg", title: "Photo \(number)", state: state)
    }
}
