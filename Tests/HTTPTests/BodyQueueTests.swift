import Testing

@testable import HTTP

@Suite("P37 the bytes of a stream on their way")
struct BodyQueueTests {
    private func read(_ queue: inout BodyQueue, _ count: Int) -> (BodyQueue.Next, [UInt8]) {
        var room = [UInt8](repeating: 0, count: count)
        let next = unsafe room.withUnsafeMutableBytes { unsafe queue.read(into: $0) }
        if case .bytes(let count) = next { return (next, Array(room[..<count])) }
        return (next, [])
    }

    @Test("come out as they went in, whatever is read at once", arguments: [1, 3, 8, 100])
    func order(size: Int) {
        var (queue, out) = (BodyQueue(), [UInt8]())
        for number in 0..<50 {
            queue.append((0..<number).map { UInt8($0) }[...])
            out += read(&queue, size).1
        }
        while queue.count > 0 { out += read(&queue, size).1 }
        #expect(out == (0..<50).flatMap { (0..<$0).map { UInt8($0) } })
        #expect(read(&queue, size).0 == .nothingYet)
        queue.end()
        #expect(read(&queue, size).0 == .end)
    }

    @Test("are told of before the end is; after a failure nothing is")
    func ends() {
        var queue = BodyQueue()
        queue.append([1, 2])
        queue.end()
        #expect(read(&queue, 8).1 == [1, 2])
        #expect(read(&queue, 8).0 == .end)
        queue.append([3])
        queue.fail()
        #expect(queue.count == 0)
        #expect(read(&queue, 8).0 == .failure)
    }

    @Test("take no more room than they need, however small they come", arguments: [1, 100, 5000])
    func room(size: Int) {
        var queue = BodyQueue()
        for _ in 0..<10_000 {
            queue.append([UInt8](repeating: 1, count: size)[...])
            while queue.count > 20_000 { _ = read(&queue, 333) }
        }
        #expect(queue.parts.reduce(0) { $0 + $1.count } < 30_000)
        #expect(queue.parts.count < 20)
    }
}
