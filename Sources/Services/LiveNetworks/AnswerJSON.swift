internal import FoundationEssentials

/// A list in which an element that can't be decoded is skipped.
package struct LossyList<Element: Decodable & Sendable>: Decodable, Sendable {
    package let elements: [Element]
    /// The number of elements, including those that can't be decoded.
    package let count: Int

    /// Why it says nothing: it has elements, and none can be decoded.
    package var failure: AskFailure? { elements.isEmpty && count > 0 ? .unreadable(count) : nil }

    private struct Slot: Decodable {
        let element: Element?

        init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
    }

    package init(from decoder: any Decoder) throws {
        let slots = try decoder.singleValueContainer().decode([Slot].self)
        elements = slots.compactMap(\.element)
        count = slots.count
    }
}

/// A value that counts for nothing when it has another shape, so that what it is a part of is kept.
package struct LooseValue<Value: Decodable & Sendable>: Decodable, Sendable {
    package let value: Value?

    package init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// A number or a text: networks use both for ids.
package struct LooseText: Decodable, Sendable {
    package let text: String

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else {
            text = "\(try container.decode(Int64.self))"
        }
    }
}

/// A number, or a text that is one; networks use both.
package struct LooseNumber: Decodable, Sendable {
    /// Not a number when the text is none.
    package let value: Double

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            value = number
        } else {
            value = Double(try container.decode(String.self)) ?? .nan
        }
    }

    /// Nil when it is none, or negative.
    package var pixels: UInt32? { UInt32(exactly: value.rounded()) }
    /// A count; the nearest that there is.
    package var count: Int { value >= 1 ? Int(min(value, 1e15)) : 0 }
}

extension Decodable {
    /// Decodes an answer's body; nil when it does not have this shape, or holds more than a network answers.
    package init?(json body: [UInt8]) {
        guard AnswerSize.isDecodable(body),
            let value = try? JSONDecoder().decode(Self.self, from: Data(body))
        else { return nil }
        self = value
    }
}
