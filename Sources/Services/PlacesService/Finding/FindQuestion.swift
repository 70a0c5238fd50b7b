import Bytes
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
    /// What their hours have to say; nil: anything, and also what is no place.
    var open: OpenCondition?
    /// Where it has to be; nil for anywhere.
    var area: AreaFilter?

    init(_ text: String, near: Geo.Coordinate? = nil, limit: Int) {
        self.text = text
        words = QueryWords(text)
        self.near = near
        self.limit = limit
    }

    /// With a word for each sign of a kind.
    func spelled(by kinds: KindTable) -> FindQuestion {
        let spelled = kinds.spelled(text)
        return spelled.isSame(as: text) ? self : with(spelled, near: near)
    }

    /// The same with another text.
    func with(_ text: String, near: Geo.Coordinate?) -> FindQuestion {
        var question = FindQuestion(text, near: near, limit: limit)
        (question.open, question.area) = (open, area)
        return question
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
        case crossing(StreetCrossing)
    }

    let thing: Thing
    var points: Float
    /// The part of them that is for being near.
    let nearness: Float
    var changes = 0
    /// Whether the text has no word that is only the beginning of one.
    var isComplete = true
    /// Whether the text has all words of its name.
    var isWhole = true
    /// Whether the text has the word for what it is.
    var isKind = false
    /// Whether it is its main name that the text has.
    var isMain = true

    /// Whether it may be meant by a text that is the word for a kind: what is far away is only where it is called just
    /// so, or where its own name has that as its beginning and one may be typing on.
    var isBesideKind: Bool {
        isKind || FindRanking.isNear(nearness) || changes == 0 && (isComplete ? isWhole : isMain)
    }
}

extension [FindHit] {
    /// By their points; but what only begins as the text does stands behind what is called just so nearby, and what is
    /// mistyped behind what is nearby as it is written. A text that is typed on leaves both behind. Of a kind that the
    /// text names the nearest stands before what has that word among others in its name.
    /// - Parameter isShort: whether the text has so few letters that much begins with it: what is far away and called
    /// just so stands before all else there.
    func ranked(isShort: Bool) -> [FindHit] {
        let near = filter { $0.changes == 0 && FindRanking.isNear($0.nearness) }
        let written = near.map(\.points).max() ?? .infinity
        let whole = near.filter { $0.isWhole && $0.isComplete }.map(\.points).max() ?? .infinity
        let kind = near.filter(\.isKind).map(\.points).max() ?? .infinity
        let named = filter { isShort && $0.isWhole && $0.changes == 0 }.map(\.points).max() ?? .infinity
        func limit(_ hit: FindHit) -> Float {
            if hit.changes > 0 { return written }
            if hit.isWhole { return .infinity }
            let limit = Swift.min(kind, hit.isComplete ? .infinity : whole)
            return FindRanking.isNear(hit.nearness) ? limit : Swift.min(limit, named)
        }
        func rank(_ hit: FindHit) -> (points: Float, isLimited: Int, own: Float) {
            let limit = limit(hit)
            return hit.points >= limit ? (limit, 0, hit.points) : (hit.points, 1, hit.points)
        }
        return map { (rank($0), $0) }.sorted { $0.0 > $1.0 }.map(\.1)
    }
}

/// What a text is searched in.
struct FindSources {
    let view: CatalogView
    let gazetteer: Gazetteer?
    /// Words of the gazetteer's names.
    let gazetteerNames: [NameIndex]
    let addresses: StreetAddresses
    let names: PlaceNames
    /// What people call kinds of places.
    let kinds: KindTable
    /// The outlines of the world.
    var areas = WorldAreas()
    /// For one text.
    let nearTerms = NearTerms()
}
