import Wire
import WireJSON

/// Messages as JSON (the canonical mapping of proto3), by the descriptors built in.
enum Schemas {
    static let wireJSON = WireJSON()

    /// The JSON of a message, on one line, its members by name.
    static func json<Message: WireMessage>(_ message: Message) throws(WireJSONError) -> String {
        try json(packed: message.packedBytes(), of: Message.protoName)
    }

    /// The JSON of packed bytes.
    static func json(packed: [UInt8], of name: String, pretty: Bool = false) throws(WireJSONError) -> String {
        let bytes = try wireJSON.json(packed: packed, of: name, options: pretty ? [.pretty, .sorted] : .sorted)
        return String(decoding: bytes, as: UTF8.self)
    }
}
