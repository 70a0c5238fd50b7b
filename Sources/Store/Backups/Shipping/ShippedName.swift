import Bytes

/// The name of an object with pages of a database, as they were at a moment:
///
///     log/SOURCE/pins/pins.db/0001764467641123-5f03…/0000000000000042-0001764467641200-0000000000000001-s-9c…-4e…
///
/// The objects of a stream in order make the database. Each has what changed since the one before it, and now and then
/// pages that did not change: so all pages come again from time to time, and what is older is not needed. Each names
/// the one before it by its mark. So what two processes stored into one stream is two lines, and never taken for one.
struct ShippedName: Hashable, Sendable {
    static let folder = "log"
    /// What has no more than 16 digits.
    private static let limit: UInt64 = 10_000_000_000_000_000

    /// The deployment.
    let source: String
    /// Its path in a data folder: "pins/pins.db".
    let database: String
    /// When the stream began, and a number that was drawn then: "0001764467641123-5f03…".
    let stream: String
    /// Its number in the stream, from 1 on.
    let number: UInt64
    /// Of the last moment that is in it, in milliseconds since 1970.
    let time: Int64
    /// The objects from this number to this one make the whole database; 0 when no object does yet.
    let first: UInt64

    /// Whether changes were acknowledged only when their objects were there ("b", before) or not ("s", soon).
    let isAwaited: Bool
    /// Whether nothing changed since the object before it ("n").
    let isUnchanged: Bool
    /// Whether the service stopped in good order then ("e"): nothing changed until it started again.
    let isEnd: Bool
    /// Whether pictures that its rows name may not be stored yet ("p").
    let lacksPictures: Bool
    /// 16 digits that no other object has, and those of the one before it; zeros before the first.
    let mark: String
    let before: String

    static let noMark = digits(0)

    /// Whether there is a state of the database at its end.
    var isState: Bool { first > 0 }

    static func folder(_ source: String, _ database: String) -> String { "\(folder)/\(source)/\(database)" }

    var text: String {
        "\(Self.folder(source, database))/\(stream)/\(Self.digits(number))-\(Self.digits(UInt64(clamping: time)))-"
            + "\(Self.digits(first))-\(flags)-\(mark)-\(before)"
    }

    private var flags: String {
        (isAwaited ? "b" : "s") + (isUnchanged ? "n" : "") + (isEnd ? "e" : "") + (lacksPictures ? "p" : "")
    }

    static func digits(_ number: UInt64) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 16 - text.utf8.count)) + text
    }

    init(
        source: String, database: String, stream: String, number: UInt64, time: Int64, first: UInt64, isAwaited: Bool,
        isUnchanged: Bool = false, isEnd: Bool = false, lacksPictures: Bool = false, mark: String, before: String
    ) {
        (self.source, self.database, self.stream) = (source, database, stream)
        (self.number, self.time, self.first, self.isAwaited) = (number, time, first, isAwaited)
        (self.isUnchanged, self.isEnd, self.lacksPictures) = (isUnchanged, isEnd, lacksPictures)
        (self.mark, self.before) = (mark, before)
    }

    /// Nil for what is no such name.
    init?(_ text: String) {
        let parts = text.split(at: "/")
        guard parts.count == 6, parts[0].isSame(as: Self.folder) else { return nil }
        let words = parts[5].split(at: "-")
        let numbers = words.prefix(3).compactMap { UInt64($0) }.filter { $0 < Self.limit }
        guard words.count == 6, numbers.count == 3, numbers[0] > 0, numbers[2] <= numbers[0],
            words.suffix(2).allSatisfy({ $0.utf8.count == 16 && $0.utf8.allSatisfy(Self.isDigit) }),
            DataFiles.isInside(text), DataFiles.isDatabase("\(parts[2])/\(parts[3])")
        else { return nil }
        let flags = words[3]
        self.init(
            source: String(parts[1]), database: "\(parts[2])/\(parts[3])", stream: String(parts[4]),
            number: numbers[0], time: Int64(numbers[1]), first: numbers[2], isAwaited: flags.begins(with: "b"),
            isUnchanged: flags.holds("n"), isEnd: flags.holds("e"), lacksPictures: flags.holds("p"),
            mark: String(words[4]), before: String(words[5]))
        // Each flag once, and in its order.
        guard self.flags.isSame(as: flags) else { return nil }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}
