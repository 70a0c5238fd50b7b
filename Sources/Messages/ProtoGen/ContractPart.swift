internal import ProtoSchema

/// A part of the contracts: a module of Swift and one of C, listed in Package.swift. A new field is compiled with those
/// who use its part.
struct ContractPart: Hashable {
    /// "Pin" for PinContracts, of which the C is CPinProtos.
    let name: String

    /// What the RPC itself needs goes into Wire.
    static let wire = ContractPart(name: "Wire")
    /// What only tests use is kept out of the product.
    static let test = ContractPart(name: "Test")
    /// What several parts need, so that these know nothing of each other and compile beside each other.
    static let base = ContractPart(name: "Base")

    /// By the beginning of a .proto's path; the first that fits.
    private static let paths: [(String, ContractPart)] = [
        ("google/protobuf/", wire), ("waymark/rpc/", wire), ("waymark/testing/", test),
        ("waymark/photos/v1/album_summary", base), ("waymark/photos/v1/picture", base),
        ("waymark/photos/v1/ticket", base), ("waymark/pins/v1/pin_state", base),
        ("waymark/places/v1/explanation", base),
        ("waymark/accounts/", ContractPart(name: "Account")), ("waymark/gateway/", ContractPart(name: "Gateway")),
        ("waymark/photos/", ContractPart(name: "Photo")), ("waymark/places/", ContractPart(name: "Place")),
        ("waymark/pins/", pin), ("waymark/lists/", pin), ("waymark/posts/", pin), ("waymark/shares/", pin),
        ("waymark/stars/", pin), ("", base),
    ]
    private static let pin = ContractPart(name: "Pin")

    static func of(_ path: String) -> ContractPart { paths.first { path.hasPrefix($0.0) }?.1 ?? base }

    /// The module with its messages.
    var module: String { self == .wire ? "Wire" : self == .test ? "TestProtos" : "\(name)Contracts" }
    /// Where the module's sources are.
    var folder: String { self == .test ? "Tests/TestProtos" : "Sources/Messages/\(module)" }
    /// The module with its services: Wire lies below RPC, on which services stand.
    var serviceModule: String { self == .wire ? ContractPart.base.module : module }
    /// Where that module's sources are.
    var serviceFolder: String { self == .wire ? ContractPart.base.folder : folder }
    /// The module with protobuf-c's structs of its messages.
    var cModule: String { "C\(name)Protos" }
    /// Where that one's sources are.
    var cFolder: String { self == .test ? "Tests/\(cModule)" : "Sources/Messages/CProtos/\(cModule)" }
}

extension FileSchema {
    var part: ContractPart { ContractPart.of(name) }
}
