/// How far a reader of someone's file goes at one go, and whether anyone still waits for it.
///
/// Every reader takes its bytes from a source that asks here, whatever they hold and also when nothing comes of them:
/// so no file, however little of it is of use, keeps a thread for longer than a turn takes, or after its end. A reader
/// that is paused has taken nothing, and goes on where it was when it is asked again.
package final class ReadingTurn {
    /// Bytes that are read before a file's first part is known: its header, and what tells its kind.
    private static let maximumAtBeginning = 16 << 20

    private let bytesOfTurn: Int
    private let isStopped: () -> Bool
    private var left: Int
    private var isBeginning = false

    /// - Parameters:
    ///   - bytes: how many are read in a turn; by default a file is one turn.
    ///   - isStopped: whether its caller has stopped waiting.
    package init(bytes: Int = .max, isStopped: @escaping () -> Bool = { false }) {
        bytesOfTurn = bytes
        left = bytes
        self.isStopped = isStopped
    }

    /// The next turn begins.
    package func begin() { left = bytesOfTurn }

    /// Runs what can't go on where it was: it is not paused, and so has a limit of its own.
    package func unpaused<R: ~Copyable>(_ body: () throws(SourceError) -> R) throws(SourceError) -> R {
        let before = left
        (isBeginning, left) = (true, Self.maximumAtBeginning)
        defer { (isBeginning, left) = (false, before - (Self.maximumAtBeginning - left)) }
        return try body()
    }

    /// Within what is no longer than a turn, or can't go on where it was: throws only when all of it is over.
    package func checkStopped() throws(SourceError) { if isStopped() { throw .stopped } }

    /// Before bytes are read: throws when the turn is over, or all of it.
    package func check() throws(SourceError) {
        try checkStopped()
        guard left <= 0 else { return }
        if isBeginning { throw .bad("it has nothing that can be read in its first \(Self.maximumAtBeginning) bytes") }
        throw .paused
    }

    /// So many bytes were read.
    package func count(_ bytes: Int) { left -= bytes }
}

/// A source that looks whether its reader's turn is over.
package final class TurnSource: ByteSource {
    private let source: any ByteSource
    private let turn: ReadingTurn

    package init(_ source: any ByteSource, _ turn: ReadingTurn) {
        self.source = source
        self.turn = turn
    }

    package var takenBytes: UInt64 { source.takenBytes }
    package var totalBytes: UInt64 { source.totalBytes }

    package func read(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        try turn.check()
        let count = try unsafe source.read(into: room)
        turn.count(count)
        return count
    }
}
