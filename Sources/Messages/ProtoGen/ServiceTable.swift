internal import ProtoSchema

/// The file with which program answers which service.
struct ServiceTable {
    static let path = "Sources/Messages/Contracts/Generated/services.swift"

    let text: String

    init(_ schema: Schema) {
        let programs = schema.programs
        var source = SourceText()
        source.banner("the services of all .proto files")
        source.line("package import RPC")
        let withServices = schema.files.filter { !$0.services.isEmpty }
        for module in Set(withServices.map(\.part.serviceModule)).sorted() { source.line("import \(module)") }
        source.line()
        source.block("extension ContractService") { source in
            source.documentation("All that there are, by their names.")
            source.line("package static let all: [ContractService] = [")
            source.indented { source in
                for service in withServices.flatMap(\.services).sorted(by: { $0.fullName < $1.fullName }) {
                    let answering = programs.names(of: service).map { "\"\($0)\"" }.joined(separator: ", ")
                    source.line("ContractService(")
                    source.indented { source in
                        source.line("\"\(service.fullName)\", answeredBy: [\(answering)],")
                        source.line("methods: \(service.name)Methods.all),")
                    }
                }
            }
            source.line("]")
        }
        text = source.text
    }
}

extension Schema {
    /// The programs that may answer calls.
    var programs: Programs { Programs(enums["waymark.rpc.v1.Program"]?.values ?? []) }
}

/// The values of the enum waymark.rpc.v1.Program.
struct Programs {
    /// By number: "pin-service".
    private var names: [Int: String] = [:]
    /// The number that says all of them.
    private var each: Int?

    init(_ values: [EnumValueSchema]) {
        for value in values where value.number > 0 {
            let name = value.name.dropFirst("PROGRAM_".count).lowercased().replacing("_", with: "-")
            if name == "each" { each = Int(value.number) } else { names[Int(value.number)] = name }
        }
    }

    /// Those that answer a service, in the order of the enum; none when it does not say so, or names one that there is
    /// not.
    func names(of service: ServiceSchema) -> [String] {
        if service.answeredBy.count == 1, service.answeredBy[0] == each {
            return names.sorted { $0.key < $1.key }.map(\.value)
        }
        let known = service.answeredBy.sorted().compactMap { names[$0] }
        return known.count == service.answeredBy.count ? known : []
    }
}
