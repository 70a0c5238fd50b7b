/// A colour, its parts from 0 to 1.
struct Colour: Equatable, Sendable {
    let red: Double
    let green: Double
    let blue: Double
    var alpha = 1.0

    /// 0xRRGGBB.
    init(_ hex: UInt32, alpha: Double = 1) {
        red = Double(hex >> 16 & 255) / 255
        green = Double(hex >> 8 & 255) / 255
        blue = Double(hex & 255) / 255
        self.alpha = alpha
    }
}

/// The colours of the web's map by day (Web/styles/base.css): an atlas on warm paper.
enum Palette {
    static let sea = Colour(0xc5dade)
    /// Lines of water along a coast, the nearest first, with their widths in points.
    static let shoals: [(width: Double, colour: Colour)] = [
        (18, Colour(0xbcd5da)), (10, Colour(0xb2d0d5)), (4, Colour(0xa6c7ce)),
    ]
    static let coast = Colour(0x86adb5)
    static let graticule = Colour(0x3c6e78, alpha: 0.14)
    static let land = Colour(0xf6f0e4)
    static let border = Colour(0xb5a08a)
    static let borderBand = Colour(0xd9c3a4, alpha: 0.32)
    static let park = Colour(0xd6e2bd)
    static let wood = Colour(0xcad9ae)
    static let pitch = Colour(0xc9dcb4)
    static let sand = Colour(0xf1e5c4)
    static let building = Colour(0xeae0cf)
    static let buildingEdge = Colour(0xdccfb9)
    static let square = Colour(0xf9f3e6)
    static let street = Colour(0xfffdf9)
    static let casing = Colour(0xe3d7c3)
    static let pedestrian = Colour(0xf9f3e6)
    static let mainStreet = Colour(0xfbe2ad)
    static let mainCasing = Colour(0xe3c386)
    static let path = Colour(0xcdbfa8)
    static let tram = Colour(0xc3b5a3)
    static let rail = Colour(0xb6aa9b)

    static let country = Colour(0xa08f78)
    static let town = Colour(0x4a4237)
    static let parkName = Colour(0x5d7748)
    static let streetName = Colour(0x6d604d)
    static let halo = Colour(0xfaf5ea, alpha: 0.88)

    static let ink = Colour(0x3d4c52)
    static let veil = Colour(0xfdfaf3, alpha: 0.78)
    static let paper = Colour(0xfdfaf3)
    static let pin = Colour(0xc43a2b)

    /// Those that the table of styles names, by the names that they have on the web's map.
    static let byName = [
        "park": park, "wood": wood, "pitch": pitch, "sand": sand, "street": street, "casing": casing,
        "pedestrian": pedestrian, "main": mainStreet, "maincasing": mainCasing, "path": path, "tram": tram,
        "rail": rail,
    ]

    static func named(_ name: String) -> Colour { byName[name] ?? street }
}
