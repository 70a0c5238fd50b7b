internal import FoundationEssentials

/// A list whose elements cost only themselves when they can't be read.
package struct LossyList<Element: Decodable & Sendable>: Decodable, Sendable {
    package let elements: [Element]
    /// How many there were, those that can't be read among them.
    package let count: Int

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

/// A number or a text, which networks take for the same in ids.
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

extension Decodable {
    /// Reads an answer's body; nil when it is not of this shape.
    package init?(json body: [UInt8]) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(body)) else { return nil }
        self = value
    }
}
