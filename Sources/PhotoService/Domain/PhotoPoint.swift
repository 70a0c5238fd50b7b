import Geo

/// A photo and where it was taken. It sorts by its id.
struct PhotoPoint: Comparable, Sendable {
    let id: PhotoID
    let position: Coordinate

    static func < (left: PhotoPoint, right: PhotoPoint) -> Bool { left.id < right.id }
    static func == (left: PhotoPoint, right: PhotoPoint) -> Bool { left.id == right.id }
}
