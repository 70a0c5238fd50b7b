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
    /// How far the clocks there were ahead of UTC.
    let localOffsetHours: [Double?]?
    /// What the clocks there showed, in versions that don't say how far they were ahead.
    let localDateTime: [String?]?

    /// Whether all arrays have the same length.
    var isSound: Bool {
        [
            isImage.count, isTrashed?.count, latitude?.count, longitude?.count, fileCreatedAt?.count,
            localOffsetHours?.count, localDateTime?.count,
        ]
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
            return library.photo(
                id[index], latitude: north, longitude: east, taken: time, offset: offset(index, at: time))
        }
    }

    private func offset(_ index: Int, at time: Int64?) -> Int? {
        guard time != nil, let hours = localOffsetHours?[index] ?? nil else {
            return TakenTime.offset(ofClock: localDateTime?[index] ?? nil, at: time)
        }
        let minutes = (hours * 60).rounded()
        return minutes.magnitude <= 900 ? Int(minutes) : nil
    }
}

/// A photo on the map.
struct ImmichMarker: Decodable {
    let id: String
    let lat: Double
    let lon: Double
}
