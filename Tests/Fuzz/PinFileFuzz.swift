// A libFuzzer target, built by script/fuzz with Sources/Formats/FeatureFiles, ZipFiles and PinFiles.
//
// An input is a file of pins: XML, JSON, a table, an archive. What must hold: nothing crashes, the file gives pins or
// the error of a bad file, and what it gives, pins and tracks, is the same after it was written and read again.
import FeatureFiles
import Glibc
import PinFiles

private let path = "/dev/shm/waymark-fuzz-\(getpid()).pins"

private func write(_ bytes: [UInt8]) {
    guard let output = unsafe fopen(path, "w") else { return }
    unsafe fwrite(bytes, 1, bytes.count, output)
    unsafe fclose(output)
}

private func read() throws(SourceError) -> (pins: [PinRecord], tracks: [TrackRecord]) {
    var limits = PinFileLimits()
    limits.unpackedBytes = 1 << 20
    limits.timelineBytes = 1 << 20
    limits.archiveFiles = 100
    let file = try PinFile(path: path, limits: limits)
    var found: (pins: [PinRecord], tracks: [TrackRecord]) = ([], [])
    while let item = try file.next() {
        switch item.content {
        case .pin(let pin): found.pins.append(pin)
        case .track(let track): found.tracks.append(track)
        default: break
        }
    }
    return found
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPinFile(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    write(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    do throws(SourceError) {
        let (found, tracks) = try read()
        // A note is written several times, for several programs; no pin has one as long.
        guard !found.isEmpty || !tracks.isEmpty,
            found.allSatisfy({ $0.radiusMetres?.isFinite ?? true && $0.note.utf8.count < 20_000 })
        else { return 0 }
        var writer = PinFileWriter(PinFormat.allCases[count % PinFormat.allCases.count])
        write(writer.begin() + writer.add(found) + writer.add(tracks) + writer.end())
        let again = try read()
        precondition(again.pins.map(\.position) == found.map(\.position), "a position was lost")
        precondition(again.tracks.map(\.parts) == tracks.map(\.parts), "a line was lost, a height or a time")
        precondition(again.tracks.map(\.kind) == tracks.map(\.kind), "an area became a line")
    } catch {
        guard case .bad = error else { preconditionFailure("\(error)") }
    }
    return 0
}
