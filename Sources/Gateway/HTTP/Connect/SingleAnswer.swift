import RPC
import Synchronization

/// Takes the one answer of a unary call.
final class SingleAnswer: AnswerSink {
    private let answer = Mutex<[UInt8]>([])

    var bytes: [UInt8] { answer.withLock { $0 } }

    func write(packed bytes: [UInt8]) async throws { answer.withLock { $0 = bytes } }
}
