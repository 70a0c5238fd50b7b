import Testing

@testable import MapPicture

/// The bundled data, read once for all tests, and places that differ much.
enum Samples {
    static let data = freshData
    /// The same, of which nothing has been read.
    static var freshData: MapData {
        let folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return MapData(folder: "/\(folder)/Data/map", towns: "/\(folder)/Data/towns/towns.tsv.gz")
    }
    static let font = Result { try MapFont() }

    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let latitude: Double
        let longitude: Double
        let span: Double
        var testDescription: String { name }

        func view(width: Int = 600, height: Int = 400, scale: Int = 1) -> MapView {
            MapView(
                latitude: latitude, longitude: longitude, span: span, width: width, height: height, scale: scale)
        }
    }

    static let places = [
        Sample(name: "Helsinki", latitude: 60.1712, longitude: 24.9414, span: 0.008),
        Sample(name: "Paris", latitude: 48.8566, longitude: 2.3522, span: 1),
        Sample(name: "Fiji", latitude: -17.2, longitude: 179.9, span: 4),
        Sample(name: "Svalbard", latitude: 78.22, longitude: 15.65, span: 8),
        Sample(name: "South Pole", latitude: -90, longitude: 0, span: 60),
        Sample(name: "mid Pacific", latitude: 2, longitude: -160, span: 100),
        Sample(name: "Tokyo", latitude: 35.68, longitude: 139.76, span: 1),
        Sample(name: "Hormuz", latitude: 26.6, longitude: 56.3, span: 5),
        Sample(name: "Amazon", latitude: -3.13, longitude: -60.02, span: 12),
        Sample(name: "Reykjavik", latitude: 64.146, longitude: -21.94, span: 1),
    ]

    static func picture(_ view: MapView) throws -> MapPicture { try MapPicture(of: view, data, font.get()) }
}
