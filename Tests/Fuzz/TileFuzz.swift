// A libFuzzer target, built by script/fuzz with Sources/Formats/VectorTiles, and protobuf-c and zlib behind it.
//
// The first byte says what an input is: an archive; its root directory, of an archive whose other parts are right; or a
// tile. What must hold: nothing crashes, a tile is given or an error, and what is read of a tile lies in reach of it.
import Compression
import Glibc

private let path = "/dev/shm/waymark-fuzz-\(getpid()).pmtiles"
private let tiles = [0, 1, 5, 21_845, 357_913_941, UInt64.max / 9].compactMap { TileID(number: $0) }

private func readArchive(_ bytes: [UInt8]) {
    guard let output = unsafe fopen(path, "w") else { return }
    unsafe fwrite(bytes, 1, bytes.count, output)
    unsafe fclose(output)
    do throws(PMTilesError) {
        let file = try PMTilesFile(path: path)
        for tile in tiles { if let bytes = try file.tile(tile) { _ = try? TileContent(packed: bytes, at: tile) } }
    } catch {
        guard case .damaged = error else { preconditionFailure("\(error)") }
    }
}

/// An archive with these bytes for a directory, which are also its directories below, and its tiles.
private func archive(_ directory: [UInt8]) -> [UInt8] {
    let packed = Gzip.pack(directory)
    var header = PMTilesHeader()
    let part = PMTilesHeader.Part(offset: UInt64(PMTilesHeader.byteCount), length: UInt64(packed.count))
    (header.root, header.leaves, header.data) = (part, part, part)
    header.maximumZoom = 22
    return header.bytes + packed
}

private func readTile(_ bytes: [UInt8]) {
    guard let tile = TileID(zoom: 14, x: 8_000, y: 5_000) else { return }
    guard let content = try? TileContent(bytes, at: tile) else { return }
    for item in content.items {
        precondition(item.shape.parts.allSatisfy { !$0.isEmpty }, "a part without a point")
        _ = item.shape.clipped(to: tile.box)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzTile(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let content = Array(input.dropFirst())
    switch (input.first ?? 0) % 3 {
    case 0: readArchive(content)
    case 1: readArchive(archive(content))
    default: readTile(content)
    }
    return 0
}
