internal import ProtoSchema

/// The Swift file with the messages and enums of one .proto.
struct MessageFile {
    let text: String

    init(_ file: FileSchema, names: SwiftNames, checked: CheckedMessages) {
        var source = SourceText()
        source.banner(file.name)
        let all = file.messages.flatMap(\.withNested)
        let withCheck = all.filter { checked.names.contains($0.fullName) }
        if !file.messages.isEmpty {
            source.line("internal import \(file.part.cModule)")
            if !withCheck.isEmpty {
                source.line("internal import FieldRules")
                source.line("package import Refusals")
            }
            let types = all.flatMap(\.fields).map(\.type.spelling)
            source.imports(names.modules(of: types).union(["Wire"]).subtracting([file.part.module]))
        }
        for item in file.enums {
            source.line()
            EnumText(item).declare(in: &source)
        }
        for message in file.messages {
            source.line()
            MessageText(message, names: names).declare(in: &source)
        }
        for message in all {
            source.line()
            BridgeText(message, names: names).declare(in: &source)
        }
        for message in withCheck {
            source.line()
            CheckText(message, names: names, checked: checked).declare(in: &source)
        }
        text = source.text
    }
}

/// An enum in Swift: a number with names for the known ones, so that what newer peers send is kept.
struct EnumText {
    private let schema: EnumSchema

    init(_ schema: EnumSchema) { self.schema = schema }

    func declare(in source: inout SourceText) {
        source.documentation(schema.comment)
        source.block("package struct \(schema.name): RawRepresentable, Hashable, Sendable") { source in
            source.line("package var rawValue: Int32")
            source.line()
            source.line("package init(rawValue: Int32) { self.rawValue = rawValue }")
            for value in schema.values {
                source.line()
                source.documentation(value.comment)
                let name = SwiftNames.value(value.name, of: schema.name)
                source.line("package static let \(name) = \(schema.name)(rawValue: \(value.number))")
            }
        }
    }
}
