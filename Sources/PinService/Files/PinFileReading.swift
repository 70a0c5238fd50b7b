import FeatureFiles
import PinFiles
import RPC
import Synchronization

/// A file of pins as it is read by threads for such work, one part after the other.
final class PinFileReading: Sendable {
    private static let mostBytes = 4 << 20

    private let file: Mutex<PinFile>

    /// Blocks.
    init(path: String, name: String) throws(SourceError) { file = Mutex(try PinFile(path: path, name: name)) }

    /// The next items, at most so many and no more than fit into some memory; none only at the end. Blocks.
    func next(_ most: Int) throws(SourceError) -> [PinFileItem] {
        try file.withLock { file throws(SourceError) in
            var items: [PinFileItem] = []
            var bytes = 0
            while items.count < most, bytes < Self.mostBytes, let item = try file.next() {
                if case .pin(let pin) = item.content { bytes += pin.textBytes }
                items.append(item)
            }
            return items
        }
    }
}

extension PinRecord {
    fileprivate var textBytes: Int { lists.reduce(name.utf8.count + note.utf8.count) { $0 + $1.name.utf8.count } }
}

/// A file of pins as it is written.
final class PinFileWriting: Sendable {
    private let writer: Mutex<PinFileWriter>

    init(_ format: PinFormat) { writer = Mutex(PinFileWriter(format)) }

    func begin() -> [UInt8] { writer.withLock { $0.begin() } }
    func add(_ pins: [PinRecord]) -> [UInt8] { writer.withLock { $0.add(pins) } }
    func end() -> [UInt8] { writer.withLock { $0.end() } }
}
