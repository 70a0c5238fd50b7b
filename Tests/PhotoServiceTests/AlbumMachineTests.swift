import TestTools
import Testing

@testable import PhotoService

@Suite("P17 P18 P19 P20 P21 What becomes of an album by what happens to it")
struct AlbumMachineTests {
    /// What can be known of an album: its phase and its counters.
    private struct Situation: Hashable {
        var phase: AlbumPhase
        var counters = AlbumCounters()
        let isPin: Bool

        var state: AlbumState { phase.state(counters) }

        static let ofPin = Situation(
            phase: AlbumPhase(isSearching: true, isCollecting: false, isOpened: true, collection: 1), isPin: true)
        static let ofPlace = Situation(
            phase: AlbumPhase(isSearching: false, isCollecting: false, isOpened: false, collection: 1), isPin: false)
    }

    /// A column of the table: what happens, and all that may follow.
    private enum Column: String, CaseIterable {
        case searchRequested = "search begins"
        case searched = "search ends"
        case opened
        case collectionRequested = "New Collection"
        case collected = "collection found"
        case photoAdded = "photo added"
        case photoTakenOut = "photo taken out"
        case pictureStored = "picture stored"
        case pictureFailed = "picture failed"

        /// Nil where it can't happen to such an album; empty where it is refused.
        func after(_ old: Situation) -> [Situation]? {
            switch self {
            case .searchRequested: Self.taking([.searchRequested], old)
            case .searched:
                Self.taking(
                    [.searched(isAwaited: false)]
                        + (old.isPin && old.counters.photos == 0 ? [.searched(isAwaited: true)] : []), old)
            case .opened: old.isPin ? nil : Self.taking([.opened], old)
            case .collectionRequested: Self.taking([.collectionRequested], old)
            case .collected: Self.taking([.collected(hasOthers: false), .collected(hasOthers: true)], old)
            case .photoAdded: Self.counting(old, [(1, 0, 0), (1, 1, 0), (1, 0, 1)])
            case .photoTakenOut: Self.counting(old, [(-1, 0, 0), (-1, -1, 0), (-1, 0, -1)])
            case .pictureStored: Self.counting(old, [(0, 1, 0), (0, 1, -1)])
            case .pictureFailed: Self.counting(old, [(0, 0, 1), (0, -1, 1)])
            }
        }

        private static func taking(_ events: [AlbumEvent], _ old: Situation) -> [Situation] {
            events.compactMap { event in
                old.phase.after(event, old.counters).map { phase in
                    Situation(phase: phase, counters: old.counters, isPin: old.isPin)
                }
            }
        }

        /// What follows where there is a photo of which that can become true.
        private static func counting(_ old: Situation, _ changes: [(Int64, Int64, Int64)]) -> [Situation]? {
            let all = changes.map { change in
                AlbumCounters(
                    photos: old.counters.photos + change.0, ready: old.counters.ready + change.1,
                    failed: old.counters.failed + change.2)
            }
            let possible = all.filter { $0.ready >= 0 && $0.failed >= 0 && $0.ready + $0.failed <= $0.photos }
            guard !possible.isEmpty else { return nil }
            return possible.map { Situation(phase: old.phase, counters: $0, isPin: old.isPin) }
        }
    }

    /// All situations that albums of few photos and two collections get into.
    private static let reachable: Set<Situation> = {
        var (found, open): (Set<Situation>, [Situation]) = ([.ofPin, .ofPlace], [.ofPin, .ofPlace])
        while let situation = open.popLast() {
            for next in Column.allCases.compactMap({ $0.after(situation) }).joined()
            where next.counters.photos <= 3 && next.phase.collection <= 2 && found.insert(next).inserted {
                open.append(next)
            }
        }
        return found
    }()

    private static let states: [(AlbumState, String)] = [
        (.listed, "LISTED"), (.searching, "SEARCHING"), (.downloading, "DOWNLOADING"), (.complete, "COMPLETE"),
        (.empty, "EMPTY"), (.completeWithErrors, "COMPLETE_WITH_ERRORS"), (.failed, "FAILED"),
    ]

    /// The table as Docs/Albums.md has it.
    private static var table: [String] {
        let head = "| state | " + Column.allCases.map(\.rawValue).joined(separator: " | ") + " |"
        let line = "|" + String(repeating: " --- |", count: Column.allCases.count + 1)
        return [head, line]
            + states.map { state, name in
                let cells = Column.allCases.map { cell($0, state) }
                return "| \(name) | " + cells.joined(separator: " | ") + " |"
            }
    }

    private static func cell(_ column: Column, _ state: AlbumState) -> String {
        let results = reachable.filter { $0.state == state }.compactMap { column.after($0) }
        if results.isEmpty { return "never" }
        let next = Set(results.joined().map(\.state))
        if next.isEmpty { return "refused" }
        let names = states.filter { next.contains($0.0) }.map { $0.0 == state ? "stays" : $0.1 }
        return names.joined(separator: ", ")
    }

    @Test("is what the table in Docs/Albums.md says, in every state and for all that can happen")
    func documented() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let page = try WholeFile.text("\(root)/Docs/Albums.md")
        let written = page.split(separator: "\n").map(String.init).drop { !$0.hasPrefix("| state |") }
        let table = Self.table.joined(separator: "\n")
        #expect(written.prefix { $0.hasPrefix("|") } == Self.table[...], "it has to be:\n\(table)")
    }

    @Test("an event that comes again changes nothing more, and a New Collection is taken in final states alone")
    func repeated() {
        #expect(Self.reachable.count > 100)
        for old in Self.reachable {
            for event in [AlbumEvent.searchRequested, .searched(isAwaited: false), .opened] {
                guard let once = old.phase.after(event, old.counters) else {
                    Issue.record("\(event) is refused in \(old)")
                    continue
                }
                #expect(once.after(event, old.counters) == once)
                #expect(once.collection == old.phase.collection)
            }
            #expect((old.phase.after(.collectionRequested, old.counters) != nil) == old.state.isFinal)
            let collected = old.phase.after(.collected(hasOthers: true), old.counters)
            #expect((collected != nil) == old.phase.isCollecting)
            #expect(collected.map(\.collection) ?? old.phase.collection + 1 == old.phase.collection + 1)
        }
    }

    @Test("from every state a final one can be reached, for a place once it was opened")
    func ends() {
        for start in Self.reachable {
            var situation = start
            let ends: [AlbumEvent] = [.collected(hasOthers: false), .searched(isAwaited: false), .opened]
            for event in ends {
                situation.phase = situation.phase.after(event, situation.counters) ?? situation.phase
            }
            let rest = situation.counters.photos - situation.counters.failed
            situation.counters.ready = rest
            #expect(situation.state.isFinal, "\(start)")
        }
    }
}
