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

    private init(day: Shade, night: Shade) { (self.day, self.night) = (day, night) }

    /// So much of it, by day and by night.
    func faded(_ alpha: Double) -> Colour {
        alpha == 1 ? self : Colour(day: day.faded(alpha), night: night.faded(alpha))
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

    private init(_ red: Double, _ green: Double, _ blue: Double, alpha: Double) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    func faded(_ share: Double) -> Shade { Shade(red, green, blue, alpha: alpha * share) }
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
    static let building = Colour(0xeae0cf, night: 0x243038)
    static let buildingEdge = Colour(0xdccfb9, night: 0x2d3a42)
    static let square = Colour(0xf9f3e6, night: 0x29353c)

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

    static let disc = Colour(0xfffdf9, night: 0x1c272e)
    static let buildingName = Colour(0x8d7b62, night: 0x8b959a)
    static let number = Colour(0x9a8a72, night: 0x7d878a)
    static let arrow = Colour(0xa0907a, night: 0x6d7b82)
    static let shield = Colour(0xfffdf6, night: 0x26323a)
    static let shieldInk = Colour(0x4a4237, night: 0xd8d3c6)
    static let shieldEdge = Colour(0xb9a888, night: 0x4b5961)
    static let mainShield = Colour(0x3f6f93, night: 0x2f5a79)
    static let mainShieldInk = Colour(0xffffff, night: 0xe9f1f6)

    /// Those that the table of styles names for marks.
    static let marks = [
        "peak": Colour(0x8a6a48, night: 0xc2a27c),
        "care": Colour(0xb3403f, night: 0xef8f88),
        "stay": Colour(0x5d5aa6, night: 0xa9a6ee),
        "food": Colour(0xb5661c, night: 0xeaa35c),
        "culture": Colour(0x8a4a7d, night: 0xd596c6),
        "green": Colour(0x48783a, night: 0x93c47d),
        "travel": Colour(0x356f9a, night: 0x7fb8e0),
        "shop": Colour(0xa8503f, night: 0xec9483),
        "other": Colour(0x6b7479, night: 0xa3adb1),
    ]

    static func mark(_ name: String) -> Colour { marks[name] ?? town }

    /// Those that the table of styles names, by the names that they have on the web's map.
    static let byName = [
        "park": Colour(0xd6e2bd, night: 0x1d2f28),
        "wood": Colour(0xcad9ae, night: 0x1a2b23),
        "grass": Colour(0xe1e8c8, night: 0x1e2e28),
        "pitch": Colour(0xc9dcb4, night: 0x22382d),
        "sand": Colour(0xf1e5c4, night: 0x312f27),
        "farm": Colour(0xf1ead2, night: 0x20292a),
        "residential": Colour(0xefe8da, night: 0x1f2a31),
        "industrial": Colour(0xe9e4dd, night: 0x222b32),
        "campus": Colour(0xf3e6d3, night: 0x25292c),
        "airfield": Colour(0xe8e6e1, night: 0x212c32),
        "parking": Colour(0xe2ddd4, night: 0x29343b),
        "rock": Colour(0xe4dfd6, night: 0x262e33),
        "glacier": Colour(0xe6f0f2, night: 0x22343c),
        "wetland": Colour(0xdbe5d2, night: 0x1a2d2b),
        "cemetery": Colour(0xccdabd, night: 0x1f3029),
        "street": Colour(0xffffff, night: 0x37454e),
        "casing": Colour(0xd5c6ad, night: 0x10181d),
        "pedestrian": Colour(0xf9f3e6, night: 0x29353c),
        "second": Colour(0xfdf0cb, night: 0x454538),
        "secondcasing": Colour(0xdcc693, night: 0x141b1f),
        "main": Colour(0xfbe2ad, night: 0x4d4a3d),
        "maincasing": Colour(0xe3c386, night: 0x151c20),
        "trunk": Colour(0xf8cd92, night: 0x66543a),
        "trunkcasing": Colour(0xcf9f5e, night: 0x171713),
        "motorway": Colour(0xf0b06c, night: 0x7c5f3c),
        "motorwaycasing": Colour(0xbf8142, night: 0x191611),
        "path": Colour(0xcdbfa8, night: 0x3a474e),
        "cycle": Colour(0x8fae9b, night: 0x48645a),
        "tram": Colour(0xc3b5a3, night: 0x3e4a50),
        "rail": Colour(0xb6aa9b, night: 0x44525a),
        "ferry": Colour(0x5f93a3, night: 0x3f6f7d),
    ]

    static func named(_ name: String) -> Colour { byName[name] ?? land }
}
