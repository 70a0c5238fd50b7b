// A libFuzzer target, built by script/fuzz with Sources/Formats/FeatureFiles, ZipFiles and PinFiles.
//
// An input is a file of pins: XML, JSON, a table, an archive. What must hold: nothing crashes, the file gives pins or
// the error of a bad file, and what it gives is the same after it was written and read again.
import FeatureFiles
import Glibc
import PinFiles

private let path = "/dev/shm/waymark-fuzz-\(getpid()).pins"

private func write(_ bytes: [UInt8]) {
    guard let output = unsafe fopen(path, "w") else { return }
    unsafe fwrite(bytes, 1, bytes.count, output)
    unsafe fclose(output)
}

private func pins() throws(SourceError) -> [PinRecord] {
    var limits = PinFileLimits()
    limits.unpackedBytes = 1 << 20
    limits.archiveFiles = 100
    let file = try PinFile(path: path, limits: limits)
    var pins: [PinRecord] = []
    while let item = try file.next() {
        if case .pin(let pin) = item.content { pins.append(pin) }
    }
    return pins
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPinFile(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    write(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    do throws(SourceError) {
        let found = try pins()
        // A note is written several times, for several programs; no pin has one as long.
        guard !found.isEmpty, found.allSatisfy({ $0.radiusMetres?.isFinite ?? true && $0.note.utf8.count < 20_000 })
        else { return 0 }
        var writer = PinFileWriter(PinFormat.allCases[count % PinFormat.allCases.count])
        write(writer.begin() + writer.add(found) + writer.end())
        let again = try pins()
        precondition(again.map(\.position) == found.map(\.position), "a position was lost")
    } catch {
        guard case .bad = error else { preconditionFailure("\(error)") }
    }
    return 0
}
