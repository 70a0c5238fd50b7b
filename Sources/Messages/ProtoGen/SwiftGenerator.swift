internal import ProtoSchema

/// Decides which files come of which .proto files.
struct SwiftGenerator {
    private let schema: Schema
    private let names: SwiftNames
    private let checked: CheckedMessages

    /// Throws when the schema has anything that is not generated.
    init(_ schema: Schema) throws(GenerationError) {
        self.schema = schema
        try Refusals(schema).check()
        names = try SwiftNames(schema)
        checked = CheckedMessages(schema)
    }

    /// - Parameter paths: the .proto files to generate for; the others are only imported.
    func files(for paths: Set<String>) -> [GeneratedFile] {
        // What is made of all files at once goes with one that is always there.
        let ofAll = [
            GeneratedFile(path: WebLimits.path, content: WebLimits(schema).text),
            GeneratedFile(path: ServiceTable.path, content: ServiceTable(schema).text),
        ]
        return (paths.contains(FileSchema.options) ? ofAll : []) + swiftFiles(for: paths)
    }

    private func swiftFiles(for paths: Set<String>) -> [GeneratedFile] {
        schema.files.filter { $0.isGenerated && paths.contains($0.name) }.flatMap { file in
            var files: [GeneratedFile] = []
            if !file.messages.isEmpty || !file.enums.isEmpty {
                let content = MessageFile(file, names: names, checked: checked).text
                files.append(
                    GeneratedFile(path: "\(file.part.folder)/Generated/\(file.stem).pb.swift", content: content))
            }
            if !file.services.isEmpty {
                let content = ServiceFile(file, of: schema, names: names, checked: checked).text
                let folder = file.part.serviceFolder
                files.append(GeneratedFile(path: "\(folder)/Generated/\(file.stem).rpc.swift", content: content))
                files.append(
                    GeneratedFile(
                        path: "Tests/Fakes/Generated/\(file.stem).fake.swift",
                        content: FakeFile(file, names: names).text))
            }
            return files
        }
    }
}

extension FileSchema {
    /// The file that declares what ProtoGen understands besides protobuf's own options.
    static let options = "waymark/rpc/v1/options.proto"

    /// Our options, and descriptor.proto for them, are only there for protoc and ProtoGen.
    var isGenerated: Bool { name != "google/protobuf/descriptor.proto" && name != Self.options }

    /// One flat, unique file name: waymark/rpc/v1/echo.proto → rpc_v1_echo.
    var stem: String {
        let path = name.dropLast(".proto".count)
        let short = path.hasPrefix("waymark/") ? path.dropFirst("waymark/".count) : path
        return short.split(separator: "/").joined(separator: "_")
    }
}
