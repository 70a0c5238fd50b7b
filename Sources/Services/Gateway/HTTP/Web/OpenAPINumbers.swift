import ProtoSchema

/// Values with a form of their own as JSON Schema.
enum OpenAPINumbers {
    static func real(_ range: FieldRange?) -> [String: JSONTree] {
        let all = -Double(Int32.max)...Double(Int32.max)
        let limits = range.map { $0.minimum...$0.maximum }
        var tree: [String: JSONTree] = [
            "type": .list([.text("number"), .text("string")]),
            // Exponents are read too; with them no pattern tells what is in a range.
            "pattern": .text(NumberPattern.decimal(limits ?? all, places: 17)),
        ]
        describe(range, &tree)
        return tree
    }

    /// Numbers of 32 bits.
    static func whole(
        _ range: FieldRange?, _ all: ClosedRange<Int128>, _ isAsked: Bool, _ format: String
    ) -> [String: JSONTree] {
        var tree = limits(range, all)
        tree["format"] = .text(format)
        tree["type"] = .text("integer")
        guard isAsked else { return tree }
        tree["type"] = .list([.text("integer"), .text("string")])
        tree["pattern"] = .text(NumberPattern.whole(ends(range, all)))
        return tree
    }

    /// Numbers of 64 bits, which answers have as texts.
    static func large(
        _ range: FieldRange?, _ all: ClosedRange<Int128>, _ isAsked: Bool, _ format: String
    ) -> [String: JSONTree] {
        var tree: [String: JSONTree] = isAsked ? limits(range, all) : [:]
        tree["format"] = .text(format)
        tree["type"] = isAsked ? .list([.text("string"), .text("integer")]) : .text("string")
        tree["pattern"] = .text(NumberPattern.whole(ends(range, all)))
        return tree
    }

    /// In the standard alphabet or the one for URLs, with padding or without. Answers have the standard one, padded.
    /// Where bytes are required, there is one at least.
    static func base64(_ length: FieldLength?, isRequired: Bool) -> [String: JSONTree] {
        let pattern = "^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$"
        var tree: [String: JSONTree] = [
            "type": .text("string"), "contentEncoding": .text("base64"), "pattern": .text(pattern),
        ]
        let fewest = max(length?.minimum ?? 0, isRequired ? 1 : 0)
        if fewest > 0 { tree["minLength"] = .number(Int128((fewest * 4 + 2) / 3)) }
        if let most = length?.maximum { tree["maxLength"] = .number(Int128((most + 2) / 3 * 4)) }
        return tree
    }

    /// Without leap seconds, which a Timestamp does not have.
    static let time: [String: JSONTree] = [
        "type": .text("string"), "format": .text("date-time"),
        "pattern": .text(
            #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$"#),
    ]

    /// Seconds: "1.5s".
    static func duration(_ range: FieldRange?) -> [String: JSONTree] {
        let longest = 315_576_000_000.0
        let ends = range.map { $0.minimum...$0.maximum } ?? -longest...longest
        var tree: [String: JSONTree] = [
            "type": .text("string"), "pattern": .text(NumberPattern.decimal(ends, places: 9, behind: "s")),
        ]
        if let whenAbsent = range?.whenAbsent { tree["default"] = .text("\(whenAbsent)s") }
        return tree
    }

    private static func ends(_ range: FieldRange?, _ all: ClosedRange<Int128>) -> ClosedRange<Int128> {
        guard let range else { return all }
        return Int128(range.minimum)...Int128(range.maximum)
    }

    private static func limits(_ range: FieldRange?, _ all: ClosedRange<Int128>) -> [String: JSONTree] {
        var tree: [String: JSONTree] = ["minimum": .number(all.lowerBound), "maximum": .number(all.upperBound)]
        describe(range, &tree)
        return tree
    }

    private static func describe(_ range: FieldRange?, _ tree: inout [String: JSONTree]) {
        guard let range else { return }
        tree["minimum"] = .real(range.minimum)
        tree["maximum"] = .real(range.maximum)
        if let whenAbsent = range.whenAbsent { tree["default"] = .real(whenAbsent) }
    }
}
