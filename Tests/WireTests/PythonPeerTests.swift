import TestProtos
import TestTools
import Testing
import Wire

@Suite("Against PyPI's protobuf", .enabled(if: PythonPeer.isAvailable, "python3 is not installed"))
struct PythonPeerTests {
    @Test("random messages of ours are read there and come back the same")
    func ours() throws {
        var random = SeededGenerator(seed: 4)
        let messages = (0..<500).map { _ in Every.random(&random) }
        let answers = try PythonPeer().exchange(messages.map { ($0.packedBytes(), "{}") })
        #expect(answers.count == messages.count)
        for (message, answer) in zip(messages, answers) {
            #expect(try Every(packed: answer.packed) == message)
            #expect(answer.packed == message.packedBytes())
        }
    }

    @Test("random messages from there are read here and packed to the same bytes")
    func theirs() throws {
        let messages = try PythonPeer().generate(seed: 5, count: 500)
        #expect(messages.count == 500)
        for message in messages {
            #expect(try Every(packed: message.packed).packedBytes() == message.packed)
        }
    }
}
