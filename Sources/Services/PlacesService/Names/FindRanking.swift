import Geo
import Glibc

/// How what a text finds is weighed. One point is ten times as many people, or a tenth of the distance.
/// Docs/Decisions/0049-an-index-of-names.md says why.
struct FindRanking {
    /// Points of a thing at the point that is asked for.
    private static let maximumNearness: Float = 5
    /// Where nearness begins to count.
    private static let nearMetres: Float = 100
    private static let metresOfUnit: Float = 0.011_119_508
    /// Of what lies within some 10 km.
    private static let leastOfNear: Float = 3

    /// Things near this point come first.
    let near: Geo.Coordinate?
    private let cosine: Float

    init(near: Geo.Coordinate?) {
        self.near = near
        cosine = near.map { Float(Self.narrowing(at: $0.latitude)) } ?? 1
    }

    /// 5 at the point, one less for each tenfold distance from 100 m on; 0 without a point. The distance is that on a
    /// flat map, which is good enough for points.
    func nearness(of position: Geo.Coordinate) -> Float {
        guard let near else { return 0 }
        let turn: Int64 = 3_600_000_000
        let apart = (Int64(position.longitudeE7) - Int64(near.longitudeE7)).magnitude
        let along = Float(min(Int64(apart), turn - Int64(apart))) * cosine
        let up = Float(Int64(position.latitudeE7) - Int64(near.latitudeE7))
        let metres = (along * along + up * up).squareRoot() * Self.metresOfUnit
        return max(0, Self.maximumNearness - log10f(1 + metres / Self.nearMetres))
    }

    /// By how much a degree of longitude is shorter there than one of latitude.
    static func narrowing(at latitude: Double) -> Double { cos(latitude * .pi / 180) }

    /// Whether a thing with so many points of nearness is around the given point.
    static func isNear(_ nearness: Float) -> Bool { nearness >= leastOfNear }

    /// Points of a name, without its nearness.
    /// - Parameter besides: how many words the name has besides those of the query.
    /// - Parameter whole: what counts when it has no others.
    func points(
        of name: NameIndex.Name, isComplete: Bool, isWhole: Bool, besides: Int, changes: Int, whole: WholeName
    ) -> Float {
        name.points + (isWhole ? whole.points(isMain: name.subject != .otherName) : isComplete ? Self.complete : 0)
            - Self.perWord * Float(min(max(besides, 0), Self.maximumWords)) - Self.perChange * Float(changes)
    }

    /// For a name that has more words than the query.
    private static let complete: Float = 0.6
    private static let perWord: Float = 0.15
    private static let maximumWords = 8
    /// For each letter that had to be changed.
    static let perChange: Float = 2.5
    /// For a name that has a word of the text in another spelling.
    static let respelled: Float = 1
    /// For what is in the area that the text names.
    static let inArea: Float = 1
    /// For an address, which has a street and a number: hardly anything else is meant then.
    static let address: Float = 12
    /// So much less for one in a street that the text only begins to name.
    static let beginningOfStreet: Float = 8
    /// For a place of the category that the text names, and of one that it begins to name: before what is far away and
    /// called so, unless it is a large city.
    static let category: Float = 6.2
    /// So much more for what is nearby and has, besides the text, only words for kinds in its name.
    static let besidesKind: Float = 3
    /// So much more where the text says that it asks for the nearest.
    static let nearest: Float = 2
    /// So much less with an article, which may belong to a name: "La Gelateria".
    static let article: Float = 1.2
    static func beginningOfCategory(letters: Int) -> Float { min(0.8 * Float(max(letters - 3, 0)) + 0.2, 2.6) }
}

/// What counts for a name that has just the words of the query.
enum WholeName {
    /// Of a country, a region or a town. Their names in other languages are many, and often what something nearby is
    /// called; and of small towns there is one for nearly every word.
    case ofRecord
    case ofPlace

    func points(isMain: Bool) -> Float {
        switch self {
        case .ofRecord: isMain ? 3 : 2
        case .ofPlace: isMain ? 5 : 4
        }
    }
}

/// Where something must be that a text names with a place: "cafe near Kamppi", "Amos Rex, Helsinki".
enum FindArea {
    case circle(Geo.Coordinate, metres: Double)
    case box(Geo.Box, centre: Geo.Coordinate)
    case shape(AreaFilter, centre: Geo.Coordinate)

    var centre: Geo.Coordinate {
        switch self {
        case .circle(let centre, _), .box(_, let centre), .shape(_, let centre): centre
        }
    }

    func contains(_ position: Geo.Coordinate) -> Bool {
        switch self {
        case .circle(let centre, let metres): centre.metres(to: position) <= metres
        case .box(let box, _): box.contains(position)
        case .shape(let area, _): area.contains(position)
        }
    }
}
