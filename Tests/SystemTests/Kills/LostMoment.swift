import FoundationEssentials
import Glibc
import TestSupport
import TestTools
import Testing
import WholeSystem

@testable import Storage

/// What the place of a log has at a moment while a system is under load: all that is left when its machine is gone
/// then.
///
/// Stored objects are never written to again, so links to them are a copy. The services are halted while these are
/// made: what is there is then what it would be after a kill.
struct LostMoment: Sendable {
    let place: String
    /// What was acknowledged until then is asked for: milliseconds since 1970.
    let end: Int64

    private struct Restored: Decodable {
        let moment: Double
        let remarks: [String]
    }

    /// What came back.
    struct Back: Sendable {
        /// What it is as it was at: milliseconds since 1970.
        let moment: Int64
        /// Whether pictures of the last photos were not asked to be there.
        let lacksPictures: Bool
        let pins: Set<String>
        let photos: Set<String>
    }

    static func take(of place: String, as copy: String, _ processes: [Int32]) throws -> LostMoment {
        let end = LogFollower.now
        for process in processes { kill(process, SIGSTOP) }
        defer { for process in processes { kill(process, SIGCONT) } }
        for path in Files.below(place) where !path.hasSuffix(".partial") {
            try Files.link("\(place)/\(path)", at: "\(copy)/\(path)")
        }
        return LostMoment(place: copy, end: end)
    }

    /// Brings it back into a folder, and looks at what the databases and the pictures there are.
    func restore(to data: String) async throws -> Back {
        defer { TemporaryFolder.remove(data) }
        let run = try await ProgramRun.run("waymark", ["restore", "--from", place, "--data", data, "--json"])
        try #require(run.code == 0, "\(run)")
        let restored = try JSONDecoder().decode(Restored.self, from: Data(run.output.utf8))
        let lacksPictures = restored.remarks.contains { $0.contains("Pictures") }
        let faults = try await StoredState(data: data).differences().filter { fault -> Bool in
            // What the start would do, or remove.
            let later = ["job that waits", "blob that no picture names", "place that photo-service"]
            return !later.contains { fault.hasPrefix($0) }
                && !(lacksPictures && fault.hasPrefix("picture without its blob"))
        }
        #expect(faults.isEmpty, "\(place): \(faults.prefix(5))")
        return try await BlockingCalls.run {
            for name in ["pins/pins.db", "photos/photos.db", "places/live.db"] {
                let found = try SQLiteFacts.faults(of: "\(data)/\(name)")
                #expect(found.isEmpty, "\(place): \(name): \(found)")
            }
            return Back(
                moment: Int64(restored.moment * 1_000), lacksPictures: lacksPictures,
                pins: Set(try StoredState.texts("\(data)/pins/pins.db", ["SELECT lower(hex(id)) FROM pins"])),
                photos: Set(try StoredState.texts("\(data)/photos/photos.db", ["SELECT id FROM photos"])))
        }
    }
}

/// What was lost at many moments.
struct Losses {
    private var pins: [Int] = []
    private var ages: [Int] = []

    /// - Parameters:
    ///   - pins: how many were acknowledged and are not there.
    ///   - age: how long before the end the oldest of them was, in milliseconds; 0 without one.
    mutating func add(pins count: Int, age: Int) {
        pins.append(count)
        ages.append(age)
    }

    /// "500 moments; pins lost 3, 9, 12 and milliseconds 400, 700, 812 (half of them, 99 in 100, all no more than)"
    var text: String {
        func shares(_ values: [Int]) -> String {
            let sorted = values.sorted()
            return [50, 99, 100].map { "\(sorted[min(sorted.count - 1, sorted.count * $0 / 100)])" }
                .joined(separator: ", ")
        }
        guard !pins.isEmpty else { return "no moments" }
        return "\(pins.count) moments; pins lost \(shares(pins)) and milliseconds \(shares(ages)) (half of them, 99 in"
            + " 100, all at most)"
    }
}
