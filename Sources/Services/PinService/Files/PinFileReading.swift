import EventLoops
import FeatureFiles
import Geo
import PinFiles
import RPC
import Synchronization

/// A file of pins as it is read by threads for such work, one part after the other. A part ends after some items, some
/// memory or some bytes of the file: whatever the file holds, a thread is soon free for others.
final class PinFileReading: Sendable {
    /// What was read in one turn.
    struct Part: Sendable {
        var items: [PinFileItem] = []
        /// Whether the file ends here.
        var isLast = false
    }

    private static let maximumBytes = 4 << 20
    /// Bytes of the file, unpacked, that are read in a turn: those of the slowest kind take some tenths of a second.
    private static let bytesOfTurn = 1 << 20

    private struct Reader {
        let path: String
        let name: String
        let turn: ReadingTurn
        /// Nil until the first turn.
        var file: PinFile?

        mutating func opened() throws(SourceError) -> PinFile {
            if let file { return file }
            let opened = try PinFile(path: path, name: name, turn: turn)
            file = opened
            return opened
        }
    }

    private let reader: Mutex<Reader>
    private let end: StopFlag

    init(path: String, name: String) {
        let end = StopFlag()
        self.end = end
        let turn = ReadingTurn(bytes: Self.bytesOfTurn, isStopped: { end.isSet })
        reader = Mutex(Reader(path: path, name: name, turn: turn))
    }

    /// What reads now is not to go on.
    func stop() { end.set() }

    /// The next items, at most so many and no more than fit into some memory; there may be none. Blocks.
    func next(_ most: Int) throws(SourceError) -> Part {
        try reader.withLock { reader throws(SourceError) in
            reader.turn.begin()
            let file = try reader.opened()
            var part = Part()
            var bytes = 0
            do throws(SourceError) {
                while part.items.count < most, bytes < Self.maximumBytes {
                    guard let item = try file.next() else {
                        part.isLast = true
                        break
                    }
                    switch item.content {
                    case .pin(let pin): bytes += pin.textBytes
                    case .track(let track): bytes += track.pointCount * MemoryLayout<ShapePoint>.stride
                    default: break
                    }
                    part.items.append(item)
                }
            } catch .paused {}
            return part
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
    func add(_ tracks: [TrackRecord]) -> [UInt8] { writer.withLock { $0.add(tracks) } }
    func end() -> [UInt8] { writer.withLock { $0.end() } }
}
