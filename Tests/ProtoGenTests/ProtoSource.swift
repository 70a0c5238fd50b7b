import ProtoSchema
import TestProtos
import TestTools

@testable import ProtoGen

/// A .proto as text, compiled by protoc and given to the generator.
struct ProtoSource {
    /// The lines after `syntax` and `package`.
    let body: String
    var syntax = "proto3"
    var package = "waymark.sample.v1"

    static var isAvailable: Bool { ChildProcess.isInstalled("protoc") }

    func descriptorSet() throws -> [UInt8] {
        let folder = TemporaryFolder()
        let text = "syntax = \"\(syntax)\";\npackage \(package);\n\(body)\n"
        try WholeFile.write(Array(text.utf8), to: "\(folder.path)/sample.proto")
        let set = "\(folder.path)/set"
        let command = [
            "/usr/bin/env", "protoc", "-I", folder.path, "-I", "\(ChildProcess.packageRoot)/Protos", "-I",
            "/usr/include",
            "--include_source_info", "--include_imports", "--descriptor_set_out=\(set)", "sample.proto",
        ]
        let status = ChildProcess.run(command, output: "/dev/null")
        guard status == 0 else { throw GenerationError("protoc failed on:\n\(text)") }
        return try WholeFile.bytes(set)
    }

    func schema() throws -> Schema {
        try descriptorSet().withUnsafeBytes { try Schema(fileDescriptorSet: $0) }
    }

    func files() throws -> [GeneratedFile] {
        try SwiftGenerator(schema()).files(for: ["sample.proto"])
    }
}
