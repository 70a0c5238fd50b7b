internal import Glibc

/// Without arguments a protoc plugin (`--plugin=protoc-gen-waymark=…`); with them a step of script/protos.
@main
struct Main {
    static let usage = """
        ProtoGen                       as a protoc plugin: CodeGeneratorRequest in, Swift out
        ProtoGen rewrite SET OUT       makes a descriptor set that protoc-c can do justice to
        ProtoGen lay-out SET STRUCTS DIRECTORY waymark|testing
                                       lays out the C of the messages, protoc-c's and the embedded descriptors
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            StandardStreams.complain("ProtoGen: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        switch (arguments.first, arguments.count) {
        case (nil, 0):
            try StandardStreams.write(Plugin.answer(to: StandardStreams.readAll()))
        case ("rewrite", 3):
            try File.write(DescriptorRewriter.rewrite(File.read(arguments[1])), to: arguments[2])
        case ("lay-out", 5):
            let layout = try CLayout(fileDescriptorSet: File.read(arguments[1]), set: arguments[4])
            try layout.write(to: arguments[3], structs: arguments[2])
        default:
            throw GenerationError("the arguments are not understood. Usage:\n\(usage)")
        }
    }
}
