import Geo

/// The requests still needed to know everything in some cells: a full answer adds more. The nearest cells come first.
struct AreaWork {
    /// One request.
    struct Ask: Equatable {
        let patch: GridPatch
        /// How far its nearest point is.
        let metres: Double
        var cursor: String?
        /// How many items the answers before it have given.
        var given = 0
        /// Whether it is about a part of a cell.
        var isPart = false

        /// Whether the cells that it is about are fixed.
        var isFixed: Bool { cursor != nil || isPart }
    }

    private let centre: Coordinate
    private let maximumRadiusMetres: Double
    /// An answer's cursor is followed until it has given so many items; then its patch is split.
    private let cursorItems: Int
    /// Whether all is wanted: then what was begun is finished first, so that something is known if it fails.
    private let isOfAll: Bool
    private var waiting: [Ask] = []
    /// How many requests of a cell have no answer yet; a cell is known when none is left.
    private var open: [GridCell: Int] = [:]
    /// How far the nearest spot is of which the network can't be made to list everything.
    private var heapMetres = Double.infinity

    /// Whether something could not be requested completely.
    var isTruncated: Bool { heapMetres.isFinite }
    /// Everything that is nearer than this is known.
    var knownMetres: Double { min(heapMetres, waiting.map(\.metres).min() ?? .infinity) }
    /// Whether requests are left.
    var isDone: Bool { waiting.isEmpty }

    /// The work for cells, with no request for a larger circle.
    init(_ cells: [GridCell], from centre: Coordinate, maximumRadiusMetres: Double?, nearest: Int? = nil) {
        self.centre = centre
        self.maximumRadiusMetres = maximumRadiusMetres ?? .infinity
        cursorItems = nearest ?? .max
        isOfAll = nearest == nil
        guard let patch = GridPatch(cells) else { return }
        add(patch)
        for cell in cells { open[cell] = 1 }
    }

    /// The next request; nil when none is left.
    mutating func next() -> Ask? {
        while let index = nearestIndex() {
            let ask = waiting.remove(at: index)
            if ask.patch.circle.radiusMetres > maximumRadiusMetres, split(ask) { continue }
            return ask
        }
        return nil
    }

    /// The part of a request that the search is to ask for: not what is known, or others ask for. Nil when nothing
    /// is left of it for now.
    mutating func take(_ ask: Ask, _ claim: AreaClaim) -> Ask? {
        if claim.mine.count == ask.patch.cells.count { return ask }
        if ask.isFixed {
            // Others may have asked for all of it by now.
            if claim.isOthers { waiting.append(ask) }
            return claim.isOthers || claim.mine.isEmpty ? nil : ask
        }
        if let others = GridPatch(claim.others) { add(others) }
        return GridPatch(claim.mine).map(made)
    }

    /// Takes an answer with so many items; returns the cells that are known now.
    mutating func answered(
        _ ask: Ask, besides: [GridCell] = [], isFull: Bool, cursor: String?, count: Int = 0
    ) -> [GridCell] {
        guard isFull else { return close(ask.patch.cells) + besides }
        let given = ask.given + count
        if let cursor, cursor != ask.cursor, given < cursorItems {
            follow(ask, cursor, given)
        } else if !split(ask) {
            if let cursor, cursor != ask.cursor {
                follow(ask, cursor, given)
            } else {
                // So many at one spot that the network can't be made to list them all.
                heapMetres = min(heapMetres, ask.metres)
            }
        }
        return []
    }

    private func nearestIndex() -> Int? {
        // Of those that are equally near the last one: what was begun is finished first.
        waiting.indices.reversed().min { waiting[$0].metres < waiting[$1].metres }
    }

    private func made(_ patch: GridPatch) -> Ask { Ask(patch: patch, metres: patch.leastMetres(from: centre)) }

    private mutating func add(_ patch: GridPatch) { waiting.append(made(patch)) }

    private mutating func follow(_ ask: Ask, _ cursor: String, _ given: Int) {
        var next = ask
        (next.cursor, next.given) = (cursor, given)
        waiting.append(next)
    }

    private mutating func split(_ ask: Ask) -> Bool {
        let parts = ask.patch.parts
        guard !parts.isEmpty else { return false }
        let isPart = ask.patch.cells.count == 1
        for part in parts {
            var next = isOfAll ? Ask(patch: part, metres: ask.metres) : made(part)
            next.isPart = isPart
            waiting.append(next)
            for cell in part.cells { open[cell, default: 0] += 1 }
        }
        _ = close(ask.patch.cells)
        return true
    }

    private mutating func close(_ cells: [GridCell]) -> [GridCell] {
        cells.filter { cell in
            let rest = (open[cell] ?? 1) - 1
            open[cell] = rest
            return rest == 0
        }
    }
}
