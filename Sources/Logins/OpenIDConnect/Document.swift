internal import JSONStream
internal import Refusals

/// An object of JSON that a provider sends.
struct Document {
    let members: [String: JSONValue]

    /// - Parameter name: what it is, for the error.
    init(_ json: [UInt8], _ name: String, longest: Int) throws(Refusal) {
        guard json.count <= longest else {
            throw Refusal(name, json.count, "bytes", allowed: "at most \(longest) are")
        }
        let value: JSONValue
        do {
            value = try JSONValue(reading: json)
        } catch {
            throw Refusal(name, "it is no JSON: \(error)")
        }
        guard let members = value.object else { throw Refusal(name, "it is no object of JSON") }
        self.members = members
    }

    /// A text that has to be there.
    func text(_ name: String) throws(Refusal) -> String {
        guard let text = members[name]?.string, !text.isEmpty else { throw Refusal(missing: name, needed: "a text is") }
        return text
    }
}
