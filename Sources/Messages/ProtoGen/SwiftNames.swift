internal import ProtoSchema

/// What messages, enums, services and their parts are called in Swift. All packages share one flat namespace.
struct SwiftNames {
    private var types: [String: String] = [:]
    /// The modules in which they are.
    private var modules: [String: String] = [:]

    /// Throws when two declarations would have the same name.
    init(_ schema: Schema) throws(GenerationError) {
        var owners: [String: String] = [:]
        for file in schema.files where file.isGenerated {
            for (name, fullName) in file.topLevel {
                let swift = Self.topLevelName(name, fullName)
                if let other = owners.updateValue(fullName, forKey: swift) {
                    throw GenerationError(
                        "\(file.name): \(fullName) and \(other) would both be called \(swift) in Swift")
                }
                if Self.taken.contains(swift) {
                    throw GenerationError("\(file.name): \(fullName) would hide Swift's or Waymark's own \(swift)")
                }
            }
            for message in file.messages { add(message, as: Self.topLevelName(message.name, message.fullName)) }
            for item in file.enums { types[item.fullName] = item.name }
            let messages = file.messages.flatMap(\.withNested)
            for name in messages.map(\.fullName) + (file.enums + messages.flatMap(\.enums)).map(\.fullName) {
                modules[name] = file.part.module
            }
        }
        try checkNested(schema, against: owners)
    }

    /// The Swift type of a message or enum, outer types included: "Explore.Branch".
    func type(_ fullName: String) -> String { types[fullName] ?? fullName }

    /// The Swift type of one value of a field's type.
    func type(_ type: FieldType) -> String {
        switch type {
        case .double: "Double"
        case .float: "Float"
        case .int32: "Int32"
        case .int64: "Int64"
        case .uint32: "UInt32"
        case .uint64: "UInt64"
        case .bool: "Bool"
        case .string: "String"
        case .bytes: "[UInt8]"
        case .message(let name), .enum(let name): self.type(name)
        case .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64, .group: "Never"  // refused before
        }
    }

    /// The modules in which types are.
    func modules(of types: [String]) -> Set<String> { Set(types.compactMap { modules[$0] }) }

    /// The modules that the services' declarations name: an import that is not used is a warning.
    func modules(of services: [ServiceSchema]) -> Set<String> {
        let methods = services.flatMap(\.methods)
        return modules(of: methods.flatMap { [$0.input, $0.output] })
            .union(methods.contains(where: \.isReadyPacked) ? [ContractPart.wire.module] : [])
    }

    /// Whether these are some of Wire.
    func needWire(_ services: [ServiceSchema]) -> Bool { modules(of: services).contains(ContractPart.wire.module) }

    private mutating func add(_ message: MessageSchema, as name: String) {
        types[message.fullName] = name
        for item in message.enums { types[item.fullName] = "\(name).\(item.name)" }
        for nested in message.messages { add(nested, as: "\(name).\(nested.name)") }
    }

    /// Inside a type its nested names win over the others, so they have to differ from them.
    private func checkNested(_ schema: Schema, against owners: [String: String]) throws(GenerationError) {
        for message in schema.messages.values.sorted(by: { $0.fullName < $1.fullName }) {
            guard types[message.fullName] != nil else { continue }
            let oneofs = message.oneofs.filter { !$0.isSynthetic }.map { Self.upperCamel($0.name) }
            var seen: Set<String> = []
            for name in message.messages.map(\.name) + message.enums.map(\.name) + oneofs {
                if let other = owners[name] {
                    throw GenerationError(
                        "\(message.fullName): its nested type or oneof \(name) would hide \(other) in Swift; rename it")
                }
                if !seen.insert(name).inserted || Self.taken.contains(name) {
                    throw GenerationError("\(message.fullName): the nested type or oneof \(name) clashes; rename it")
                }
            }
        }
    }

    private static func topLevelName(_ name: String, _ fullName: String) -> String {
        fullName.hasPrefix("google.protobuf.") ? "\(name)Message" : name
    }

    /// snake_case → SnakeCase.
    static func upperCamel(_ name: String) -> String {
        name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// snake_case → snakeCase, as a Swift identifier.
    static func member(_ name: String) -> String {
        let camel = upperCamel(name)
        return escaped(camel.prefix(1).lowercased() + camel.dropFirst())
    }

    /// UnaryCall → unaryCall, as a Swift identifier.
    static func method(_ name: String) -> String { escaped(name.prefix(1).lowercased() + name.dropFirst()) }

    /// SERVING_STATUS_NOT_SERVING in ServingStatus → notServing.
    static func value(_ name: String, of enumName: String) -> String {
        let prefix = upperSnake(enumName) + "_"
        let short = name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : name[...]
        let swift = member(short.lowercased())
        return swift.first?.isNumber == true ? "_\(swift)" : swift
    }

    /// ServingStatus → SERVING_STATUS.
    static func upperSnake(_ name: String) -> String {
        var result = ""
        for character in name {
            if character.isUppercase && !result.isEmpty { result += "_" }
            result += character.uppercased()
        }
        return result
    }

    private static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
        "internal", "let", "open", "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static",
        "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
        "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while",
        "Any", "as", "await", "catch", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
        "package",
    ]

    private static let taken: Set<String> = [
        "Any", "Array", "Arena", "Bool", "CallContext", "CallOptions", "Character", "Dictionary", "Double", "Duration",
        "Error", "Float", "Hashable", "Int", "Int32", "Int64", "MessageLayout", "MethodDescriptor", "Never", "Optional",
        "Packed", "PackedMessage", "R", "RPCClient", "RPCService", "RawRepresentable", "RequestStream", "RequestWriter",
        "ResponseStream", "ResponseWriter", "Result", "Router", "Sendable", "Set", "StaticString", "String", "Task",
        "Type", "UInt32", "UInt64", "UInt8",
        "UnsafeMutableRawPointer", "UnsafeRawPointer", "Void", "Wire", "WireDescriptors", "WireError", "WireMessage",
    ]
}

extension FileSchema {
    /// Name and full name of everything at the top level in Swift.
    fileprivate var topLevel: [(String, String)] {
        messages.map { ($0.name, $0.fullName) } + enums.map { ($0.name, $0.fullName) }
            + services.flatMap { service in
                ["Handler", "Methods", "Client", "Fake"].map { (service.name + $0, service.fullName) }
            }
    }
}
