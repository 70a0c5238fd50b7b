import TestTools
import Testing

@testable import MapPicture

@Suite("P29 a picture of the map")
struct MapPictureTests {
    private static let land: UInt32 = 0xf6f0e4
    private static let sea: UInt32 = 0xc5dade
    private static let green: UInt32 = 0x23794a

    private func picture(
        _ latitude: Double, _ longitude: Double, span: Double = 1, width: Int = 300, height: Int = 200, scale: Int = 1
    ) throws -> MapPicture {
        try Samples.picture(
            MapView(
                latitude: latitude, longitude: longitude, span: span, width: width, height: height, scale: scale))
    }

    @Test("is the same bytes each time, whatever was drawn before and with data that was read again")
    func same() throws {
        for place in Samples.places.prefix(4) {
            let again = try MapPicture(of: place.view(), Samples.freshData, MapFont())
            #expect(try Samples.picture(place.view()).png == again.png, "\(place.name)")
        }
    }

    @Test("has as many pixels as asked for, with a pin whose tip is in the middle", arguments: [1, 2])
    func pin(scale: Int) throws {
        for (width, height) in [(300, 200), (64, 64), (65, 333), (1024, 64)] {
            let pixels = try Pixels(png: picture(48.8566, 2.3522, width: width, height: height, scale: scale).png)
            #expect(pixels.width == width * scale && pixels.height == height * scale)
            let (x, y) = (width * scale / 2, height * scale / 2 - 8 * scale)
            #expect(pixels.colour(x, y) == Self.green, "\(width)×\(height)")
            #expect(pixels.colour(x, y - 18 * scale) == 0xfdfaf3, "\(width)×\(height)")
        }
    }

    @Test("has no pin where none is wanted, and says where a position is in it")
    func places() throws {
        let view = MapView(
            latitude: 48.8566, longitude: 2.3522, span: 1, width: 300, height: 200, scale: 1, pin: nil)
        let pixels = try Pixels(png: Samples.picture(view).png)
        #expect(pixels.colour(150, 92) != Self.green)
        let (middle, north) = (
            view.place(latitude: 48.8566, longitude: 2.3522), view.place(latitude: 49.3566, longitude: 2.3522)
        )
        #expect(abs(middle.x - 0.5) < 1e-9 && abs(middle.y - 0.5) < 1e-9)
        #expect(abs(north.x - 0.5) < 1e-9 && abs(north.y) < 1e-3, "half a degree is half of the shorter side")
    }

    @Test("is in the colours of the night as well, its pin in that of its state")
    func night() throws {
        func colours(_ tint: PinTint, isDark: Bool) throws -> (pin: UInt32, land: UInt32) {
            let view = MapView(
                latitude: 48.8566, longitude: 2.3522, span: 0.01, width: 300, height: 200, scale: 1, pin: tint,
                isDark: isDark)
            let pixels = try Pixels(png: Samples.picture(view).png)
            return (pixels.colour(150, 92), pixels.colour(40, 30))
        }
        let tints: [(PinTint, UInt32, UInt32)] = [
            (.red, 0xc43a2b, 0xff7a6b), (.purple, 0x7545b0, 0xb795f5), (.green, 0x23794a, 0x58c98a),
            (.grey, 0x66747a, 0x9dabb0),
        ]
        for (tint, day, night) in tints {
            #expect(try colours(tint, isDark: false) == (day, Self.land))
            #expect(try colours(tint, isDark: true) == (night, 0x1b262c))
        }
    }

    @Test("shows the land on both sides of the antimeridian")
    func antimeridian() throws {
        // Fiji's islands lie on both sides of it; so do Chukotka and Wrangel Island.
        for (latitude, longitude, span) in [(-16.8, 180.0, 2.0), (-16.8, -180, 2), (68, 180, 8), (68, 179.99, 20)] {
            let pixels = try Pixels(png: picture(latitude, longitude, span: span).png)
            for columns in [0..<150, 150..<300] {
                #expect(pixels.count(Self.land, columns: columns) > 40, "\(latitude) \(longitude)")
            }
        }
        #expect(try picture(-17.2, 180, span: 4).png == picture(-17.2, -180, span: 4).png)
    }

    @Test("has no seam at the antimeridian where it crosses land")
    func seam() throws {
        let pixels = try Pixels(png: picture(67.5, 180, span: 1).png)
        for x in 130..<170 where pixels.colour(x, 15) != Self.land {
            // The meridian itself is drawn, as a faint line.
            #expect(abs(x - 150) <= 1, "\(x)")
        }
    }

    @Test("is right at the poles and near them", arguments: [90, 89.9, -89.9, -90, -85.05, -84.9])
    func poles(latitude: Double) throws {
        for longitude in [0.0, 137, -180] {
            let pixels = try Pixels(png: picture(latitude, longitude, span: 2).png)
            let colour = latitude > 0 ? Self.sea : Self.land
            #expect(pixels.count(colour, columns: 0..<300) > 40_000, "\(latitude) \(longitude)")
        }
    }

    @Test("shows fjords and lakes that are a kilometre wide, and skerries")
    func shores() throws {
        func middle(_ latitude: Double, _ longitude: Double) throws -> UInt32 {
            let view = MapView(
                latitude: latitude, longitude: longitude, span: 0.1, width: 300, height: 200, scale: 1, pin: nil)
            return try Pixels(png: Samples.picture(view).png).colour(150, 100)
        }
        #expect(try middle(59.782, 21.372) == Self.land, "Utö")
        #expect(try middle(57.3, -4.45) != Self.land, "Loch Ness")
        #expect(try middle(59, 6.28) != Self.land, "the Lysefjord")
    }

    @Test("shows half the globe, the other half's land nowhere")
    func half() throws {
        // New Zealand, opposite to Spain: the continent there surrounds the picture.
        let pixels = try Pixels(png: picture(-41, 174, span: 180, width: 300, height: 300).png)
        let (land, sea) = (pixels.count(Self.land, columns: 0..<300), pixels.count(Self.sea, columns: 0..<300))
        #expect(land > 8_000 && sea > 30_000, "\(land) \(sea)")
        let spain = try Pixels(png: picture(41, -4, span: 180, width: 300, height: 300).png)
        #expect(spain.count(Self.land, columns: 0..<300) > 2 * land - 4_000)
    }

    @Test("closer than all data is only paper and a pin, and no other size breaks it")
    func close() throws {
        for (span, width, height) in [(0.001, 1024, 64), (0.001, 64, 1024), (180, 1024, 1024), (179.9, 64, 1024)] {
            for (latitude, longitude) in [(0.0, 0.0), (60.17, 24.94), (90, 12), (-90, -180)] {
                let drawn = try picture(latitude, longitude, span: span, width: width, height: height)
                #expect(drawn.png.count > 100)
            }
        }
    }

    @Test("says so when there is no map, no font, or something else in its place")
    func missing() throws {
        let folder = TemporaryFolder()
        let view = Samples.places[1].view()
        let nothing = MapData(folder: folder.path, towns: nil)
        #expect(throws: MapProblem.self) { try MapPicture(of: view, nothing, MapFont()) }
        try folder.write("{\"sets\":[]}", to: "index.json")
        #expect(throws: Never.self) { try MapPicture(of: view, nothing, MapFont()) }
        try folder.write("no font", to: "font.ttf")
        #expect(throws: MapProblem.noFont("\(folder.path)/font.ttf")) { try MapFont(path: "\(folder.path)/font.ttf") }
        #expect(throws: MapProblem.self) { try MapFont(path: "\(folder.path)/none.ttf") }
    }
}
