/// How a picture has to be turned or mirrored to stand upright (EXIF 2.32, 4.6.5.1.6).
enum Orientation: Int, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case upsideDownMirrored = 4
    case leftMirrored = 5
    /// Turned to the right by a quarter to stand upright; so are most pictures of upright phones.
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// Numbers that mean nothing leave the picture as it is.
    init(exif number: Int) { self = Orientation(rawValue: number) ?? .upright }

    /// Whether width and height change places.
    var isSideways: Bool { rawValue >= 5 }

    /// Where the unit square's point (x, y) comes to be: (xx·x + xy·y + x0, yx·x + yy·y + y0).
    var matrix: (xx: Double, xy: Double, x0: Double, yx: Double, yy: Double, y0: Double) {
        switch self {
        case .upright: (1, 0, 0, 0, 1, 0)
        case .mirrored: (-1, 0, 1, 0, 1, 0)
        case .upsideDown: (-1, 0, 1, 0, -1, 1)
        case .upsideDownMirrored: (1, 0, 0, 0, -1, 1)
        case .leftMirrored: (0, 1, 0, 1, 0, 0)
        case .right: (0, -1, 1, 1, 0, 0)
        case .rightMirrored: (0, -1, 1, -1, 0, 1)
        case .left: (0, 1, 0, -1, 0, 1)
        }
    }
}
