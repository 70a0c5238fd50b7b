internal import ProtoSchema

/// The Swift file with what fakes of a .proto's services need not write: every method they don't have.
struct FakeFile {
    let text: String

    init(_ file: FileSchema, names: SwiftNames) {
        var source = SourceText()
        source.banner(file.name)
        source.imports(names.modules(of: file.services).union(["RPC", file.part.serviceModule]))
        for service in file.services {
            source.line()
            Self.declare(service, names, in: &source)
        }
        text = source.text
    }

    private static func declare(_ service: ServiceSchema, _ names: SwiftNames, in source: inout SourceText) {
        let handler = ServiceText(service, names: names)
        let fake = "\(service.name)Fake"
        source.documentation(
            "A fake of \(service.fullName) for tests; methods that it does not implement end with UNIMPLEMENTED.")
        source.line("package protocol \(fake): \(handler.handlerName) {}")
        source.line()
        source.block("extension \(fake)") { source in
            for (index, method) in service.methods.enumerated() {
                if index > 0 { source.line() }
                source.block("package \(handler.requirement(method))") { source in
                    source.line("throw RPCError(notFaked: \(handler.methodsName).\(SwiftNames.method(method.name)))")
                }
            }
        }
    }
}
