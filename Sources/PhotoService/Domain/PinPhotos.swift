import Geo

/// What the search of a pin has found.
struct PinPhotos: Sendable {
    /// Photos that one search looks at.
    static let limit = 4_000

    /// The photos of one place, nearest first.
    struct OfPlace: Sendable {
        let place: KnownPlace
        var photos: [PhotoPoint]
    }

    /// Of the pin, when the search began.
    let generation: Int64
    /// Nearest to the pin first.
    let photos: [PhotoPoint]
    /// In the order of the places' ids.
    let places: [OfPlace]
    /// Whether there were more photos than are looked at.
    let isTruncated: Bool

    /// Gives each photo to its place. `photos` come nearest to the pin first.
    init(generation: Int64, photos: [PhotoPoint], places: [KnownPlace], isTruncated: Bool) {
        self.generation = generation
        self.photos = photos
        self.isTruncated = isTruncated
        let assignment = PlaceAssignment(places)
        var found: [String: OfPlace] = [:]
        for photo in photos {
            guard let place = assignment.place(of: photo.position) else { continue }
            found[place.id, default: OfPlace(place: place, photos: [])].photos.append(photo)
        }
        self.places = found.values.sorted { $0.place.id < $1.place.id }.map(\.nearestFirst)
    }

    /// What a person should know; empty when all is well.
    var warning: String {
        isTruncated ? "there are more photos around the pin; the nearest \(Self.limit) were looked at" : ""
    }
}

extension PinPhotos.OfPlace {
    fileprivate var nearestFirst: Self {
        let measured = photos.map { (metres: place.position.metres(to: $0.position), photo: $0) }
        let sorted = measured.sorted { ($0.metres, $0.photo) < ($1.metres, $1.photo) }
        return Self(place: place, photos: sorted.map(\.photo))
    }
}
