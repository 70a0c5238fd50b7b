import Geo

/// What someone types into a search box.
struct FindQuestion: Sendable {
    let text: String
    /// Folded.
    let words: QueryWords
    /// What is near it comes first; nil for nowhere.
    let near: Geo.Coordinate?
    /// How many results at most.
    let limit: Int

    init(_ text: String, near: Geo.Coordinate? = nil, limit: Int) {
        self.text = text
        words = QueryWords(text)
        self.near = near
        self.limit = limit
    }
}

/// One thing that was found, before it becomes part of an answer.
struct FindHit {
    enum Thing {
        /// A country, a region or a town.
        case record(UInt32, GazetteerRecord)
        /// A place of a snapshot in the view.
        case place(source: Int, ordinal: UInt32)
        /// The street or the postcode of the address that such a place has.
        case partOfAddress(NameSubject, source: Int, ordinal: UInt32)
        case bundledPart(NameSubject, Address)
        case address(Address)
    }

    let thing: Thing
    let points: Float
    var changes = 0
    /// Whether the text has no word that is only the beginning of one.
    var isComplete = true
}

/// What a text is searched in.
struct FindSources {
    let view: CatalogView
    let gazetteer: Gazetteer?
    /// Words of the gazetteer's names.
    let gazetteerNames: [NameIndex]
    let addresses: StreetAddresses
    let names: PlaceNames
}
