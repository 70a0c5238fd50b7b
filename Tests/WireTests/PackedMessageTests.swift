import TestProtos
import Testing
import Wire

@Suite("A message about to be packed")
struct PackedMessageTests {
    private let message = EchoRequest(payload: Array(0..<32), delay: DurationMessage(seconds: 1, nanos: 5))

    @Test("tells its size first and then fills exactly that much")
    func size() {
        var room = [UInt8](repeating: 0xee, count: 64)
        let count = message.withPacked { packed in
            #expect(packed.byteCount == message.packedBytes().count)
            return room.withUnsafeMutableBytes { packed.write(to: $0) }
        }
        #expect(Array(room[..<count]) == message.packedBytes())
        #expect(room[count...].allSatisfy { $0 == 0xee })
    }

    @Test("may be packed while another is")
    func nested() throws {
        let outer = message.withPacked { packed in
            let inner = Call(method: "m", request: message.packedBytes())
            #expect((try? Call(packed: inner.packedBytes())) == inner)
            return packed.bytes(in: .ofThread)
        }
        #expect(try EchoRequest(packed: outer) == message)
    }

    @Test("passes on what is thrown while it is lent")
    func throwing() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) { try message.withPacked { _ in throw Stop() } }
        #expect(try EchoRequest(packed: message.packedBytes()) == message)
    }

    @Test("is the same as ready-packed bytes")
    func ready() throws {
        let packed = Packed(message)
        #expect(packed.bytes == message.packedBytes())
        #expect(try packed.unpacked() == message)
        #expect(throws: WireError.self) { try Packed<Call>(bytes: [0xff]).unpacked() }
    }

    @Test("outgrows the thread's block and comes back", arguments: [1000, 100_000, 3_000_000])
    func large(byteCount: Int) throws {
        let large = EchoRequest(payload: [UInt8](repeating: 5, count: byteCount))
        #expect(try EchoRequest(packed: large.packedBytes()) == large)
        #expect(try EchoRequest(packed: message.packedBytes()) == message)
    }

    @Test("is read from a part of an array too")
    func slice() throws {
        let framed = [9, 9] + message.packedBytes() + [9]
        #expect(try EchoRequest(packed: framed[2..<framed.count - 1]) == message)
    }
}
