internal import FieldRules
internal import ProtoSchema

/// The check of a message in Swift: what the options of its fields say, field by field.
struct CheckText {
    private let schema: MessageSchema
    private let names: SwiftNames
    private let checked: CheckedMessages

    init(_ schema: MessageSchema, names: SwiftNames, checked: CheckedMessages) {
        self.schema = schema
        self.names = names
        self.checked = checked
    }

    func declare(in source: inout SourceText) {
        source.block("extension \(names.type(schema.fullName))") { source in
            source.documentation("Refuses what the options of its fields in the .proto do not allow.")
            source.block("package func check() throws(Refusal)") { source in
                for field in schema.fields { check(field, in: &source) }
            }
        }
    }

    private func check(_ field: FieldSchema, in source: inout SourceText) {
        let name = SwiftNames.member(field.name)
        if field.isAnswered {
            return source.line("try FieldRule.answered(\(name) == \(absent(field)), \"\(field.name)\")")
        }
        if let range = field.range {
            if !range.isBySetting { check(range, of: field, name, in: &source) }
            return
        }
        switch field.type {
        case .string where field.isRepeated: checkTexts(field, name, in: &source)
        case .string: checkText(field, name, in: &source)
        case .bytes: checkCount(field, name, "bytes", in: &source)
        case .message(let type): checkMessage(field, name, type, in: &source)
        default: if field.isRepeated { checkCount(field, name, "entries", in: &source) }
        }
    }

    /// The value of a field that is absent.
    private func absent(_ field: FieldSchema) -> String {
        if field.isRepeated { return "[]" }
        if field.hasPresence { return "nil" }
        return switch field.type {
        case .bool: "false"
        case .string: "\"\""
        case .bytes: "[]"
        case .enum(let type): "\(names.type(type))(rawValue: 0)"
        default: "0"
        }
    }

    private func check(_ range: FieldRange, of field: FieldSchema, _ name: String, in source: inout SourceText) {
        var arguments = [name, "Self.\(MessageText.constant(of: field))Range", quoted(field.name)]
        if !range.unit.isEmpty { arguments.append("unit: \(quoted(range.unit))") }
        if !range.allowed.isEmpty { arguments.append("allowed: \(quoted(range.allowed))") }
        source.line("try FieldRule.range(\(arguments.joined(separator: ", ")))")
    }

    private func checkText(_ field: FieldSchema, _ name: String, in source: inout SourceText) {
        guard field.hasRule else { return }
        var arguments = [name, quoted(field.name)]
        if let form = field.form { arguments.append(".\(form)") }
        if field.length != nil { arguments.append("length: Self.\(MessageText.constant(of: field))Length") }
        arguments += presence(field)
        source.line("try FieldRule.text(\(arguments.joined(separator: ", ")))")
    }

    private func checkTexts(_ field: FieldSchema, _ name: String, in source: inout SourceText) {
        guard field.hasRule else { return }
        var arguments = [name, quoted(field.name)]
        if let form = field.form { arguments.append(".\(form)") }
        if let length = field.length {
            arguments.append("length: Self.\(MessageText.constant(of: field))Length")
            if !length.things.isEmpty { arguments.append("of: \(quoted(length.things))") }
        }
        arguments += presence(field)
        source.line("try FieldRule.texts(\(arguments.joined(separator: ", ")))")
    }

    private func checkCount(_ field: FieldSchema, _ name: String, _ things: String, in source: inout SourceText) {
        guard let length = field.length else { return }
        var arguments = ["\(name).count", "Self.\(MessageText.constant(of: field))Length", quoted(field.name)]
        arguments.append("of: \(quoted(length.things.isEmpty ? things : length.things))")
        arguments += presence(field)
        source.line("try FieldRule.count(\(arguments.joined(separator: ", ")))")
    }

    private func presence(_ field: FieldSchema) -> [String] {
        var arguments: [String] = []
        if field.isRequired { arguments.append("as: .required") }
        if !field.isRequired, field.hasPresence { arguments.append("as: .given") }
        if !field.needed.isEmpty { arguments.append("needed: \(quoted(field.needed))") }
        return arguments
    }

    private func checkMessage(_ field: FieldSchema, _ name: String, _ type: String, in source: inout SourceText) {
        if field.isRepeated { checkCount(field, name, "entries", in: &source) }
        let hasCheck = checked.names.contains(type)
        if field.isRequired, !field.isRepeated {
            let needed = field.needed.isEmpty ? checked.needed(type) : field.needed
            let missing = "throw Refusal(missing: \(quoted(field.name)), needed: \(quoted(needed)))"
            source.line(
                hasCheck ? "guard let \(name) else { \(missing) }" : "if \(name) == nil { \(missing) }")
            if hasCheck { source.line(checking(name, within: field.name)) }
            return
        }
        guard hasCheck else { return }
        let opening = field.isRepeated ? "for (index, item) in \(name).enumerated()" : "if let \(name)"
        let (value, place) = field.isRepeated ? ("item", "\(field.name)[\\(index)]") : (name, field.name)
        source.block(opening) { source in
            source.line(checking(value, within: place))
        }
    }

    private func checking(_ value: String, within place: String) -> String {
        "do { try \(value).check() } catch { throw error.within(\(quoted(place))) }"
    }

    private func quoted(_ text: String) -> String {
        "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\""))\""
    }
}
