internal import Bytes
internal import EventLoops
internal import Files
internal import Storage

/// Brings databases back from their logs, as they were together at one moment.
package struct LogRestore: Sendable {
    /// What is brought back.
    package struct Plan: Sendable {
        /// The moment: milliseconds since 1970.
        package let time: Int64
        /// A state of each database.
        var states: [ShippedName]
        let logs: [String: ShippedLog]
        /// Whether all services had stopped in good order then, and stored everything.
        package var isEnd = false
        /// What a person has to know of it, in sentences.
        package var remarks: [String] = []

        /// The paths of the databases in a data folder.
        package var databases: [String] { states.map(\.database) }

        /// Without the states that are not newer than a backup, which was made at a time in seconds since 1970; nil
        /// when none is left.
        package func after(_ time: Int64) -> Plan? {
            var plan = self
            plan.states = states.filter { $0.time > time * 1_000 }
            return plan.states.isEmpty ? nil : plan
        }
    }

    /// A log that ended so much earlier than the others had nothing to say any more: milliseconds. Much longer than a
    /// slow disk keeps a cut waiting, or what such a log lacks would be taken for what there was.
    private static let silence: Int64 = 60_000
    /// How much earlier than the last moment one is looked for that all have: milliseconds.
    private static let longestSearch: Int64 = 60_000
    private static let maximumInFlight = 12

    private let vault: BackupVault

    package init(_ vault: BackupVault) { self.vault = vault }

    /// The newest moment that all databases have in common; nil when there is no log.
    ///
    /// Where changes were acknowledged when they were there, it is the last state of each: who saw a change of one has
    /// changed another one after that. Where all services stopped in good order, each is as it was last, and the moment
    /// is the first end. Else it is a moment of which each log says what its database was: one that was late has been
    /// cut at other moments. A log that ended much earlier than the others is brought back as it ended, and named.
    /// - Parameters:
    ///   - time: not later than this, in seconds since 1970.
    ///   - source: of the deployment; that with the newest log when nil.
    package func plan(at time: Int64?, of source: String? = nil) async throws -> Plan? {
        let all = try await vault.store.objects.list(ShippedName.folder).compactMap { ShippedName($0.name) }
        // All of the second that was asked for.
        let limit = time.map { $0 * 1_000 + 999 } ?? .max
        let states = all.filter { name in
            name.isState && name.time <= limit && source.map { name.source.isSame(as: $0) } ?? true
        }
        guard let source = states.max(by: { $0.time < $1.time })?.source else { return nil }
        var remarks = Set(all.map(\.source)).subtracting([source]).sorted().map {
            "Another deployment has stored its log there too; --source \($0) names it, and this is \(source)."
        }
        let logs = Dictionary(grouping: all.filter { $0.source.isSame(as: source) }, by: \.database)
            .mapValues { ShippedLog($0) }
        let ends = logs.values.compactMap { $0.state(at: limit)?.time }
        guard let last = ends.max() else { return nil }
        let isAwaited = logs.values.allSatisfy(\.isAwaited)
        let end = ends.filter { $0 >= last - Self.silence }.min() ?? last
        // All services stopped in good order, and at once: none wrote something after the end of its log. Of what
        // came after the first end it is not said that all is there: that service may have run again.
        let isEnded = logs.values.allSatisfy { $0.isEnded(at: limit) } && ends.allSatisfy { $0 >= end }
        let moment = isEnded ? end : isAwaited && time == nil ? last : Self.moment(of: logs, until: end)
        let common = isEnded ? last : moment ?? end
        var found: [ShippedName] = []
        for (database, log) in logs.sorted(by: { $0.key < $1.key }) {
            guard let state = log.state(at: common) else {
                remarks.append("The log of \(database) has nothing of that time that is whole.")
                continue
            }
            found.append(state)
            if state.lacksPictures {
                remarks.append(
                    "Pictures were still on their way at that moment: some of the last photos may lack theirs.")
            }
            if let side = log.sideLines.first(where: \.isState) {
                remarks.append(
                    "A copy of this machine stored into the log of \(database) too (\(side.stream)); what it stored is left"
                        + " out.")
            }
            if state.time < common - Self.silence {
                remarks.append(
                    "The log of \(database) ended earlier: \((common - state.time) / 1_000) s before the others.")
            }
        }
        guard let first = found.map(\.time).filter({ $0 >= common - Self.silence }).min() else { return nil }
        if moment == nil {
            remarks.append(
                "The databases have no moment in common in the minute before: some are as they were up to"
                    + " \((common - first) / 1_000 + 1) s earlier than others.")
        }
        return Plan(time: moment ?? first, states: found, logs: logs, isEnd: isEnded, remarks: remarks)
    }

    /// The last moment, not later than a time, of which it is known what each database was; nil when none is near.
    private static func moment(of logs: [String: ShippedLog], until end: Int64) -> Int64? {
        let logs = logs.values.filter { $0.state(at: end) != nil }
        let times = Set(logs.flatMap { $0.states.map(\.time) }).filter { end - longestSearch...end ~= $0 }
        return times.sorted(by: >).first { time in logs.allSatisfy { $0.isKnown(at: time) } }
    }

    /// Writes the databases of a plan below a folder that is there, in place of what it has of them, and pictures that
    /// it has not.
    /// - Parameter report: called with how many objects are read, of all.
    func run(
        _ plan: Plan, to folder: String, withPictures: Bool = true,
        _ report: @escaping @Sendable (_ done: Int, _ of: Int) -> Void
    ) async throws {
        var objects: [(ShippedName, [ShippedName])] = []
        for state in plan.states {
            guard let own = plan.logs[state.database]?.objects(of: state) else {
                throw BackupError(
                    "the log of \(state.database) at \(vault.store.place) has a gap before \(state.text); --at names an"
                        + " earlier moment")
            }
            objects.append((state, own))
        }
        // Only where the rows come that name them.
        let hasPictures = withPictures && plan.databases.contains { $0.begins(with: "photos/") }
        let pictures = hasPictures ? try await missingPictures(in: folder) : []
        let total = objects.reduce(pictures.count) { $0 + $1.1.count }
        var done = 0
        for (state, own) in objects {
            try await write(state, own, to: folder) {
                done += $0
                report(done, total)
            }
        }
        for start in stride(from: 0, to: pictures.count, by: Self.maximumInFlight) {
            let names = pictures[start..<min(pictures.count, start + Self.maximumInFlight)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names { group.addTask { try await restore(picture: name, to: folder) } }
                try await group.waitForAll()
            }
            done += names.count
            report(done, total)
        }
    }

    /// Reads objects from the last to the first: what a later one has of a page holds.
    private func write(
        _ state: ShippedName, _ objects: [ShippedName], to folder: String, _ report: (Int) -> Void
    ) async throws {
        let path = "\(folder)/\(state.database)"
        var file: PageFile?
        for start in stride(from: 0, to: objects.count, by: Self.maximumInFlight) {
            let names = Array(objects[start..<min(objects.count, start + Self.maximumInFlight)])
            for pages in try await fetch(names) {
                let before = file
                file = try await vault.blocking.run {
                    var file = try before ?? PageFile(path, of: pages)
                    try file.write(pages)
                    return file
                }
            }
            report(names.count)
            if file?.isWhole ?? false { break }
        }
        guard file?.isWhole ?? false else {
            throw BackupError("the log of \(state.database) at \(vault.store.place) lacks pages: it is damaged")
        }
        let fault = try await vault.blocking.run { try SQLiteFacts.fault(of: path) }
        if let fault {
            throw BackupError(
                "\(state.database) from the log at \(vault.store.place) is damaged (\(fault)); --at names an earlier moment"
            )
        }
    }

    private func fetch(_ names: [ShippedName]) async throws -> [ShippedPages] {
        try await withThrowingTaskGroup(of: (Int, ShippedPages).self) { group in
            for (index, name) in names.enumerated() { group.addTask { (index, try await pages(name)) } }
            var found: [Int: ShippedPages] = [:]
            for try await (index, pages) in group { found[index] = pages }
            return names.indices.compactMap { found[$0] }
        }
    }

    private func pages(_ name: ShippedName) async throws -> ShippedPages {
        guard let stored = try await vault.store.objects.get(name.text, limit: ShippedPages.longest) else {
            throw BackupError("\(name.text) at \(vault.store.place) went away; --at names an earlier moment")
        }
        let pages = try await vault.blocking.run { [vault] in
            vault.unwrap(stored, as: name.text).flatMap { ShippedPages(packed: $0) }
        }
        guard let pages else {
            throw BackupError("\(name.text) at \(vault.store.place) is damaged; --at names an earlier moment")
        }
        return pages
    }

    /// Objects with pictures that a folder has not.
    private func missingPictures(in folder: String) async throws -> [String] {
        let there = try await vault.blocking.run { [vault] in
            let path = "\(folder)/photos/blobs"
            guard try DiskFile.exists(path) else { return Set<String>() }
            return Set(
                try SmallFile.names(under: path).compactMap { name in
                    DataFiles.contentName("photos/blobs/\(name)").map { vault.objectName(of: $0) }
                })
        }
        return try await vault.store.pictures.list("pictures").map(\.name).filter { !there.contains($0) }
    }

    /// A picture and its name, as they are in an object; nil when it is damaged.
    static func picture(_ stored: [UInt8], of object: String, _ vault: BackupVault) -> (BlobName, [UInt8])? {
        guard let bytes = vault.unwrap(stored, as: object), bytes.count >= BlobName.byteCount,
            let name = BlobName(bytes: Array(bytes.prefix(BlobName.byteCount))),
            case let picture = Array(bytes.dropFirst(BlobName.byteCount)), BlobName(of: picture) == name
        else { return nil }
        return (name, picture)
    }

    private func restore(picture object: String, to folder: String) async throws {
        let limit = ShippingPictures.longest + 1_024
        // One that was removed meanwhile is of no row any more.
        guard let stored = try await vault.store.pictures.get(object, limit: limit) else { return }
        try await vault.blocking.run { [vault] in
            guard let (name, picture) = Self.picture(stored, of: object, vault) else {
                throw BackupError("\(object) at \(vault.store.place) is damaged: it is a picture")
            }
            let parent = "\(folder)/photos/blobs/\(name.text.prefix(2))"
            try DiskFile.makeFolder(parent)
            let path = "\(parent)/\(name.text.dropFirst(2))"
            // The same picture can be there sealed by two keys.
            guard try !DiskFile.exists(path) else { return }
            try DiskFile.create(path, byteCount: picture.count)
            let file = try Descriptor.writing(to: path)
            defer { withExtendedLifetime(file) {} }
            try DiskFile.writeAll(picture, to: file.number, at: 0, path)
        }
    }
}

/// A database that is written page by page, the last state of each first.
private struct PageFile: Sendable {
    private let file: Descriptor
    private let path: String
    private let pageBytes: Int
    private let pageCount: Int
    /// A bit for each page, as far as one was written.
    private var written: [UInt64] = []
    private var left: Int

    var isWhole: Bool { left == 0 }

    /// - Parameter last: of the state that is brought back.
    init(_ path: String, of last: ShippedPages) throws {
        self.path = path
        (pageBytes, pageCount) = (last.pageBytes, Int(last.pageCount))
        left = pageCount
        try DiskFile.makeFolder(DiskFile.folder(of: path))
        try DiskFile.remove(path)
        try DiskFile.create(path, byteCount: pageBytes * pageCount)
        file = try Descriptor.writing(to: path)
    }

    mutating func write(_ pages: ShippedPages) throws {
        guard pages.pageBytes == pageBytes || pages.numbers.isEmpty else {
            throw BackupError("the log of \(path) changes the size of its pages: it is damaged")
        }
        for (index, number) in pages.numbers.enumerated() where number <= pageCount {
            let (word, bit) = (Int(number / 64), UInt64(1) << UInt64(number % 64))
            if word >= written.count { written += Array(repeating: 0, count: word + 1 - written.count) }
            guard written[word] & bit == 0 else { continue }
            let start = pages.bytes.startIndex + index * pageBytes
            try DiskFile.writeAll(
                Array(pages.bytes[start..<(start + pageBytes)]), to: file.number, at: (Int(number) - 1) * pageBytes,
                path)
            written[word] |= bit
            left -= 1
        }
    }
}
