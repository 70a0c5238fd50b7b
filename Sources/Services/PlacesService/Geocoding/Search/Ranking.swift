import Glibc

/// How matches are weighed against each other; one point is ten times as many people.
/// Docs/Decisions/0021-how-the-gazetteer-ranks.md says why.
enum Ranking {
    private static let bonusMetres = 50_000.0

    /// Zero for no people, 6 for a million.
    static func people(_ population: UInt32) -> Double { log10(Double(population) + 1) }

    static func name(_ quality: GazetteerTarget.Quality) -> Double {
        switch quality {
        case .main: 0.7
        case .other: 0
        case .code: -3
        }
    }

    static func kind(_ kind: GazetteerRecord.Kind) -> Double {
        switch kind {
        case .country: 6
        case .region: 0
        case .town: 0.8
        }
    }

    /// The same for a name of that quality. Letters may be what all the world calls a large town: "LA" is no Laos.
    static func kind(_ kind: GazetteerRecord.Kind, named quality: GazetteerTarget.Quality) -> Double {
        quality == .code && kind == .country ? 3 : self.kind(kind)
    }

    /// Of a name of which only a part may be there: countries do not stand before all else then, nor what is called so
    /// in another language.
    static func beginning(_ quality: GazetteerTarget.Quality, _ type: GazetteerRecord.Kind) -> Double {
        (quality == .main ? name(.main) : -1) + (type == .country ? 2 : kind(type))
    }

    /// By how much a part is placed before the whole that it shares its name with.
    static let ahead = 0.1

    /// Whether a town has a tenth of a region's people or more.
    static func isSeat(_ town: GazetteerRecord, of region: GazetteerRecord) -> Bool {
        UInt64(town.population) * 10 >= UInt64(region.population)
    }

    /// 3 at the point asked for, half of it at 50 km.
    static func nearness(_ metres: Double) -> Double { 3 / (1 + metres / bonusMetres) }
}
