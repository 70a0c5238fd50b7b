import Arguments
import ProtoSchema
import WireJSON

extension KnownMethod {
    /// A request in JSON, packed.
    func pack(_ json: [UInt8]) throws -> [UInt8] {
        do {
            return try Schemas.wireJSON.pack(json: json, as: schema.input)
        } catch {
            throw UsageError("the request is no \(schema.input): \(error)")
        }
    }

    /// One request a line; blank lines are passed over.
    func packLines(_ json: [UInt8]) throws -> [[UInt8]] {
        let lines = json.split { $0 == UInt8(ascii: "\n") }
        return try lines.filter { line in line.contains { $0 > UInt8(ascii: " ") } }.map { try pack(Array($0)) }
    }
}
