import Geo

/// What the names of an index lead to.
protocol NamedThings {
    /// Where a thing is; nil when it is not there any more.
    func position(of item: UInt32) -> Geo.Coordinate?
    /// What counts when someone types all of a name.
    var whole: WholeName { get }
}

/// A name that a query may mean.
struct FoundName {
    let item: UInt32
    let subject: NameSubject
    /// Whether it is the thing's own name, in its own language.
    let isMain: Bool
    /// Whether the query has each of its words to its end.
    let isComplete: Bool
    /// Whether the query has all of its words.
    let isWhole: Bool
    /// How many letters of the query had to be changed.
    let changes: Int
    let points: Float
    /// The part of them that is for being near.
    let nearness: Float
}

/// Finds the names of one index that a query may mean: those with all of its words.
struct NameSearch<Things: NamedThings> {
    /// Candidates between two calls of `checkpoint`.
    private static var interval: Int { 4096 }

    let query: NameQuery
    let index: NameIndex
    let things: Things
    let ranking: FindRanking
    /// Only things in this area; nil for all.
    var area: FindArea?
    /// Only what is named so; nil for all.
    var subject: NameSubject?
    var known = NearTerms()

    /// The best names as they are written; `checkpoint` ends it by throwing.
    func names(maximum: Int, checkpoint: (Int) throws -> Void) throws -> [FoundName] {
        let last = query.pieces.lastIndex(where: \.isBeginning)
        // What few names have first: mostly these have not all of the other words.
        let words = query.pieces.map { Word($0, in: index) }.enumerated().sorted { $0.element.most < $1.element.most }
        var all: NameSet?
        var complete: NameSet?
        var respelled = RespelledNames()
        for (number, word) in words {
            let others = respelled.names(of: word.piece, in: index)
            var names = index.names(of: word.terms)
            if word.piece.isBeginning {
                let literal = index.names(of: word.exact)
                respelled.add(literal: literal)
                if number == last {
                    complete = literal
                    if let others { complete?.formUnion(others) }
                }
            } else {
                respelled.add(literal: names)
            }
            if let others { names.formUnion(others) }
            all?.formIntersection(names)
            if all == nil { all = names }
            if all?.isEmpty == true { return [] }
            try checkpoint(0)
        }
        guard let all else { return [] }
        return try best(
            of: all, complete: complete, respelled: respelled, changes: 0, maximum: maximum, checkpoint)
    }

    /// A piece with its terms.
    private struct Word {
        let piece: NameQuery.Piece
        let exact: Range<Int>
        /// Those that begin so too, where it is a beginning.
        let terms: Range<Int>
        /// How many names have them, at most.
        let most: Int

        init(_ piece: NameQuery.Piece, in index: NameIndex) {
            self.piece = piece
            exact = index.terms(equalTo: piece.text)
            terms = piece.isBeginning ? index.terms(beginningWith: piece.text, from: exact.lowerBound) : exact
            most = index.most(namesOf: terms)
        }
    }

    /// The best names when words of the query are mistyped.
    func mistypedNames(maximum: Int, checkpoint: (Int) throws -> Void) throws -> [FoundName] {
        var all: NameSet?
        var complete: NameSet?
        var changes = 0
        let words = query.pieces.map { Word($0, in: index) }
        if words.contains(where: { $0.most == 0 && $0.piece.spelling == nil }) { return [] }
        for word in words {
            let piece = word.piece
            var names = index.names(of: word.terms)
            var whole = piece.isBeginning ? index.names(of: word.exact) : NameSet(count: index.count)
            if names.isEmpty || query.pieces.count == 1 || all.map({ !$0.meets(names) }) == true {
                let near = try nearTerms(of: piece, checkpoint)
                changes += near.first?.fit.changes ?? 0
                names.formUnion(index.names(ofAll: near.map(\.terms)))
                if piece.isBeginning {
                    whole.formUnion(index.names(ofAll: near.filter(\.fit.isWhole).map(\.terms)))
                }
            }
            if piece.isBeginning { complete = whole }
            all?.formIntersection(names)
            if all == nil { all = names }
            if all?.isEmpty == true { return [] }
        }
        guard let all, changes > 0 else { return [] }
        return try best(of: all, complete: complete, changes: changes, maximum: maximum, checkpoint)
    }

    /// The terms that are as near to a piece as any.
    private func nearTerms(of piece: NameQuery.Piece, _ checkpoint: (Int) throws -> Void) throws -> [SpellingWalk.Run] {
        guard let spelling = piece.spelling else { return [] }
        return try known.runs(of: piece, in: index) { try terms(near: spelling, checkpoint) }
    }

    private func terms(near spelling: TypedWord, _ checkpoint: (Int) throws -> Void) throws -> [SpellingWalk.Run] {
        for beginnings in [[spelling.firstLetter], spelling.otherBeginnings] {
            // Mostly one letter is wrong, and to look for that costs far less.
            for changes in 1...spelling.allowed {
                let near = try terms(near: spelling.allowing(changes), beginningWith: beginnings, checkpoint)
                if let least = near.map(\.fit.changes).min() { return near.filter { $0.fit.changes == least } }
            }
        }
        return []
    }

    /// Those that are nearly a word, but not it.
    private func terms(
        near spelling: TypedWord, beginningWith beginnings: [[UInt8]], _ checkpoint: (Int) throws -> Void
    ) throws -> [SpellingWalk.Run] {
        var walk = SpellingWalk(spelling)
        return try beginnings.flatMap { beginning in
            try walk.fits(in: index.terms(beginningWith: beginning), of: index, checkpoint).filter {
                $0.fit.changes > 0
            }
        }
    }

    private func best(
        of names: NameSet, complete: NameSet?, respelled: RespelledNames = RespelledNames(), changes: Int, maximum: Int,
        _ checkpoint: (Int) throws -> Void
    ) throws -> [FoundName] {
        var best = BestNames(maximum: maximum)
        var tested = 0
        try names.forEach { number in
            tested += 1
            if tested % Self.interval == 0 { try checkpoint(tested) }
            let name = index.name(number)
            guard subject == nil || name.subject == subject else { return }
            guard let position = things.position(of: name.item), area?.contains(position) ?? true else { return }
            let isComplete = complete?.contains(number) ?? true
            let besides = respelled.besides(number, of: name.size, in: query.size)
            let isWhole = isComplete && besides == 0
            let points =
                ranking.points(
                    of: name, isComplete: isComplete, isWhole: isWhole, besides: besides, changes: changes,
                    whole: things.whole) - (!isComplete || respelled.isLiteral(number) ? 0 : FindRanking.respelled)
            let nearness = ranking.nearness(of: position)
            best.add(
                FoundName(
                    item: name.item, subject: name.subject.found, isMain: name.subject != .otherName,
                    isComplete: isComplete, isWhole: isWhole, changes: changes, points: points + nearness,
                    nearness: nearness))
        }
        return best.sorted
    }
}

/// The names with most points, one of each thing.
private struct BestNames {
    let maximum: Int
    private var names: [FoundName] = []
    private var least = -Float.infinity

    init(maximum: Int) { self.maximum = maximum }

    mutating func add(_ name: FoundName) {
        // The names of a thing follow each other.
        if let last = names.last, last.item == name.item, last.subject == name.subject {
            if name.points > last.points { names[names.count - 1] = name }
            return
        }
        guard name.points > least else { return }
        names.append(name)
        if names.count >= 4 * maximum { cut() }
    }

    private mutating func cut() {
        names = sorted
        least = names.last?.points ?? least
    }

    var sorted: [FoundName] {
        Array(names.sorted { $0.points != $1.points ? $0.points > $1.points : $0.item < $1.item }.prefix(maximum))
    }
}
