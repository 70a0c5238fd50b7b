import Bytes

/// A module of the web app, in the form in which all of them are written: it imports names from modules of the same
/// folder and of others, and exports what it declares.
struct WebModule {
    /// Why a module can't be joined with others.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Where a browser finds the modules.
    static let home = "/modules/"

    /// The modules that it imports from, in its order: "ground/dom.js".
    private(set) var imports: [String] = []
    /// The names that it exports, in its order.
    private(set) var exports: [String] = []
    /// Its text as the body of a function: names come from a table `modules`, and nothing is exported.
    private(set) var body = ""

    /// The folder that it is in, of those of the modules.
    private let folder: ArraySlice<Substring>

    /// - Parameter name: its path from the folder of all modules.
    init(_ text: String, name: String) throws(Problem) {
        folder = name.split(at: "/").dropLast()
        var statement = ""
        for (index, line) in text.split(at: "\n", omittingEmptySubsequences: false).enumerated() {
            // A comment is for those who read the module, and a type for the checker, not for browsers.
            if statement.isEmpty, line.trimmed.begins(with: "//") || Self.isType(line.trimmed) { continue }
            if !statement.isEmpty || line.begins(with: "import") {
                statement += line
                guard line.ends(with: ";") else { continue }
            }
            guard let line = statement.isEmpty ? exported(line) : imported(statement) else {
                let refused = statement.isEmpty ? String(line) : statement
                throw Problem(description: "\(name): line \(index + 1): \(refused) is not allowed; \(Self.allowed)")
            }
            body += "\(line)\n"
            statement = ""
        }
        guard statement.isEmpty else { throw Problem(description: "\(name): \(statement) has no end") }
    }

    /// Whether a line is one of types alone: `/** @param {string} name */`.
    private static func isType(_ line: Substring) -> Bool { line.begins(with: "/** @") && line.ends(with: "*/") }

    private static let allowed = """
        import { names } from "./module.js" or "../folder/module.js"; and export const, function, async function or \
        class are
        """

    /// A line that is no import, without `export`; nil when it exports in another form.
    private mutating func exported(_ line: Substring) -> String? {
        guard line.begins(with: "export") else { return later(line) }
        for declaration in ["const ", "function ", "async function ", "class "] {
            guard let rest = line.after("export \(declaration)") else { continue }
            let name = rest.unicodeScalars.prefix { $0.isASCIILetter || $0.isDigit || $0 == "_" || $0 == "$" }
            guard !name.isEmpty else { return nil }
            exports.append(String(name))
            return declaration + rest
        }
        return nil
    }

    /// A line, where a script that comes later has the path at which a browser finds it: the line runs in another file.
    private func later(_ line: Substring) -> String? {
        guard let call = line.utf8.firstRange(of: "import(\"".utf8) else { return String(line) }
        guard let (source, rest) = line[call.upperBound...].halves(at: "\""), let module = path(source) else {
            return nil
        }
        return "\(line[..<call.upperBound])\(Self.home)\(module)\"\(rest)"
    }

    /// Where a module is that this one calls so; nil for what is no module of the web app.
    private func path(_ source: Substring) -> String? {
        guard source.begins(with: "./") || source.begins(with: "../") else { return nil }
        var path = folder
        for step in source.split(at: "/", omittingEmptySubsequences: false) where !step.isSame(as: ".") {
            if step.isSame(as: "..") {
                guard path.popLast() != nil else { return nil }
            } else {
                path.append(step)
            }
        }
        return path.joined(separator: "/")
    }

    /// An import as a constant; nil when it has another form.
    private mutating func imported(_ statement: String) -> String? {
        guard let rest = Substring(statement).after("import {"), let close = rest.unicodeScalars.firstIndex(of: "}"),
            let source = rest[close...].after("} from \"")?.before("\";"), let module = path(source)
        else { return nil }
        let names = rest[..<close].split(at: ",").map { entry in
            entry.split(at: " ").joined(separator: " ").replacing(each: " as ", with: ": ")
        }
        imports.append(module)
        return "const { \(names.filter { !$0.isEmpty }.joined(separator: ", ")) } = modules[\"\(module)\"];"
    }
}
