import ProtoSchema
import TestProtos
import TestTools
import Testing
import Wire
import WireJSON

@Suite("JSON against PyPI's protobuf", .enabled(if: PythonPeer.isAvailable, "python3 is not installed"))
struct JSONPeerTests {
    private let json = WireJSON.ofTests

    @Test("random messages: our JSON is read there, and JSON from there is read here")
    func ours() throws {
        var random = SeededGenerator(seed: 6)
        let messages = (0..<400).map { _ in Every.random(&random) }
        let lines = try messages.map { message in
            let packed = message.packedBytes()
            return (packed, String(decoding: try json.json(packed: packed, of: Every.protoName), as: UTF8.self))
        }
        let answers = try PythonPeer().exchange(lines)
        #expect(answers.count == messages.count)
        for (message, answer) in zip(messages, answers) {
            #expect(try Every(packed: answer.packedFromJSON) == message)
            #expect(try Every(packed: json.pack(json: Array(answer.json.utf8), as: Every.protoName)) == message)
        }
    }

    @Test("random messages from there: JSON is read to the same bytes")
    func theirs() throws {
        let messages = try PythonPeer().generate(seed: 7, count: 400)
        #expect(messages.count == 400)
        for message in messages {
            #expect(try json.pack(json: Array(message.json.utf8), as: Every.protoName) == message.packed)
        }
    }
}

extension WireJSON {
    /// For the messages that only tests use.
    static let ofTests: WireJSON = {
        do {
            let schema = try unsafe Schema(fileDescriptorSet: TestDescriptors.fileDescriptorSet)
            return WireJSON(schema) { TestDescriptors.layout($0) }
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    func pack(_ text: String) throws(WireJSONError) -> Every {
        do {
            return try Every(packed: pack(json: Array(text.utf8), as: Every.protoName))
        } catch let error as WireJSONError {
            throw error
        } catch {
            preconditionFailure("\(error)")
        }
    }

    func text(_ message: Every, _ options: WireJSONOptions = [.sorted]) throws(WireJSONError) -> String {
        String(decoding: try json(packed: message.packedBytes(), of: Every.protoName, options: options), as: UTF8.self)
    }
}
