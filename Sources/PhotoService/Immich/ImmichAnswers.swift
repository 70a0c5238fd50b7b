import Geo
import LiveNetworks

/// A month of which there are photos.
struct ImmichMonth: Decodable {
    /// "2025-05-01", or the beginning of that day.
    let timeBucket: String
    let count: Int
}

/// The photos of a month: arrays, of which the same places belong together.
struct ImmichPhotos: Decodable {
    let id: [String]
    let isImage: [Bool]
    let isTrashed: [Bool]?
    let latitude: [Double?]?
    let longitude: [Double?]?
    let fileCreatedAt: [String]?

    /// Whether all arrays have the same length.
    var isSound: Bool {
        [isImage.count, isTrashed?.count, latitude?.count, longitude?.count, fileCreatedAt?.count]
            .allSatisfy { $0 ?? id.count == id.count }
    }

    /// Those that are pictures with a position. The arrays are sound.
    func photos(of library: ImmichLibrary) -> [FoundPhoto] {
        guard let latitude, let longitude else { return [] }
        return id.indices.compactMap { index in
            guard isImage[index], isTrashed?[index] != true, let north = latitude[index], let east = longitude[index]
            else { return nil }
            // Some leave out that the time is that of Greenwich, and some write parts of seconds.
            let time = (fileCreatedAt?[index]).flatMap { TakenTime.ofMoment("\($0.prefix(19))Z") }
            return library.photo(id[index], latitude: north, longitude: east, taken: time)
        }
    }
}

/// A photo on the map.
struct ImmichMarker: Decodable {
    let id: String
    let lat: Double
    let lon: Double
}
