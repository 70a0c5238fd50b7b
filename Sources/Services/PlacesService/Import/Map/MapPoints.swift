import EventLoops
import PlaceContracts
import Scratch
import VectorTiles

/// Points that are drawn, in a file until it is known where there is data:
///
///     length of all that follows | first zoom level | latitude | longitude | what it is
struct MapPoints {
    private static let headBytes = 4
    private static let placeBytes = 9

    /// Nil without a point.
    private var file: ScratchFile?

    /// Keeps a point.
    /// - Parameter folder: where there is room for the file.
    mutating func keep(
        _ style: MapStyle, _ names: [TileFeature.Property], at point: GridPoint, folder: String
    ) throws(PlacesError) {
        var record: [UInt8] = [UInt8(clamping: style.firstZoom)]
        record.append(number: point.latitude)
        record.append(number: point.longitude)
        style.feature(names: names, zoom: MapLayer.detailZoom).write(to: &record)
        var bytes: [UInt8] = []
        bytes.append(number: UInt32(clamping: record.count))
        do throws(SystemError) {
            if file == nil { file = try ScratchFile(in: folder) }
            try file?.append(bytes + record)
        } catch {
            throw PlacesError(error, "the map")
        }
    }

    /// Gives all of them, and forgets them.
    mutating func take(
        _ body: (WorldPoint, _ firstZoom: Int, TileFeature) throws(PlacesError) -> Void
    ) throws(PlacesError) {
        guard let file else { return }
        do throws(SystemError) { try file.seal() } catch { throw PlacesError(error, "the map") }
        var at = 0
        while at < file.byteCount {
            let end = at + Self.headBytes + Int(UInt32(truncatingIfNeeded: file.word(at: at)))
            at += Self.headBytes
            let place = file.word(at: at + 1)
            let point = GridPoint(
                latitude: Int32(truncatingIfNeeded: place), longitude: Int32(truncatingIfNeeded: place >> 32))
            let record = file.bytes(at..<end)
            var rest = record[Self.placeBytes...]
            if let feature = TileFeature(reading: &rest) { try body(WorldPoint(point), Int(record[0]), feature) }
            at = end
        }
        self.file = nil
    }
}
