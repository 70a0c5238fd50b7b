/// What an area or a line is. The numbers are those of the file.
package enum AreaKind: UInt8, Sendable, CaseIterable {
    case country = 0
    /// An administrative area below a country; its level says which.
    case region = 1
    /// A quarter, a village, an island and the like, drawn as an area.
    case place = 2
    case park = 3
    case square = 4
    /// A house or what stands there, with its address.
    case house = 5
    case sea = 6
    /// A line.
    case street = 7
    case island = 8
    case lake = 9
}

/// An area or a line without its shape.
package struct AreaRecord: Hashable, Sendable {
    package struct Name: Hashable, Sendable {
        /// As in "name:fi".
        package let language: String
        package let name: String

        package init(language: String, name: String) {
            self.language = language
            self.name = name
        }
    }

    package var kind: AreaKind
    /// As `admin_level` counts: 2 are countries, 8 mostly municipalities; 0 for what has none.
    package var level: UInt8
    /// Its id in its source: "relation/62578".
    package var id: String
    package var name: String
    /// The ISO 3166 code of a country or a region, the number of a house; may be empty.
    package var code: String
    /// What kind of place it is: "city"; may be empty.
    package var place: String
    package var names: [Name]

    package init(
        kind: AreaKind, level: UInt8 = 0, id: String, name: String, code: String = "", place: String = "",
        names: [Name] = []
    ) {
        self.kind = kind
        self.level = level
        self.id = id
        self.name = name
        self.code = code
        self.place = place
        self.names = names
    }

    /// The name in the first of some languages that it has one in.
    package func name(in languages: [String]) -> String {
        for language in languages {
            if let own = names.first(where: { $0.language == language }) { return own.name }
        }
        return name
    }
}

/// How the texts of a record lie in the file: each behind its length in two bytes.
enum AreaText {
    private static let longest = 1024
    private static let maximumNames = 400

    static func packed(_ record: AreaRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        let names = record.names.prefix(maximumNames).flatMap { [$0.language, $0.name] }
        for text in [record.id, record.name, record.code, record.place] + names { add(text, to: &bytes) }
        return bytes
    }

    /// Nil when the bytes are those of no record.
    /// - Parameter languages: those that other names are wanted in; nil for all.
    static func unpacked(
        _ bytes: UnsafeRawBufferPointer, kind: AreaKind, level: UInt8, _ languages: [String]?
    ) -> AreaRecord? {
        var at = 0
        guard let id = unsafe next(bytes, &at), let name = unsafe next(bytes, &at), let code = unsafe next(bytes, &at),
            let place = unsafe next(bytes, &at)
        else { return nil }
        var record = AreaRecord(
            kind: kind, level: level, id: unsafe text(id), name: unsafe text(name), code: unsafe text(code),
            place: unsafe text(place))
        while languages != [], at < bytes.count {
            guard let language = unsafe next(bytes, &at), let name = unsafe next(bytes, &at) else { return nil }
            let isWanted = languages?.contains { unsafe language.elementsEqual($0.utf8) } ?? true
            if isWanted {
                record.names.append(AreaRecord.Name(language: unsafe text(language), name: unsafe text(name)))
            }
        }
        return record
    }

    /// The text behind its length; nil when the bytes end before.
    private static func next(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> UnsafeRawBufferPointer? {
        guard at + 2 <= bytes.count else { return nil }
        let count = unsafe Int(bytes[at]) | Int(bytes[at + 1]) << 8
        guard at + 2 + count <= bytes.count else { return nil }
        defer { at += 2 + count }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[(at + 2)..<(at + 2 + count)])
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Cuts what is too long, at a whole scalar.
    private static func add(_ text: String, to bytes: inout [UInt8]) {
        var utf8 = Array(text.utf8)
        if utf8.count > longest {
            var end = longest
            while end > 0, utf8[end] & 0xC0 == 0x80 { end -= 1 }
            utf8.removeSubrange(end...)
        }
        bytes.append(UInt8(truncatingIfNeeded: utf8.count))
        bytes.append(UInt8(truncatingIfNeeded: utf8.count >> 8))
        bytes += utf8
    }
}
