/// What a file may import beyond what Package.swift says of its module, which the compiler holds.
enum ImportRules {
    /// Folders that import no more than this.
    private static let narrow: [(folders: [Substring], allowed: Set<String>)] = [
        (["Sources", "Net", "RPC", "Frame"], []),
        (["Sources", "Ground", "Geo"], ["EventLoops", "Glibc", "Scratch", "Synchronization"]),
    ]
    /// What decides without I/O. Of contracts for the limits alone, which the .proto files say; Networks is a table.
    private static let domain: Set<String> = [
        "AccountContracts", "BaseContracts", "Bytes", "Contracts", "FieldRules", "Geo", "Networks", "PhotoContracts",
        "PictureCalls", "PinContracts", "PlaceContracts", "Refusals", "Requests", "Texts", "VectorTiles",
        "FoundationEssentials", "Glibc", "Synchronization",
    ]
    /// What comes with the toolchain and may be used anywhere.
    private static let toolchain: Set<String> = ["FoundationEssentials", "Glibc", "Synchronization", "Swift"]
    /// The modules of Sources.
    private static let ours = Set(
        SourceTree.names(in: "Sources").flatMap { SourceTree.names(in: "Sources/\($0)") }
            + SourceTree.names(in: "Sources/Messages/CProtos"))

    /// What this file imports against the rules.
    static func violations(in file: TextFile) -> [String] {
        let folders = file.folders
        let rule = narrow.first { folders.starts(with: $0.folders) }?.allowed
        let allowed = rule ?? (folders.contains("Domain") ? domain : ours.union(toolchain))
        return imports(of: file).filter { !allowed.contains($0) }.map { "imports \($0)" }
    }
}
