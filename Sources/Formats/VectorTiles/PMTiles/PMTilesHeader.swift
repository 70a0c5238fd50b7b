package import EventLoops

/// Why an archive can't be read.
package enum PMTilesError: Error, Equatable, CustomStringConvertible {
    /// It contradicts its format.
    case damaged(path: String, reason: String)
    case disk(SystemError)

    /// Without the path.
    package var reason: String {
        switch self {
        case .damaged(_, let reason): reason
        case .disk(let error): "\(error)"
        }
    }

    package var description: String {
        switch self {
        case .damaged(let path, let reason): "\(path): \(reason)"
        case .disk(let error): "\(error)"
        }
    }
}

/// The first 127 bytes of a PMTiles archive of version 3
/// (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). Numbers have their lowest byte first.
package struct PMTilesHeader: Equatable, Sendable {
    static let byteCount = 127
    static let magic = Array("PMTiles".utf8) + [3]
    /// The header and the root directory are within these bytes.
    static let rootEnd: UInt64 = 16_384
    static let gzip: UInt8 = 2
    static let vectorTiles: UInt8 = 1

    /// A part of the file.
    package struct Part: Equatable, Sendable {
        package var offset: UInt64 = 0
        package var length: UInt64 = 0

        /// Whether it is within a file of so many bytes.
        func isWithin(_ byteCount: UInt64) -> Bool { offset <= byteCount && length <= byteCount - offset }
    }

    var root = Part()
    var metadata = Part()
    var leaves = Part()
    var data = Part()
    /// How many tiles can be asked for, how many entries directories have for them, and how many contents.
    package var tileCount: UInt64 = 0
    var entryCount: UInt64 = 0
    var contentCount: UInt64 = 0
    /// Whether contents are in the order of their tiles.
    var isClustered = true
    var directoryCompression = Self.gzip
    var tileCompression = Self.gzip
    var tileType = Self.vectorTiles
    package var minimumZoom: UInt8 = 0
    package var maximumZoom: UInt8 = 0
    /// Degrees times 1e7: west, south, east, north.
    package var box: [Int32] = [0, 0, 0, 0]
    /// Where to begin to look: zoom level, degrees east and north times 1e7.
    var centreZoom: UInt8 = 0
    var centre: [Int32] = [0, 0]

    init() {}

    var bytes: [UInt8] {
        var bytes = Self.magic
        for part in [root, metadata, leaves, data] {
            bytes.append(number: part.offset)
            bytes.append(number: part.length)
        }
        for count in [tileCount, entryCount, contentCount] { bytes.append(number: count) }
        bytes += [isClustered ? 1 : 0, directoryCompression, tileCompression, tileType, minimumZoom, maximumZoom]
        for degrees in box { bytes.append(number: degrees) }
        bytes.append(centreZoom)
        for degrees in centre { bytes.append(number: degrees) }
        return bytes
    }

    /// Nil for bytes that are no header of this version.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount, Array(bytes.prefix(Self.magic.count)) == Self.magic else { return nil }
        var rest = bytes.dropFirst(Self.magic.count)
        func take<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
            let taken = rest.prefix(Number.bitWidth / 8)
            rest.removeFirst(taken.count)
            return taken.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        }
        func part() -> Part { Part(offset: take(UInt64.self), length: take(UInt64.self)) }
        (root, metadata, leaves, data) = (part(), part(), part(), part())
        (tileCount, entryCount, contentCount) = (take(UInt64.self), take(UInt64.self), take(UInt64.self))
        isClustered = take(UInt8.self) != 0
        (directoryCompression, tileCompression, tileType) = (take(UInt8.self), take(UInt8.self), take(UInt8.self))
        (minimumZoom, maximumZoom) = (take(UInt8.self), take(UInt8.self))
        box = (0..<4).map { _ in take(Int32.self) }
        centreZoom = take(UInt8.self)
        centre = (0..<2).map { _ in take(Int32.self) }
    }
}
