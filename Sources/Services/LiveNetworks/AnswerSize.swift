/// How much an answer in JSON holds. A decoder makes up to some 250 bytes of each value, however short it is written:
/// 32 MiB of `{},` would be two gigabytes.
enum AnswerSize {
    /// The longest answers that networks give have some 100,000: 2,000 ways with their nodes and tags.
    static let maximumValues = 300_000

    /// Whether a text has at most so many values, keys of objects among them. It need not be JSON.
    static func isDecodable(_ body: [UInt8], maximumValues: Int = maximumValues) -> Bool {
        var (count, isInString, isEscaped) = (0, false, false)
        for byte in body {
            if isEscaped {
                isEscaped = false
            } else if isInString {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                // Each value but the first follows one of these.
                case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"):
                    count += 1
                    if count > maximumValues { return false }
                default: break
                }
            }
        }
        return true
    }
}
