import FeatureFiles

/// Takes the changes of a file of OpenStreetMap's XML, https://wiki.openstreetmap.org/wiki/OsmChange, and those of
/// older writers that leave out what is known by itself. What can't be read costs its element.
final class ChangeCollector: MarkupVisitor {
    /// What an element that is being read has so far.
    private struct Draft {
        let kind: OSMElement.Kind
        let line: UInt64
        let id: Int64
        let version: Int64?
        let time: Int64?
        var point: (latitude: Int64, longitude: Int64)?
        var tags: [OSMElement.Tag] = []
        var nodes: [Int64] = []
        var members: [OSMElement.Member] = []
        /// Of the texts in it.
        var bytes = 0
    }

    private static let root = "osmChange"
    /// Parts of one element, and bytes of their texts: some times what OpenStreetMap takes.
    private static let maximumParts = 100_000
    private static let maximumBytes = 4 << 20

    var changes = OSMChanges()
    /// In milliseconds since 1970: what is said to be later was written by a wrong clock.
    private let now: Int64
    /// What is wrong with elements, until it is taken.
    private var problems: [(line: UInt64, RowProblem)] = []
    /// Whether the file that is read is one of changes.
    private(set) var isRoot = false
    private(set) var count: UInt64 = 0
    private var isDeleting = false
    private var draft: Draft?

    init(now: Int64 = .max) { self.now = now }

    func takeProblems() -> [(line: UInt64, RowProblem)] {
        defer { problems = [] }
        return problems
    }

    /// Another file begins.
    func beginFile() { (isRoot, isDeleting, draft) = (false, false, nil) }

    func begin(_ name: String, line: UInt64, _ attribute: (String) -> String?) {
        switch name {
        case Self.root: isRoot = true
        case "create", "modify": isDeleting = false
        case "delete": isDeleting = true
        case "node": begin(.node, line, attribute)
        case "way": begin(.way, line, attribute)
        case "relation": begin(.relation, line, attribute)
        case "tag": addTag(attribute)
        case "nd": if let id = part("nd", attribute("ref").flatMap { Int64($0) }) { draft?.nodes.append(id) }
        case "member": addMember(attribute)
        default: break
        }
    }

    func end(_ name: String, _ text: String) {
        if ["create", "modify", "delete"].contains(name) { isDeleting = false }
        guard let draft, ["node", "way", "relation"].contains(name) else { return }
        self.draft = nil
        count += 1
        let shape: OSMElement.Shape
        switch draft.kind {
        case .node:
            guard let point = draft.point else {
                return isDeleting ? add(draft, nil) : refuse(draft.line, "node/\(draft.id) has no position on Earth")
            }
            shape = .point(latitude: point.latitude, longitude: point.longitude)
        case .way: shape = .line(draft.nodes)
        case .relation: shape = .members(draft.members)
        }
        add(draft, isDeleting ? nil : OSMElement(id: draft.id, tags: draft.tags, shape: shape))
    }

    private func add(_ draft: Draft, _ element: OSMElement?) {
        let change = OSMChanges.Change(id: draft.id, element: element, version: draft.version)
        changes.add(change, draft.kind, at: draft.time)
    }

    private func begin(_ kind: OSMElement.Kind, _ line: UInt64, _ attribute: (String) -> String?) {
        guard let id = attribute("id").flatMap({ Int64($0) }) else {
            draft = nil
            return refuse(line, "a \(kind) has the id \((attribute("id") ?? "").quoted), which is no number")
        }
        draft = Draft(
            kind: kind, line: line, id: id, version: attribute("version").flatMap { Int64($0) },
            time: attribute("timestamp").flatMap(FileTime.milliseconds).flatMap { $0 <= now ? $0 : nil })
        guard kind == .node, let latitude = Self.degrees(attribute("lat"), 90),
            let longitude = Self.degrees(attribute("lon"), 180)
        else { return }
        draft?.point = (latitude, longitude)
    }

    private func addTag(_ attribute: (String) -> String?) {
        let (key, value) = (attribute("k"), attribute("v"))
        let bytes = (key?.utf8.count ?? 0) + (value?.utf8.count ?? 0)
        guard let key = part("tag", key, bytes: bytes), let value else { return }
        draft?.tags.append(OSMElement.Tag(key: Array(key.utf8), value: Array(value.utf8)))
    }

    private func addMember(_ attribute: (String) -> String?) {
        let kinds: [String: OSMElement.Kind] = ["node": .node, "way": .way, "relation": .relation]
        let (kind, role) = (attribute("type").flatMap { kinds[$0] }, Array((attribute("role") ?? "").utf8))
        guard let kind = part("member", kind, bytes: role.count),
            let id = part("member", attribute("ref").flatMap { Int64($0) })
        else {
            return
        }
        draft?.members.append(OSMElement.Member(kind: kind, id: id, role: role))
    }

    /// A part of the element, unless it can't be read or there are too many of them: that costs the element.
    private func part<Value>(_ name: String, _ value: Value?, bytes: Int = 0) -> Value? {
        draft?.bytes += bytes
        guard let draft else { return nil }
        let count = draft.tags.count + draft.nodes.count + draft.members.count
        guard let value, count < Self.maximumParts, draft.bytes <= Self.maximumBytes else {
            self.draft = nil
            let reason =
                value == nil
                ? "a \(name) in it can't be read"
                : "it has more than \(Self.maximumParts) parts or \(Self.maximumBytes) bytes of text"
            refuse(draft.line, "\(draft.kind)/\(draft.id): \(reason)")
            return nil
        }
        return value
    }

    private func refuse(_ line: UInt64, _ reason: String) { problems.append((line, RowProblem(reason))) }

    /// In 1e-9 degrees, rounded to 1e-7 as all of OpenStreetMap is.
    private static func degrees(_ text: String?, _ limit: Double) -> Int64? {
        guard let degrees = text.flatMap({ Double($0) }), abs(degrees) <= limit else { return nil }
        return Int64((degrees * 1e7).rounded()) * 100
    }
}
