/// A word that may be mistyped: letters added, left out, changed, or swapped with their neighbour.
struct TypedWord {
    private static let fewLetters = 4
    private static let manyLetters = 8
    /// From so many letters on the first one may be wrong too.
    private static let firstMayDiffer = 6
    private static let longest = 40

    /// Its letters.
    let letters: [UInt32]
    /// How many changes are tried.
    let allowed: Int
    private let isBeginning: Bool
    private let lettersThere: UInt32

    /// Nil for a word that is too short or too long.
    /// - Parameter isBeginning: whether any term will do that begins nearly as the word.
    /// - Parameter isAlone: whether no other word says what is meant; a short one is not changed then.
    init?(_ letters: ArraySlice<Unicode.Scalar>, isBeginning: Bool, isAlone: Bool) {
        let isNumber = letters.contains { "0"..."9" ~= $0 }
        let shortest = isAlone ? Self.fewLetters + 1 : Self.fewLetters
        guard shortest...Self.longest ~= letters.count, !isNumber else { return nil }
        self.letters = letters.map(\.value)
        self.isBeginning = isBeginning
        allowed = letters.count < Self.manyLetters ? 1 : 2
        lettersThere = Self.letters(in: self.letters)
    }

    /// The first letter, as UTF-8.
    var firstLetter: [UInt8] {
        letters.first.flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) } ?? []
    }

    /// How a term may begin if the first letter is the wrong one, is missing, is one too many, or has changed places
    /// with the second one. Empty for short words, and in other scripts than Latin.
    var otherBeginnings: [[UInt8]] {
        let first = letters.prefix(3).compactMap { $0 < 0x80 ? UInt8($0) : nil }
        guard letters.count >= Self.firstMayDiffer, first.count == 3 else { return [] }
        let changed = (UInt8(ascii: "a")...UInt8(ascii: "z")).flatMap { [[$0, first[1]], [$0, first[0]]] }
        return Array(Set(changed + [[first[1], first[0]], [first[1], first[2]]])).filter { $0[0] != first[0] }
    }

    private static func letters(in letters: some Sequence<UInt32>) -> UInt32 {
        letters.reduce(0) { $0 | 1 << ($1 & 31) }
    }

    /// How many letters have to be changed to make this word of a term; nil when they are too many.
    func changes(_ term: UnsafeRawBufferPointer, _ room: inout SpellingRoom) -> Int? {
        guard term.count + allowed >= letters.count else { return nil }
        let most = letters.count + allowed
        if !isBeginning, term.count > most * 4 { return nil }
        unsafe room.take(term, most: isBeginning ? most : most + 1)
        guard room.term.count + allowed >= letters.count, isBeginning || room.term.count <= most else { return nil }
        // Each letter that the term lacks is a change.
        let missing = lettersThere & ~Self.letters(in: room.term)
        guard missing.nonzeroBitCount <= allowed else { return nil }
        return distance(&room)
    }

    /// Optimal string alignment (Damerau 1964), to the whole term or to its best beginning.
    private func distance(_ room: inout SpellingRoom) -> Int? {
        let count = room.term.count
        room.begin(count)
        for row in 1...letters.count {
            room.current[0] = row
            var least = row
            for column in 1..<count + 1 {
                let isSame = letters[row - 1] == room.term[column - 1]
                var value = min(
                    room.last[column] + 1, room.current[column - 1] + 1, room.last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, letters[row - 1] == room.term[column - 2],
                    letters[row - 2] == room.term[column - 1]
                {
                    value = min(value, room.beforeLast[column - 2] + 1)
                }
                room.current[column] = value
                least = min(least, value)
            }
            if least > allowed { return nil }
            room.turn()
        }
        let changes = isBeginning ? room.last[...count].min() ?? .max : room.last[count]
        return changes <= allowed ? changes : nil
    }
}

/// Memory for comparing one word with many terms.
struct SpellingRoom {
    /// The letters of the term that is compared.
    private(set) var term: [UInt32] = []
    fileprivate var beforeLast: [Int] = []
    fileprivate var last: [Int] = []
    fileprivate var current: [Int] = []

    /// Takes the first letters of a term.
    fileprivate mutating func take(_ bytes: UnsafeRawBufferPointer, most: Int) {
        term.removeAll(keepingCapacity: true)
        if unsafe bytes.allSatisfy({ $0 < 0x80 }) {
            unsafe term.append(contentsOf: bytes.prefix(most).lazy.map { UInt32($0) })
        } else {
            let text = unsafe String(decoding: bytes, as: UTF8.self)
            term.append(contentsOf: text.unicodeScalars.prefix(most).lazy.map(\.value))
        }
    }

    fileprivate mutating func begin(_ count: Int) {
        while last.count <= count {
            last.append(0)
            beforeLast.append(0)
            current.append(0)
        }
        for column in 0...count { last[column] = column }
    }

    fileprivate mutating func turn() {
        swap(&beforeLast, &last)
        swap(&last, &current)
    }
}
