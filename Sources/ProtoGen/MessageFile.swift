internal import ProtoSchema

/// The Swift file with the messages and enums of one .proto.
struct MessageFile {
    let text: String

    init(_ file: FileSchema, names: SwiftNames) {
        var source = SourceText()
        source.banner(file.name)
        if !file.messages.isEmpty {
            source.line("internal import \(file.cModule)")
            if !file.isWire { source.line("package import Wire") }
        }
        for item in file.enums {
            source.line()
            EnumText(item).declare(in: &source)
        }
        for message in file.messages {
            source.line()
            MessageText(message, names: names).declare(in: &source)
        }
        for message in file.messages.flatMap(\.withNested) {
            source.line()
            BridgeText(message, names: names).declare(in: &source)
        }
        text = source.text
    }
}
