import FoundationEssentials

/// JSON that is built up, to be encoded.
indirect enum JSONTree: Encodable, Sendable {
    case object([String: JSONTree])
    case list([JSONTree])
    case text(String)
    /// One that Int64 or UInt64 has.
    case number(Int128)
    case real(Double)
    case flag(Bool)

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .object(let members): try value.encode(members)
        case .list(let elements): try value.encode(elements)
        case .text(let text): try value.encode(text)
        case .number(let number):
            if let number = Int64(exactly: number) {
                try value.encode(number)
            } else {
                try value.encode(UInt64(clamping: number))
            }
        case .real(let number): try value.encode(number)
        case .flag(let flag): try value.encode(flag)
        }
    }
}

extension StaticFiles.File {
    /// A file with the JSON of a value that can always be encoded.
    init(json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { preconditionFailure("strings can always be encoded") }
        self.init(type: "application/json", bytes: Array(data))
    }
}
