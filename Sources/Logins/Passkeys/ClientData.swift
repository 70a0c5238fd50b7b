internal import Bytes
internal import JSONStream

/// What the browser says of the page that asked (WebAuthn, section 5.8.1).
enum ClientData {
    static let longest = 16 << 10

    /// Checks the bytes, in the order of sections 7.1 and 7.2.
    static func check(
        _ json: [UInt8], type: String, challenge: [UInt8], origins: [String]
    ) throws(PasskeyError) {
        guard json.count <= longest else { throw .clientData("\(json.count) bytes are not allowed") }
        let value: JSONValue
        do { value = try JSONValue(reading: json) } catch { throw .clientData("it is no JSON: \(error)") }
        guard let members = value.object else { throw .clientData("it is no object of JSON") }
        guard members["type"]?.isString(type) ?? false else { throw .type(members["type"]?.string) }
        // Of nothing, everyone knows the text.
        guard !challenge.isEmpty, members["challenge"]?.isString(Base64URL.encode(challenge)) ?? false else {
            throw .challenge
        }
        guard let origin = members["origin"], origins.contains(where: origin.isString) else {
            throw .origin(members["origin"]?.string)
        }
        guard (members["crossOrigin"] ?? .literal(.no)) == .literal(.no), members["topOrigin"] == nil else {
            throw .crossOrigin
        }
    }
}
