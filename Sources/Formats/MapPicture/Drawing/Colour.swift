/// A colour by day, and by night.
struct Colour: Equatable, Sendable {
    let day: Shade
    let night: Shade

    /// 0xRRGGBB.
    /// - Parameter night: the same as by day when it is not given.
    init(_ day: UInt32, alpha: Double = 1, night: UInt32? = nil, nightAlpha: Double? = nil) {
        self.day = Shade(day, alpha: alpha)
        self.night = Shade(night ?? day, alpha: nightAlpha ?? alpha)
    }
}

/// What a pixel may be, its parts from 0 to 1.
struct Shade: Equatable, Sendable {
    let red: Double
    let green: Double
    let blue: Double
    let alpha: Double

    /// 0xRRGGBB.
    init(_ hex: UInt32, alpha: Double = 1) {
        red = Double(hex >> 16 & 255) / 255
        green = Double(hex >> 8 & 255) / 255
        blue = Double(hex & 255) / 255
        self.alpha = alpha
    }
}

/// The colours of the web's map (Web/styles/base.css): an atlas on warm paper by day, a lit chart by night.
enum Palette {
    static let sea = Colour(0xc5dade, night: 0x0d1a22)
    /// Lines of water along a coast, the nearest first, with their widths in points.
    static let shoals: [(width: Double, colour: Colour)] = [
        (18, Colour(0xbcd5da, night: 0x0f212a)), (10, Colour(0xb2d0d5, night: 0x122933)),
        (4, Colour(0xa6c7ce, night: 0x173540)),
    ]
    static let coast = Colour(0x86adb5, night: 0x2f5560)
    static let graticule = Colour(0x3c6e78, alpha: 0.14, night: 0x8cbec8, nightAlpha: 0.09)
    static let land = Colour(0xf6f0e4, night: 0x1b262c)
    static let border = Colour(0xb5a08a, night: 0x46535a)
    static let borderBand = Colour(0xd9c3a4, alpha: 0.32, night: 0x46535a, nightAlpha: 0.28)
    static let park = Colour(0xd6e2bd, night: 0x1d2f28)
    static let wood = Colour(0xcad9ae, night: 0x1a2b23)
    static let pitch = Colour(0xc9dcb4, night: 0x22382d)
    static let sand = Colour(0xf1e5c4, night: 0x312f27)
    static let building = Colour(0xeae0cf, night: 0x243038)
    static let buildingEdge = Colour(0xdccfb9, night: 0x2d3a42)
    static let square = Colour(0xf9f3e6, night: 0x29353c)
    static let street = Colour(0xfffdf9, night: 0x2f3c44)
    static let casing = Colour(0xe3d7c3, night: 0x141d22)
    static let pedestrian = Colour(0xf9f3e6, night: 0x29353c)
    static let mainStreet = Colour(0xfbe2ad, night: 0x4d4a3d)
    static let mainCasing = Colour(0xe3c386, night: 0x151c20)
    static let path = Colour(0xcdbfa8, night: 0x3a474e)
    static let tram = Colour(0xc3b5a3, night: 0x3e4a50)
    static let rail = Colour(0xb6aa9b, night: 0x44525a)

    static let country = Colour(0xa08f78, night: 0x6f7f86)
    static let town = Colour(0x4a4237, night: 0xcfc8b8)
    static let parkName = Colour(0x5d7748, night: 0x7da184)
    static let streetName = Colour(0x6d604d, night: 0xa9aca4)
    static let halo = Colour(0xfaf5ea, alpha: 0.88, night: 0x121b21)

    static let ink = Colour(0x3d4c52, night: 0xefe9dc)
    static let veil = Colour(0xfdfaf3, alpha: 0.78, night: 0x141d23)
    static let paper = Colour(0xfdfaf3, night: 0x141d23)
    static let streetHalo = Colour(0xfffdf9, alpha: 0.9, night: 0x182228)

    static func pin(_ tint: PinTint) -> Colour {
        switch tint {
        case .red: Colour(0xc43a2b, night: 0xff7a6b)
        case .purple: Colour(0x7545b0, night: 0xb795f5)
        case .green: Colour(0x23794a, night: 0x58c98a)
        case .grey: Colour(0x66747a, night: 0x9dabb0)
        }
    }

    /// Those that the table of styles names, by the names that they have on the web's map.
    static let byName = [
        "park": park, "wood": wood, "pitch": pitch, "sand": sand, "street": street, "casing": casing,
        "pedestrian": pedestrian, "main": mainStreet, "maincasing": mainCasing, "path": path, "tram": tram,
        "rail": rail,
    ]

    static func named(_ name: String) -> Colour { byName[name] ?? street }
}
