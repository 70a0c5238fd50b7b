/// Who may import whom, one way only. A new module gets its line here before it gets its first import.
enum ImportRules {
    /// What each folder under Sources may import of ours, C doors included.
    static let allowed: [String: Set<String>] = [
        "Wire": ["Bytes", "CProtobufC", "CProtos"],
        "ProtoSchema": ["CProtobufC", "CDescriptors"],
        "Compression": ["CZlib"],
        "ZipFiles": ["CZip", "Compression"],
        "JSONStream": ["Bytes", "CYajl"],
        "ProtoGen": ["CProtobufC", "CDescriptors", "ProtoSchema"],
        "WireJSON": ["Bytes", "JSONStream", "CProtobufC", "CProtos", "CDescriptors", "Wire", "ProtoSchema"],
        "EventLoops": ["Budgets", "Bytes", "CLinux"],
        "TLS": ["Bytes", "COpenSSL"],
        "Budgets": ["Bytes"],
        "Bytes": [],
        "Markup": ["Crypto"],
        "Refusals": [],
        "Texts": ["CUtf8proc"],
        "Composition": ["Bytes", "Geo", "Texts"],
        "Files": ["EventLoops"],
        "RPC": ["Budgets", "EventLoops", "Refusals", "TLS", "Wire"],
        "HTTP": ["Budgets", "Bytes", "CMicrohttpd", "EventLoops", "HTTPGate", "TLS"],
        "HTTPClient": ["Bytes", "CCurl", "EventLoops"],
        "Mail": ["Bytes", "CCurl", "EventLoops"],
        "Arguments": ["Bytes"],
        "Terminal": ["Bytes", "CQREncode", "EventLoops"],
        "Supervisor": ["Bytes", "Arguments", "CLinux", "EventLoops", "Files", "LoginLinks", "TLS", "Terminal"],
        "LoadTest": [
            "Bytes", "CLinux", "Contracts", "EventLoops", "Files", "Geo", "HTTPClient", "Markup", "RPC", "Terminal",
            "Wire",
        ],
        "Contracts": ["CProtobufC", "CProtos", "CDescriptors", "Wire", "RPC"],
        "Geo": [],
        "MapPicture": ["Bytes", "CCairo", "Compression", "Files", "FontFile", "VectorTiles"],
        "Crypto": ["CSodium"],
        "Signatures": ["COpenSSL", "Crypto"],
        "OpenIDConnect": ["Bytes", "Crypto", "JSONStream", "Refusals", "Signatures"],
        "Passkeys": ["Bytes", "Crypto", "JSONStream", "Refusals", "Signatures"],
        "LoginProviders": ["Bytes", "Files", "HTTPClient", "JSONStream", "OpenIDConnect", "Refusals"],
        "AlbumArchive": ["Bytes", "Compression", "Contracts", "Crypto", "Markup", "RPC", "Wire", "WireJSON"],
        "VectorTiles": ["Bytes", "Compression", "Contracts", "EventLoops", "Files", "Wire"],
        "WorldMap": ["Bytes", "VectorTiles"],
        "FeatureFiles": ["Bytes", "CExpat", "Compression", "EventLoops", "Geo", "JSONStream", "Refusals"],
        "PinFiles": [
            "Bytes", "Compression", "FeatureFiles", "Geo", "JSONStream", "Markup", "Refusals", "ZipFiles",
        ],
        "LoginLinks": ["Bytes", "Crypto", "EventLoops", "Files"],
        "Storage": ["Bytes", "CLinux", "CPQ", "CSQLite", "Crypto", "EventLoops", "Files"],
        "ObjectStore": [
            "Bytes", "CExpat", "Crypto", "EventLoops", "Files", "HTTPClient", "Markup", "Storage", "TLS", "Daemon",
            "Arguments",
        ],
        "Daemon": [
            "Arguments", "Budgets", "Bytes", "Confine", "Crypto", "EventLoops", "Files", "Refusals", "TLS", "RPC",
            "HTTP", "ProtoSchema", "Wire", "Contracts",
        ],
        "Requests": ["Bytes", "Contracts", "Geo", "Refusals"],
        "Stores": ["Bytes", "Crypto", "Geo", "EventLoops", "Files", "Refusals", "RPC", "Wire", "Storage", "Daemon"],
        "NearRows": ["Budgets", "Contracts", "Daemon", "EventLoops", "Geo", "RPC", "Requests", "Storage", "Wire"],
        "LiveNetworks": [
            "Budgets", "Bytes", "EventLoops", "Geo", "HTTPClient", "Daemon", "Storage", "Contracts", "Refusals",
            "RPC", "Wire",
        ],
        "PictureCalls": [],
        "Pictures": [
            "Bytes", "CCairo", "CColour", "CExif", "CExpat", "CHeif", "CTurboJPEG", "CWebP", "Codecs", "PictureCalls",
        ],
        "PictureDecoder": ["Confine", "Forks", "PictureCalls", "Pictures"],
        "Accounts": [
            "Bytes", "Contracts", "Crypto", "Daemon", "EventLoops", "LoginProviders", "Mail", "Passkeys", "RPC",
            "Refusals", "Requests", "Signatures", "Storage", "Stores", "Texts", "Wire",
        ],
        "Posts": [
            "Accounts", "Bytes", "Contracts", "Crypto", "Daemon", "EventLoops", "Geo", "NearRows", "RPC", "Refusals",
            "Requests", "Storage", "Stores", "Wire",
        ],
        "PinService": service.union(storage).union([
            "Accounts", "Crypto", "FeatureFiles", "HTTPClient", "LoginProviders", "Mail", "NearRows", "PinFiles",
            "Posts",
        ]),
        "PhotoService": service.union(storage).union([
            "HTTPClient", "LiveNetworks", "NearRows", "ObjectStore", "CLinux", "Forks", "PictureCalls",
        ]),
        "PlacesService": service.union(storage).union([
            "Budgets", "Compression", "FeatureFiles", "HTTPClient", "JSONStream", "LiveNetworks", "ObjectStore",
            "Texts",
            "VectorTiles",
        ]),
        "Gateway": service.union([
            "AlbumArchive", "Budgets", "Composition", "Compression", "Crypto", "HTTP", "JSONStream", "LoginLinks",
            "MapPicture", "Markup", "ProtoSchema", "TLS", "VectorTiles", "WireJSON",
        ]),
        "Waymark": [
            "Bytes", "AlbumArchive", "Arguments", "Contracts", "Crypto", "EventLoops", "Files", "LoadTest",
            "ProtoSchema", "RPC",
            "Supervisor", "TLS", "Terminal", "Wire", "WireJSON", "ZipFiles",
        ],
    ]
    private static let service: Set<String> = [
        "Bytes", "Files", "Geo", "EventLoops", "RPC", "Refusals", "Wire", "Contracts", "Daemon", "Requests",
    ]
    private static let storage: Set<String> = ["Storage", "Stores"]

    /// What comes with the toolchain and may be used anywhere in Sources, except where a rule below says less.
    static let system: Set<String> = ["FoundationEssentials", "Glibc", "Synchronization", "Swift"]
    /// Of Contracts for the limits alone, which the .proto files say.
    static let domain: Set<String> = [
        "Bytes", "Contracts", "Geo", "PictureCalls", "Refusals", "Requests", "Texts", "VectorTiles",
        "FoundationEssentials", "Glibc", "Synchronization",
    ]

    /// What this file imports against the rules.
    static func violations(in file: TextFile) -> [String] {
        let folders = file.folders
        guard folders.count >= 2, let permitted = permitted(folders) else {
            return ["no rule for the module \(folders.dropFirst().first ?? "?"): add one to ImportRules"]
        }
        return imports(of: file).filter { !permitted.contains($0) }.map { "imports \($0)" }
    }

    private static func permitted(_ folders: [Substring]) -> Set<String>? {
        guard let ours = allowed[String(folders[1])] else { return nil }
        if folders.starts(with: ["Sources", "RPC", "Frame"]) { return [] }
        if folders.starts(with: ["Sources", "Geo"]) { return ["Glibc", "Synchronization"] }
        return folders.dropFirst(2).contains("Domain") ? domain : ours.union(system)
    }
}
