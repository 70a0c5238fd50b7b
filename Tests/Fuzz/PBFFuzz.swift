// A libFuzzer target, built by script/fuzz with what reads .osm.pbf and draws it in Sources/Services/PlacesService.
//
// An input is a file, or, when its first byte is odd, what a block of elements holds behind a good header. What must
// hold: nothing crashes, and the file gives places and a map, or the error of a bad file; the same places without a
// map.
import BaseContracts
import FeatureFiles
import Glibc
import Wire

private let path = "/dev/shm/waymark-fuzz-\(getpid()).osm.pbf"
private let tiles = path + ".tiles"
private let header = PbfHeader(requiredFeatures: ["OsmSchema-V0.6"]).packedBytes()

private func blob(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let stored = PbfBlob(raw: content).packedBytes()
    let header = PbfBlobHeader(type: type, datasize: Int32(stored.count)).packedBytes()
    return [0, 0, 0, UInt8(header.count)] + header + stored
}

private func places(_ geometry: OSMGeometry, _ map: OSMMap?) throws(PlacesError) -> [String] {
    let source = try PlacesError.reading { () throws(SourceError) in try FileSource(path: path) }
    let relations = OSMRelations(maximumBytes: 1 << 20)
    var rows = OSMRows(source, geometry, largestUpload: 1 << 20, relations: relations, map: map)
    var row = PlaceRow()
    var places: [String] = []
    while let event = try rows.next(&row) {
        if case .row = event { places.append("\(row.id ?? "") \(row.name) \(row.latitude) \(row.longitude)") }
    }
    return places
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPBF(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let isBlock = (input.first ?? 0) % 2 == 1
    let content = Array(input.dropFirst())
    let file = isBlock ? blob("OSMHeader", header) + blob("OSMData", content) : content
    guard let output = unsafe fopen(path, "w") else { return 0 }
    unsafe fwrite(file, 1, file.count, output)
    unsafe fclose(output)
    do throws(PlacesError) {
        let geometry = try OSMGeometry(folder: "/dev/shm")
        let map = OSMMap(geometry, folder: "/dev/shm")
        let found = try places(geometry, map)
        let again = try places(try OSMGeometry(folder: "/dev/shm"), nil)
        precondition(found == again, "a place went elsewhere")
        _ = try map.write(to: tiles, attribution: "") { () throws(PlacesError) in }
    } catch {
        guard case .badFile = error else { preconditionFailure("\(error)") }
    }
    _ = unsafe unlink(tiles)
    return 0
}
