import Testing

@Suite("The web app's modules import one way")
struct ModuleTests {
    /// Which folders of Web/modules each one may import from: only what stands above it, so that there is no circle.
    /// What lies in no folder begins the app, and may import all.
    private static let arrows: [(folder: String, allowed: Set<String>)] = [
        ("ground", []),
        ("shared", ["ground"]),
        ("offline", ["ground"]),
        ("server", ["ground", "offline"]),
        ("paint", ["ground"]),
        ("map", ["ground", "server", "paint"]),
        ("networks", ["ground", "server"]),
        ("hours", ["ground"]),
        ("photos", ["ground", "offline", "server", "map"]),
        ("places", ["ground", "offline", "server", "map", "networks", "hours", "photos"]),
        ("pins", ["ground", "offline", "server", "map", "networks", "photos", "places"]),
        ("people", ["ground", "offline", "server", "map", "networks", "pins"]),
        ("sharing", ["ground", "server", "map", "photos", "people"]),
        ("lists", ["ground", "offline", "server", "map", "pins", "sharing"]),
        ("tracks", ["ground", "server", "map", "lists"]),
        ("files", ["ground", "server", "lists", "tracks"]),
        ("taken", ["ground", "offline", "server", "map", "pins"]),
        ("search", ["ground", "server", "map", "networks", "photos", "places", "pins", "taken"]),
        ("settings", ["ground", "server", "map", "networks", "photos", "files", "taken"]),
    ]
    private static let modules = SourceTree.files.filter {
        $0.path.hasPrefix("Web/modules/") && $0.path.hasSuffix(".js")
    }

    @Test("each folder may import from what stands above it")
    func order() {
        var above: Set<String> = []
        for (folder, allowed) in Self.arrows {
            #expect(allowed.isSubset(of: above), "\(folder)")
            above.insert(folder)
        }
        #expect(above == Set(Self.modules.compactMap { Self.folder(of: $0.path) }))
    }

    @Test("each module imports what its folder may")
    func imports() {
        let allowed = Dictionary(uniqueKeysWithValues: Self.arrows.map { ($0.folder, $0.allowed) })
        for module in Self.modules {
            guard let folder = Self.folder(of: module.path) else { continue }
            for line in module.lines {
                // Of a later script as well: import("../pages.js").
                for other in Self.imported(line) {
                    #expect(allowed[folder]?.contains(other) == true, "\(module.path) imports from \(other)")
                }
            }
        }
    }

    @Test(
        "an import from another folder is seen",
        arguments: [
            ("import { el } from \"../ground/dom.js\";", ["ground"]), ("} from \"../map/map.js\";", ["map"]),
            ("await import(\"../map/map.js\");", ["map"]), ("await import(\"../pages.js\");", [".."]),
            ("import { near } from \"./turns.js\";", []),
        ])
    func parsing(line: String, folders: [String]) {
        #expect(Self.imported(line[...]) == folders)
    }

    private static func folder(of path: String) -> String? {
        let folders = path.split(separator: "/").dropLast().dropFirst(2)
        return folders.first.map { String($0) }
    }

    /// The folders of other modules that a line imports from; ".." for what lies in none.
    private static func imported(_ line: Substring) -> [String] {
        guard line.contains("import(") || line.contains("from ") else { return [] }
        return line.split(separator: "\"").filter { $0.hasPrefix("../") && $0.hasSuffix(".js") }.map { source in
            let steps = source.split(separator: "/")
            return steps.count > 2 ? String(steps[1]) : ".."
        }
    }
}
