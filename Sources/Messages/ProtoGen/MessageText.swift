internal import ProtoSchema

/// A message in Swift: a struct with its fields, its initialisers and the types nested in it.
struct MessageText {
    private let schema: MessageSchema
    private let names: SwiftNames

    init(_ schema: MessageSchema, names: SwiftNames) {
        self.schema = schema
        self.names = names
    }

    func declare(in source: inout SourceText) {
        let properties = schema.properties(names)
        source.documentation(schema.comment)
        let name = names.type(schema.fullName).split(separator: ".").last ?? ""
        source.block("package struct \(name): WireMessage") { source in
            for property in properties {
                source.documentation(property.comment)
                source.line("package var \(property.name): \(property.type) = \(property.initial)")
            }
            if !properties.isEmpty { source.line() }
            source.line("package init() {}")
            if !properties.isEmpty { declareMemberwise(properties, in: &source) }
            for field in schema.fields {
                if let range = field.range { declare(range, of: field, in: &source) }
                if let length = field.length { declare(length, of: field, in: &source) }
            }
            for oneof in schema.choices {
                source.line()
                declare(oneof, in: &source)
            }
            for item in schema.enums {
                source.line()
                EnumText(item).declare(in: &source)
            }
            for message in schema.messages {
                source.line()
                MessageText(message, names: names).declare(in: &source)
            }
        }
    }

    private func declare(_ range: FieldRange, of field: FieldSchema, in source: inout SourceText) {
        let constant = Self.constant(of: field)
        let isDuration = field.type == .message("google.protobuf.Duration")
        let type = isDuration ? "Duration" : names.type(field.type)
        func text(_ number: Double) -> String {
            if isDuration { return ".milliseconds(\(Int((number * 1000).rounded())))" }
            return Int(exactly: number).map { "\($0)" } ?? "\(number)"
        }
        source.line()
        source.documentation("The allowed range of `\(constant)`.")
        let ends = [text(range.minimum), text(range.maximum)].joined(separator: isDuration ? " ... " : "...")
        source.line("package static let \(constant)Range: ClosedRange<\(type)> = \(ends)")
        guard let whenAbsent = range.whenAbsent else { return }
        source.documentation("The default of `\(constant)`.")
        source.line("package static let \(constant)Default: \(type) = \(text(whenAbsent))")
    }

    private func declare(_ length: FieldLength, of field: FieldSchema, in source: inout SourceText) {
        let constant = Self.constant(of: field)
        source.line()
        let things = field.isRepeated ? "entries" : field.type == .bytes ? "bytes" : "characters"
        source.documentation("How many \(things) `\(constant)` may have.")
        source.line("package static let \(constant)Length = \(length.minimum)...\(length.maximum)")
    }

    /// The beginning of the names of its constants.
    static func constant(of field: FieldSchema) -> String {
        SwiftNames.member(field.name).filter { $0 != "`" }
    }

    private func declareMemberwise(_ properties: [Property], in source: inout SourceText) {
        source.line()
        source.line("package init(")
        source.indented { source in
            for (index, property) in properties.enumerated() {
                let comma = index + 1 < properties.count ? "," : ""
                source.line("\(property.name): \(property.type) = \(property.initial)\(comma)")
            }
        }
        source.block(")") { source in
            for property in properties { source.line("self.\(property.name) = \(property.name)") }
        }
    }

    private func declare(_ choice: Choice, in source: inout SourceText) {
        source.documentation(choice.comment)
        source.block("package enum \(SwiftNames.upperCamel(choice.name)): Equatable, Sendable") { source in
            for field in choice.fields {
                source.documentation(field.comment)
                source.line("case \(SwiftNames.member(field.name))(\(names.type(field.type)))")
            }
        }
    }
}
