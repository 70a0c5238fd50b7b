import Bytes

/// Turns the common dialect into PostgreSQL's: `?1` becomes `$1`, and columns of text get byte order, in which SQLite
/// compares. What stands in `/*+ */` counts here: locks of rows, which SQLite with its one writer does not need. Texts
/// in quotes and other comments are left as they are.
struct PostgresDialect {
    /// The statement for the server.
    private(set) var text = ""
    /// The highest placeholder.
    private(set) var parameterCount = 0

    /// What a body may not run: transactions, and the state of a connection, belong to the storage itself.
    private static let controls: Set<String> = [
        "ABORT", "ATTACH", "BEGIN", "COMMIT", "COPY", "DEALLOCATE", "DETACH", "DISCARD", "DO", "END", "EXECUTE",
        "LISTEN",
        "LOAD", "LOCK", "NOTIFY", "PRAGMA", "PREPARE", "RELEASE", "RESET", "ROLLBACK", "SAVEPOINT", "SET", "START",
        "UNLISTEN", "VACUUM",
    ]

    /// One statement with its placeholders.
    init(statement sql: StaticString) throws(SQLError) {
        try translate(sql, isScript: false)
    }

    /// The statements of a migration, which have no placeholders.
    init(script sql: StaticString) throws(SQLError) {
        try translate(sql, isScript: true)
        guard parameterCount == 0 else { throw SQLError(.misuse, "a migration has no parameters") }
    }

    private mutating func translate(_ sql: StaticString, isScript: Bool) throws(SQLError) {
        var scanner = Scanner(rest: Substring(sql.description).unicodeScalars)
        var numbers = Set<Int>()
        var (isFirstWord, isEmpty) = (true, true)
        while let token = scanner.next() {
            switch token {
            case .placeholder(let number):
                guard let number else { throw SQLError(.misuse, "\"\(sql)\" must write its parameters as ?1, ?2, …") }
                numbers.insert(number)
                text += "$\(number)"
            case .word(let word):
                if isFirstWord { try Self.requireAllowed(word) }
                (isFirstWord, isEmpty) = (false, false)
                text += isScript && word == "TEXT" ? "TEXT COLLATE \"C\"" : word
            case .semicolon:
                isFirstWord = true
                text += ";"
            case .other(let part): text += part
            }
        }
        if isEmpty && !isScript {
            throw SQLError(.misuse, "\"\(sql)\" must contain one statement, neither none nor several")
        }
        parameterCount = numbers.count
        guard numbers.max() ?? 0 == numbers.count else {
            throw SQLError(.misuse, "\"\(sql)\" must write its parameters as ?1, ?2, …, leaving none out")
        }
    }

    private static func requireAllowed(_ word: Substring) throws(SQLError) {
        guard controls.contains(word.uppercased()) else { return }
        throw SQLError(.misuse, "\(word) belongs to the storage itself, as BEGIN, COMMIT, SET and the like do")
    }
}

extension PostgresDialect {
    fileprivate enum Token {
        case word(Substring)
        /// Nil when it has no number.
        case placeholder(Int?)
        case semicolon
        /// White space, signs, a comment or a text in quotes.
        case other(Substring)
    }

    fileprivate struct Scanner {
        var rest: Substring.UnicodeScalarView

        mutating func next() -> Token? {
            guard let scalar = rest.first else { return nil }
            switch scalar {
            case "'", "\"": return .other(take(quoted: scalar))
            case "/" where rest.starts(with: "/*+".unicodeScalars):
                rest = rest.dropFirst(3)
                return .other(" ")
            case "*" where rest.starts(with: "*/".unicodeScalars):
                rest = rest.dropFirst(2)
                return .other(" ")
            case "-" where rest.starts(with: "--".unicodeScalars): return .other(take { scalar in scalar != "\n" })
            case "?":
                rest.removeFirst()
                return .placeholder(Int(take(while: \.isDigit)))
            case ";":
                rest.removeFirst()
                return .semicolon
            case _ where scalar.isAlphabetic || scalar == "_":
                return .word(take { scalar in scalar.isAlphabetic || scalar.isNumeric || scalar == "_" })
            default:
                let sign = rest.prefix(1)
                rest.removeFirst()
                return .other(Substring(sign))
            }
        }

        private mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> Substring {
            let taken = rest.prefix(while: isWanted)
            rest = rest[taken.endIndex...]
            return Substring(taken)
        }

        /// A quote within the quotes is doubled, and begins another text at once: so both are left as they are.
        private mutating func take(quoted quote: Unicode.Scalar) -> Substring {
            let inside = rest.dropFirst().prefix { $0 != quote }
            let taken = rest.prefix(inside.count + 2)
            rest = rest[taken.endIndex...]
            return Substring(taken)
        }
    }
}
