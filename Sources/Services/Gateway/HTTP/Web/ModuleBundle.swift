import Bytes
import Files

/// The modules of the web app as a few scripts: what the first look at the map needs, which would otherwise be a
/// request for each, and what comes later. Each module runs once, in a function of its own, and is also found under its
/// own path.
struct ModuleBundle {
    /// The module where everything begins; its file has all that it needs.
    static let entry = "main.js"
    /// The module that is imported when it is needed; its file has what it needs besides.
    static let later = ["pages.js"]
    /// What runs in a worker, where there is nothing of the others: its file has all that it needs.
    static let workers = ["paint/painter.js"]
    /// A module larger than this is not one of the web app.
    private static let limit = 1 << 20

    /// The texts to serve, by name. Modules that the first one doesn't need are not among them.
    private(set) var files: [String: String] = [:]

    /// Reads a folder of modules; without `main.js` in it nothing is joined. Blocks.
    init(folder: String) throws { try self.init(try Self.texts(folder)) }

    /// - Parameter texts: the modules by their paths.
    init(_ texts: [String: String]) throws(WebModule.Problem) {
        guard texts[Self.entry] != nil else { return }
        var order = ModuleOrder(texts: texts)
        try order.visit(Self.entry)
        add(order.modules, to: Self.entry, begin: "export const modules = {};\n\(Self.wait)")
        for name in Self.later where texts[name] != nil {
            let earlier = order.modules.count
            try order.visit(name)
            let own = order.modules.dropFirst(earlier)
            add(own, to: name, begin: Self.imports)
            files[name]? += own.last.map(Self.exports) ?? ""
        }
        for name in Self.workers where texts[name] != nil {
            var order = ModuleOrder(texts: texts)
            try order.visit(name)
            let whole = order.modules.map(Self.whole).joined()
            files[name] = "const modules = {};\n\(whole)\(order.modules.last.map(Self.exports) ?? "")"
        }
    }

    /// The words of the reader's language are there before the first module runs; `ground/reader.js` fetches them.
    private static let wait = "await window.words?.come;\n"

    private typealias NamedModule = (name: String, module: WebModule)

    /// A module of a folder with all that it needs, as one script. Blocks.
    static func script(folder: String, _ name: String) throws -> String {
        var order = ModuleOrder(texts: try texts(folder))
        try order.visit(name)
        return "const modules = {};\n\(wait)" + order.modules.map(whole).joined()
    }

    private static func whole(_ named: NamedModule) -> String {
        let exports = named.module.exports.joined(separator: ", ")
        return "modules[\"\(named.name)\"] = (() => {\n\(named.module.body)return { \(exports) };\n})();\n"
    }

    private static func texts(_ folder: String) throws -> [String: String] {
        var texts: [String: String] = [:]
        for name in try SmallFile.names(under: folder) where name.ends(with: ".js") {
            texts[name] = String(decoding: try SmallFile.read("\(folder)/\(name)", limit: limit), as: UTF8.self)
        }
        return texts
    }

    /// Puts modules into one file, and for each one that leads to it.
    private mutating func add(_ modules: some Sequence<NamedModule>, to file: String, begin: String) {
        var whole = begin
        for named in modules {
            whole += Self.whole(named)
            let load = file == Self.entry ? "" : "import \"\(WebModule.home)\(file)\";\n"
            files[named.name] = load + Self.imports + Self.exports(named)
        }
        files[file] = whole
    }

    private static let imports = "import { modules } from \"\(WebModule.home)\(entry)\";\n"

    private static func exports(_ named: NamedModule) -> String {
        "export const { \(named.module.exports.joined(separator: ", ")) } = modules[\"\(named.name)\"];\n"
    }
}

/// Modules in the order in which they run: each behind those that it imports.
private struct ModuleOrder {
    let texts: [String: String]
    private(set) var modules: [(name: String, module: WebModule)] = []
    private var isDone: Set<String> = []
    /// The way to the module that is looked at.
    private var path: [String] = []

    init(texts: [String: String]) { self.texts = texts }

    mutating func visit(_ name: String) throws(WebModule.Problem) {
        if isDone.contains(name) { return }
        guard !path.contains(name) else {
            throw WebModule.Problem(description: "\((path + [name]).joined(separator: " imports ")): in a circle")
        }
        guard let text = texts[name] else {
            throw WebModule.Problem(description: "\(path.last ?? ""): it imports \(name), which is not there")
        }
        let module = try WebModule(text, name: name)
        path.append(name)
        for next in module.imports { try visit(next) }
        path.removeLast()
        isDone.insert(name)
        modules.append((name, module))
    }
}
