import FeatureFiles
import PinFiles
import RPC
import Synchronization

/// A file of pins as it is read by threads for such work, one part after the other.
final class PinFileReading: Sendable {
    private let file: Mutex<PinFile>

    /// Blocks.
    init(path: String) throws(SourceError) { file = Mutex(try PinFile(path: path)) }

    /// The next items, fewer than `most` only at the end. Blocks.
    func next(_ most: Int) throws(SourceError) -> [PinFileItem] {
        try file.withLock { file throws(SourceError) in
            var items: [PinFileItem] = []
            items.reserveCapacity(most)
            while items.count < most, let item = try file.next() { items.append(item) }
            return items
        }
    }
}

/// A file of pins as it is written.
final class PinFileWriting: Sendable {
    private let writer: Mutex<PinFileWriter>

    init(_ format: PinFormat) { writer = Mutex(PinFileWriter(format)) }

    func begin() -> [UInt8] { writer.withLock { $0.begin() } }
    func add(_ pins: [PinRecord]) -> [UInt8] { writer.withLock { $0.add(pins) } }
    func end() -> [UInt8] { writer.withLock { $0.end() } }
}
