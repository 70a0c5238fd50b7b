import Geo

/// The requests still needed to know everything in some cells: a full answer adds more.
struct AreaWork {
    /// One request.
    struct Ask: Equatable {
        let patch: GridPatch
        var cursor: String?
    }

    private var waiting: [Ask]
    /// How many requests of a cell have no answer yet; a cell is known when none is left.
    private var open: [GridCell: Int] = [:]
    private let maximumRadiusMetres: Double
    private var left: Int
    /// Requests so far.
    private(set) var requestCount = 0
    /// Whether something could not be requested completely.
    private(set) var isTruncated = false

    /// The work for a patch, in at most so many requests, none for a larger circle.
    init(_ patch: GridPatch, requests: Int, maximumRadiusMetres: Double?) {
        waiting = [Ask(patch: patch)]
        for cell in patch.cells + patch.besides { open[cell] = 1 }
        self.maximumRadiusMetres = maximumRadiusMetres ?? .infinity
        left = requests
    }

    /// The next request; nil when none is left, or no more may be made.
    mutating func next() -> Ask? {
        while let ask = waiting.popLast() {
            if ask.patch.circle.radiusMetres > maximumRadiusMetres, split(ask.patch) { continue }
            guard left > 0 else {
                isTruncated = true
                return nil
            }
            left -= 1
            requestCount += 1
            return ask
        }
        return nil
    }

    /// Takes an answer; returns the cells that are known now.
    mutating func answered(_ ask: Ask, isFull: Bool, cursor: String?) -> [GridCell] {
        guard isFull else { return close(ask.patch) }
        if let cursor, cursor != ask.cursor {
            waiting.append(Ask(patch: ask.patch, cursor: cursor))
        } else if !split(ask.patch) {
            // So many at one spot that the network can't be made to list them all.
            isTruncated = true
        }
        return []
    }

    private mutating func split(_ patch: GridPatch) -> Bool {
        let parts = patch.parts
        guard !parts.isEmpty else { return false }
        for part in parts {
            waiting.append(Ask(patch: part))
            for cell in part.cells { open[cell, default: 0] += 1 }
        }
        _ = close(patch)
        return true
    }

    private mutating func close(_ patch: GridPatch) -> [GridCell] {
        var known: [GridCell] = []
        for cell in patch.cells + patch.besides {
            let rest = (open[cell] ?? 1) - 1
            open[cell] = rest
            if rest == 0 { known.append(cell) }
        }
        return known
    }
}
