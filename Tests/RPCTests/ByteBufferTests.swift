import RPC
import TestSupport
import TestTools
import Testing

@Suite("Byte buffer", .timeLimit(.minutes(3)))
struct ByteBufferTests {
    private func content(_ buffer: borrowing ByteBuffer) -> [UInt8] { unsafe buffer.withBytes { unsafe Array($0) } }

    @Test("does what an array does, through 20,000 random steps")
    func model() {
        var random = SeededGenerator(seed: 4)
        var buffer = ByteBuffer()
        var model: [UInt8] = []
        for step in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                unsafe bytes.withUnsafeBytes { unsafe buffer.append($0) }
                model += bytes
            case 5..<9:
                let count = Int.random(in: 0...min(model.count, 300), using: &random)
                buffer.consume(count)
                model.removeFirst(count)
            default:
                buffer.consume(model.count)
                model = []
                buffer.shrink(toAtMost: 256)
                #expect(buffer.capacity <= 256)
            }
            if content(buffer) != model { Issue.record("differs after step \(step)") }
            #expect(buffer.count == model.count)
            #expect(buffer.isEmpty == model.isEmpty)
        }
    }

    @Test("reuses its memory: a steady trickle does not grow it")
    func steady() {
        var buffer = ByteBuffer()
        let bytes = [UInt8](repeating: 5, count: 100)
        for _ in 0..<3 { unsafe bytes.withUnsafeBytes { unsafe buffer.append($0) } }
        for _ in 0..<10_000 {
            unsafe bytes.withUnsafeBytes { unsafe buffer.append($0) }
            buffer.consume(100)
        }
        #expect(buffer.count == 300)
        #expect(buffer.capacity <= 2048)
    }

    @Test("keeps its memory when it is not empty or not large")
    func shrinking() {
        var buffer = ByteBuffer()
        let bytes = [UInt8](repeating: 5, count: 1000)
        unsafe bytes.withUnsafeBytes { unsafe buffer.append($0) }
        buffer.shrink(toAtMost: 0)
        #expect(content(buffer) == bytes)
        buffer.consume(1000)
        buffer.shrink(toAtMost: 1 << 20)
        #expect(buffer.capacity >= 1000)
        buffer.shrink(toAtMost: 100)
        #expect(buffer.capacity == 0)
    }
}
