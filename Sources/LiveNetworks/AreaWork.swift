import Geo

/// What is still to be asked of one network to know all of some cells: an answer that is full makes more to ask.
struct AreaWork {
    /// One request.
    struct Ask: Equatable {
        let patch: GridPatch
        var cursor: String?
    }

    private var waiting: [Ask]
    /// How many asks of a cell have no answer yet; a cell is known when none is left.
    private var open: [GridCell: Int] = [:]
    private let maximumRadiusMetres: Double
    private var left: Int
    /// Requests so far.
    private(set) var requestCount = 0
    /// Whether something could not be asked for to its end.
    private(set) var isTruncated = false

    /// All of a patch, in at most so many requests, none of a larger circle.
    init(_ patch: GridPatch, requests: Int, maximumRadiusMetres: Double?) {
        waiting = [Ask(patch: patch)]
        for cell in patch.cells + patch.besides { open[cell] = 1 }
        self.maximumRadiusMetres = maximumRadiusMetres ?? .infinity
        left = requests
    }

    /// The next request; nil when nothing is left to ask, or no more may be asked.
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

    /// Takes an answer; gives the cells that are known now.
    mutating func answered(_ ask: Ask, isFull: Bool, cursor: String?) -> [GridCell] {
        guard isFull else { return close(ask.patch) }
        if let cursor, cursor != ask.cursor {
            waiting.append(Ask(patch: ask.patch, cursor: cursor))
        } else if !split(ask.patch) {
            // So many at one spot that the network can't be made to name them all.
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
