import Budgets
import Testing

@testable import RPC

@Suite("P41 What is queued for a peer")
struct OutputQueueTests {
    private static func fill(_ queue: inout OutputQueue, to bytes: Int) {
        let payload = bytes - queue.count - FrameHeader.byteCount
        unsafe queue.append(FrameHeader(.message, callID: 1), payloadBytes: payload) { room in
            _ = unsafe room.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }

    @Test("has room for answers up to a quarter of its limit, and stops reading from its peer beyond all of it")
    func limits() {
        var queue = OutputQueue(limit: 100_000, memory: nil)
        let seen = [25_000, 25_100, 100_000, 100_100].map { bytes in
            Self.fill(&queue, to: bytes)
            queue.pay(besides: 0)
            return [queue.hasRoom, queue.isTooLongToRead, queue.isOverdrawn]
        }
        #expect(
            seen == [[true, false, false], [false, false, false], [false, false, false], [false, true, false]])
    }

    @Test("holds no more than eight kilobytes that the budget refuses, and reads nothing from the half of that on")
    func refused() {
        let budget = MemoryBudget(bytes: 1)
        let client = ClientKey("192.0.2.1")
        var queue = OutputQueue(limit: 1 << 20, memory: MemoryAccount(budget, client, .known, .answers))
        let seen = [4_096, 4_200, 8_192, 13_000].map { bytes in
            Self.fill(&queue, to: bytes)
            queue.pay(besides: 0)
            return [queue.hasRoom, queue.isTooLongToRead, queue.isOverdrawn]
        }
        #expect(
            seen == [[true, false, false], [false, true, false], [false, true, false], [false, true, true]])
    }
}
