/// What a thing is, as the words of its name or its categories say it. Words of one kind stand for each other.
struct Kinds: OptionSet, Sendable {
    static let food = Kinds(rawValue: 1 << 0)
    static let bakery = Kinds(rawValue: 1 << 1)
    static let hotel = Kinds(rawValue: 1 << 2)
    static let hospital = Kinds(rawValue: 1 << 3)
    static let museum = Kinds(rawValue: 1 << 4)
    static let church = Kinds(rawValue: 1 << 5)
    static let school = Kinds(rawValue: 1 << 6)
    static let college = Kinds(rawValue: 1 << 7)
    static let library = Kinds(rawValue: 1 << 8)
    static let airport = Kinds(rawValue: 1 << 9)
    static let bank = Kinds(rawValue: 1 << 10)
    static let park = Kinds(rawValue: 1 << 11)
    static let square = Kinds(rawValue: 1 << 12)
    static let station = Kinds(rawValue: 1 << 13)
    static let pharmacy = Kinds(rawValue: 1 << 14)
    static let theatre = Kinds(rawValue: 1 << 15)
    static let market = Kinds(rawValue: 1 << 16)
    static let fuel = Kinds(rawValue: 1 << 17)
    static let parking = Kinds(rawValue: 1 << 18)
    static let post = Kinds(rawValue: 1 << 19)
    static let office = Kinds(rawValue: 1 << 20)
    static let shop = Kinds(rawValue: 1 << 21)
    static let rental = Kinds(rawValue: 1 << 22)
    /// A part of something, which is not the whole: its clinic, its entrance.
    static let part = Kinds(rawValue: 1 << 23)
    /// Things that are called after what they are at.
    static let calledAfter: Kinds = [.station, .parking, .rental]
    /// What people call by the beginning of its name.
    static let businesses: Kinds = [.food, .hotel, .shop, .market, .theatre, .museum, .fuel]

    /// Kinds that no source takes for each other: one thing is not of two of these. What one source calls a museum, a
    /// theatre or a library may be a house of culture, and so on.
    private static let apart: [Kinds] = [
        [.food, .bakery], .hotel, [.museum, .theatre, .library], .church, [.school, .college, .library],
        [.hospital, .pharmacy], .bank, .fuel, .airport, .station, .parking, .rental,
    ]

    /// Whether a thing of these kinds can't be one of the others.
    func contradict(_ others: Kinds) -> Bool {
        let these = Self.apart.indices.filter { !Self.apart[$0].isDisjoint(with: self) }
        let those = Self.apart.indices.filter { !Self.apart[$0].isDisjoint(with: others) }
        return !these.isEmpty && !those.isEmpty && Set(these).isDisjoint(with: those)
    }

    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }
}
