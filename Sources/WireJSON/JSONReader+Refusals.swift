extension JSONReader {
    /// The value at the decoder's path is not one the field may have.
    func invalid(_ decoder: any Decoder, allowed: String) -> WireJSONError {
        invalid(decoder, sentence: "is \(Self.describe(decoder)); allowed: \(allowed)")
    }

    func invalid(_ decoder: any Decoder, sentence: String) -> WireJSONError {
        let path = FieldPath.text(decoder.codingPath)
        return WireJSONError(.invalidValue(path: path), "\(path.isEmpty ? "the message" : path) \(sentence)")
    }

    /// Characters of a string that an error repeats.
    private static let shownCharacters = 80

    private static func describe(_ decoder: any Decoder) -> String {
        guard let value = try? decoder.singleValueContainer() else { return "not a value" }
        if value.decodeNil() { return "null" }
        if let flag = try? value.decode(Bool.self) { return "\(flag)" }
        if let number = try? value.decode(Int64.self) { return "\(number)" }
        if let number = try? value.decode(Double.self) { return "\(number)" }
        if let text = try? value.decode(String.self) {
            return text.count > shownCharacters ? "\"\(text.prefix(shownCharacters))…\"" : "\"\(text)\""
        }
        if (try? decoder.unkeyedContainer()) != nil { return "a list" }
        if (try? decoder.container(keyedBy: MemberKey.self)) != nil { return "an object" }
        return "not valid JSON or out of range"
    }
}
