import Bytes

/// A module of the web app, in the form in which all of them are written: it imports names from modules beside it, and
/// exports what it declares.
struct WebModule {
    /// Why a module can't be joined with others.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// The modules that it imports from, in its order: "dom.js".
    private(set) var imports: [String] = []
    /// The names that it exports, in its order.
    private(set) var exports: [String] = []
    /// Its text as the body of a function: names come from a table `modules`, and nothing is exported.
    private(set) var body = ""

    /// - Parameter name: what the module is called in a refusal.
    init(_ text: String, name: String) throws(Problem) {
        var statement = ""
        for (index, line) in text.split(at: "\n", omittingEmptySubsequences: false).enumerated() {
            // A comment is for those who read the module, not for browsers.
            if statement.isEmpty, line.trimmed.begins(with: "//") { continue }
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

    private static let allowed = """
        import { names } from "./module.js"; and export const, function, async function or class are
        """

    /// A line that is no import, without `export`; nil when it exports in another form.
    private mutating func exported(_ line: Substring) -> String? {
        guard line.begins(with: "export") else { return String(line) }
        for declaration in ["const ", "function ", "async function ", "class "] {
            guard let rest = line.after("export \(declaration)") else { continue }
            let name = rest.unicodeScalars.prefix { $0.isASCIILetter || $0.isDigit || $0 == "_" || $0 == "$" }
            guard !name.isEmpty else { return nil }
            exports.append(String(name))
            return declaration + rest
        }
        return nil
    }

    /// An import as a constant; nil when it has another form.
    private mutating func imported(_ statement: String) -> String? {
        guard let rest = Substring(statement).after("import {"), let close = rest.unicodeScalars.firstIndex(of: "}"),
            let source = rest[close...].after("} from \"./")?.before("\";")
        else { return nil }
        let module = String(source)
        let names = rest[..<close].split(at: ",").map { entry in
            entry.split(at: " ").joined(separator: " ").replacing(each: " as ", with: ": ")
        }
        imports.append(module)
        return "const { \(names.filter { !$0.isEmpty }.joined(separator: ", ")) } = modules[\"\(module)\"];"
    }
}
