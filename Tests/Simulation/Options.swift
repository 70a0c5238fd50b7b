/// What is asked for on the command line.
struct Options {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    var first: UInt64 = 1
    var count = 10
    var seconds: Int?
    var clients: Int?
    var without: Set<Int> = []
    /// Keeps what a world left: its logs and its data.
    var keeps = false
    /// Plays no more seeds once one has a finding, and fails when none has: for faults that are planted.
    var isForPlanted = false
    /// Whether what is not needed is left out of a plan that fails.
    var shrinks = true
    /// Where the programs are, and the repository's data.
    var programs = ""
    var data = ""
    /// The folder of the world that this process drives.
    var world: String?
    /// Worlds that are played at the same time.
    var jobs = 2
    /// Where their folders are made.
    var folder = "/dev/shm"

    init(_ words: [String]) throws {
        var words = words[...]
        func number<N: FixedWidthInteger>(_ flag: String, _ word: String?) throws -> N {
            guard let word, let number = N(word) else {
                throw Problem(description: "\(flag) is \(word ?? "not given"), a number is needed")
            }
            return number
        }
        while let flag = words.popFirst() {
            switch flag {
            case "--seed": (first, count) = (try number(flag, words.popFirst()), 1)
            case "--first": first = try number(flag, words.popFirst())
            case "--seeds": count = try number(flag, words.popFirst())
            case "--seconds": seconds = try number(flag, words.popFirst())
            case "--clients": clients = try number(flag, words.popFirst())
            case "--without": without.insert(try number(flag, words.popFirst()))
            case "--jobs": jobs = try number(flag, words.popFirst())
            case "--keep": keeps = true
            case "--until-found": isForPlanted = true
            case "--no-shrinking": shrinks = false
            case "--folder": folder = words.popFirst() ?? ""
            case "--programs": programs = words.popFirst() ?? ""
            case "--data": data = words.popFirst() ?? ""
            case "--world": world = words.popFirst()
            default: throw Problem(description: "there is no \(flag); see script/simulate --help")
            }
        }
    }

    func plan(_ seed: UInt64) -> Plan {
        Plan(seed: seed, seconds: seconds, clients: clients, without: without)
    }

    /// The words that play a seed again.
    func words(_ seed: UInt64) -> String {
        "--seed \(seed)" + (seconds.map { " --seconds \($0)" } ?? "") + (clients.map { " --clients \($0)" } ?? "")
            + without.sorted().map { " --without \($0)" }.joined()
    }
}
