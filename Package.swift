// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target; tests leave strict memory safety off, because `#expect` expands to unsafe code.
let testSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]
let settings = testSettings + [.strictMemorySafety()]
/// Of what every call goes through. Releases leave out the checks at run time that nobody else uses a variable while it
/// is changed, up to a tenth of a short call; debug builds have them, and so has all that script/test runs.
let callSettings = settings + [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

/// A door to one C library of Debian's.
func door(_ name: String, _ package: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", providers: package.map { [.apt([$0])] })
}

/// A folder of Sources, and the modules in it.
func street(_ name: String, _ targets: [Target]) -> [Target] {
    for target in targets { target.path = target.path ?? "Sources/\(name)/\(target.name)" }
    return targets
}

func module(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, settings: [SwiftSetting] = settings
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .executableTarget(name: name, dependencies: dependencies + ["Heap"], path: path, swiftSettings: settings)
}

/// Tests are not optimized, since compiling them would take nearly twice as long, but for those that compute.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], isOptimized: Bool = false
) -> Target {
    let plain: [SwiftSetting] = isOptimized ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]
    return .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: testSettings + plain)
}

/// The targets of tests that are there at all: those that script/test --filter needs, or else every one.
let wantedTests = Context.environment["WAYMARK_TEST_TARGETS"]?.split(separator: " ").map(String.init)

/// Whether nothing is there but the programs that people run ("people"), and the bench too ("bench"): one call of
/// `swift build` then makes all of these, and no other, which `--product` can't say.
let onlyPrograms = Context.environment["WAYMARK_ONLY_PROGRAMS"]

/// Whether a target is there at all.
func isWanted(_ target: Target) -> Bool {
    guard let onlyPrograms else { return target.type != .test || wantedTests?.contains(target.name) ?? true }
    if target.name == "Bench" { return onlyPrograms == "bench" }
    return target.type != .test && !["ProtoGen", "WorldMap"].contains(target.name)
        && target.path?.hasPrefix("Tests/") != true
}

let bench = Product.executable(name: "waymark-bench", targets: ["Bench"])

/// What the tests of a service with a store need.
let storeTestDependencies: [Target.Dependency] = [
    "Arguments", "Geo", "NearRows", "Storage", "BaseContracts", "RPC", "Settings", "Wire", "EventLoops", "Daemon",
    "Requests", "Stores", "TestSupport", "TestTools",
]

/// What the tests of the gateway, and of what all services share, need.
let serviceTestDependencies: [Target.Dependency] = [
    "Arguments", "Budgets", "Gateway", "Contracts", "RPC", "Settings", "TLS", "Wire", "EventLoops", "Daemon",
    "TestSupport", "TestTools",
]

/// What only those who work on Waymark build.
let developersProducts: [Product] = [
    bench,
    .executable(name: "ProtoGen", targets: ["ProtoGen"]),
    .executable(name: "WorldMap", targets: ["WorldMap"]),
    // Put before a service's own libraries by tests: that kill it (see Tests/KillShim), or that count allocations.
    .library(name: "KillShim", type: .dynamic, targets: ["KillShim"]),
    .library(name: "MallocShim", type: .dynamic, targets: ["MallocShim"]),
    .library(name: "SimulatedMachine", type: .dynamic, targets: ["SimulatedMachine"]),
]

let doors = [
    door("CLinux"), door("CProtobufC", "libprotobuf-c-dev"), door("CSodium", "libsodium-dev"),
    door("CPQ", "libpq-dev"), door("CSQLite", "libsqlite3-dev"), door("CTurboJPEG", "libturbojpeg0-dev"),
    door("CWebP", "libwebp-dev"), door("CHeif", "libheif-dev"), door("CColour", "liblcms2-dev"),
    door("CCairo", "libcairo2-dev"), door("CExif", "libexif-dev"), door("CMicrohttpd", "libmicrohttpd-dev"),
    door("CNghttp2", "libnghttp2-dev"), door("CCurl", "libcurl4-openssl-dev"), door("CZlib", "zlib1g-dev"),
    door("CYajl", "libyajl-dev"), door("CUtf8proc", "libutf8proc-dev"), door("COpenSSL", "libssl-dev"),
    door("CQREncode", "libqrencode-dev"), door("CExpat", "libexpat1-dev"), door("CZip", "libzip-dev"),
]
/// What knows nothing of Waymark: bytes, files, threads, keys, points.
let ground = street(
    "Ground",
    [
        // Where programs take memory from, but for debug builds: sanitizers bring a heap of their own.
        .target(
            name: "Heap", publicHeadersPath: ".",
            linkerSettings: [.linkedLibrary("jemalloc", .when(configuration: .release))]),
        .target(name: "Confine", publicHeadersPath: ".", linkerSettings: [.linkedLibrary("seccomp")]),
        .target(name: "Forks", publicHeadersPath: "."),
        module("Geo", ["EventLoops", "Scratch"]),
        module("Scratch", ["EventLoops", "Files"]),
        module("OpeningHours", []),
        module("EventLoops", ["Budgets", "Bytes", "CLinux"], settings: callSettings),
        module("TLS", ["Bytes", "COpenSSL"]),
        module("Budgets", ["Bytes"], settings: callSettings),
        module("Bytes", []),
        module("Caches", []),
        module("Refusals", []),
        module("Texts", ["CUtf8proc"]),
        module("Files", ["CLinux", "EventLoops"]),
        module("Arguments", ["Bytes"]),
        module("Crypto", ["CSodium"]),
    ])

/// The parts of the contracts, and which others each is made of; ProtoGen/ContractPart.swift says which .proto is in
/// which.
let parts: [(name: String, of: [String])] = [
    ("Base", []), ("Account", []), ("Place", ["Base"]), ("Photo", ["Base"]), ("Pin", ["Base"]),
    ("Gateway", ["Photo", "Pin", "Place", "Base"]),
]

/// The generated C of a part.
func structs(_ part: String, _ others: [String] = []) -> Target {
    let names = ["CProtobufC", "CProtoFiles"] + others.map { "C\($0)Protos" }
    let path = "Sources/Messages/CProtos/C\(part)Protos"
    return .target(name: "C\(part)Protos", dependencies: names.map { .byName(name: $0) }, path: path)
}

/// Its Swift.
func contracts(_ part: String, _ others: [String]) -> Target {
    let names = ["C\(part)Protos", "FieldRules", "RPC", "Refusals", "Wire"] + others.map { "\($0)Contracts" }
    return module("\(part)Contracts", names.map { .byName(name: $0) })
}

/// What is said between programs, generated from Protos, and what reads and writes it.
let messages = street(
    "Messages",
    [
        .target(name: "CProtoFiles", dependencies: ["CProtobufC"]),
        .target(name: "CDescriptors", dependencies: ["CProtobufC"]),
        // What fields of requests may hold, as patterns, checks and words.
        module("FieldRules", ["Bytes", "Networks", "Refusals"]),
        structs("Wire"),
        module("Wire", ["Bytes", "CProtoFiles", "CProtobufC", "CWireProtos", "FieldRules", "Refusals"]),
        module("ProtoSchema", ["CProtobufC", "CDescriptors", "FieldRules"]),
        module("WireJSON", ["Bytes", "CProtobufC", "JSONStream", "ProtoSchema", "Wire"]),
        program("ProtoGen", ["FieldRules", "ProtoSchema", "CProtobufC", "CDescriptors"]),
        module("Networks", ["Arguments"]),
        module("Contracts", parts.map { .byName(name: "\($0.name)Contracts") } + ["RPC"]),
    ] + parts.map { structs($0.name, ["Wire"] + $0.of) } + parts.map(contracts))

/// How it travels: our RPC, HTTP both ways, mail.
let net = street(
    "Net",
    [
        module("RPC", ["Budgets", "EventLoops", "Refusals", "TLS", "Wire"], settings: callSettings),
        .target(name: "HTTPGate", publicHeadersPath: "."),
        module(
            "HTTP", ["Budgets", "Bytes", "CMicrohttpd", "CNghttp2", "EventLoops", "HTTPGate", "TLS"],
            settings: callSettings),
        module("HTTPClient", ["Bytes", "CCurl", "EventLoops"]),
        module("Mail", ["Bytes", "CCurl", "EventLoops"]),
    ])

/// Rows in SQLite or PostgreSQL, blobs in folders or buckets.
let store = street(
    "Store",
    [
        module("Storage", ["Bytes", "CLinux", "CPQ", "CSQLite", "Caches", "Crypto", "EventLoops", "Files"]),
        module(
            "Stores",
            [
                "Arguments", "Bytes", "Crypto", "Daemon", "EventLoops", "Files", "Geo", "RPC", "Refusals", "Storage",
                "Wire",
            ]),
        module(
            "NearRows",
            ["Budgets", "BaseContracts", "Daemon", "EventLoops", "Geo", "RPC", "Requests", "Storage", "Wire"]),
        module(
            "ObjectStore",
            [
                "Arguments", "Bytes", "CExpat", "Caches", "Crypto", "Daemon", "EventLoops", "Files", "HTTPClient",
                "Markup", "Storage", "TLS",
            ]),
        module(
            "Backups",
            [
                "Arguments", "BaseContracts", "Bytes", "Compression", "Crypto", "Daemon", "EventLoops", "Files",
                "HTTPClient", "ObjectStore", "RPC", "Storage", "Wire",
            ]),
    ])

/// Other programs' files and pictures, read and written.
let formats = street(
    "Formats",
    [
        module("Compression", ["CZlib"]),
        module("ZipFiles", ["CZip", "Compression"]),
        module("JSONStream", ["Bytes", "CYajl"]),
        // Debian keeps FreeType's headers in a folder of their own.
        .target(
            name: "FontFile", publicHeadersPath: ".", cSettings: [.unsafeFlags(["-I/usr/include/freetype2"])],
            linkerSettings: [.linkedLibrary("freetype"), .linkedLibrary("cairo")]),
        module("MapPicture", ["Bytes", "CCairo", "Caches", "Compression", "Files", "FontFile", "VectorTiles"]),
        // Debian keeps libpng's and libtiff's names without a door: Swift can't call what it needs of them.
        .target(
            name: "Codecs", publicHeadersPath: ".", linkerSettings: [.linkedLibrary("png"), .linkedLibrary("tiff")]),
        module("PictureCalls", []),
        module(
            "Pictures",
            ["Bytes", "CCairo", "CColour", "CExif", "CExpat", "CHeif", "CTurboJPEG", "CWebP", "Codecs", "PictureCalls"]),
        module("Markup", ["Crypto"]),
        module("AlbumArchive", ["Bytes", "Compression", "Contracts", "Crypto", "Markup", "RPC", "Wire", "WireJSON"]),
        module("FeatureFiles", ["Bytes", "CExpat", "Compression", "EventLoops", "Geo", "JSONStream", "Refusals"]),
        module(
            "PinFiles", ["Bytes", "Compression", "FeatureFiles", "Geo", "JSONStream", "Markup", "Refusals", "ZipFiles"]),
        module("VectorTiles", ["Bytes", "Compression", "BaseContracts", "EventLoops", "Files", "Scratch", "Wire"]),
    ])

/// Accounts, and how people prove that they are who they say.
let logins = street(
    "Logins",
    [
        module("Signatures", ["COpenSSL", "Crypto"]),
        module("OpenIDConnect", ["Bytes", "Crypto", "JSONStream", "Refusals", "Signatures"]),
        module("Passkeys", ["Bytes", "Crypto", "JSONStream", "Refusals", "Signatures"]),
        module("LoginProviders", ["Bytes", "Files", "HTTPClient", "JSONStream", "OpenIDConnect", "Refusals"]),
        module("LoginLinks", ["Bytes", "Crypto", "EventLoops", "Files"]),
        module(
            "Accounts",
            [
                "Arguments", "Bytes", "AccountContracts", "Crypto", "Daemon", "EventLoops", "FieldRules",
                "LoginProviders", "Mail", "Passkeys", "RPC", "Refusals", "Requests", "Signatures", "Storage", "Stores",
                "Texts", "Wire",
            ]),
    ])

/// What the services with a store share.
let storeServiceDependencies: [Target.Dependency] = [
    "Arguments", "Backups", "Bytes", "Daemon", "EventLoops", "FieldRules", "Files", "Geo", "HTTPClient", "Networks",
    "RPC", "Refusals", "Requests", "Settings", "Storage", "Stores", "Wire",
]

/// What services are made of, and the four.
let services = street(
    "Services",
    [
        module("Composition", ["Bytes", "Geo", "Texts"]),
        module("Settings", ["Arguments", "EventLoops", "Networks"]),
        module(
            "Daemon",
            [
                "Arguments", "Budgets", "Bytes", "Confine", "Crypto", "Files", "HTTP", "ProtoSchema", "Refusals",
                "BaseContracts", "RPC", "Settings", "TLS", "Wire", "EventLoops",
            ]),
        module("Requests", ["Bytes", "BaseContracts", "PlaceContracts", "Geo", "Networks", "Refusals"]),
        module(
            "LiveNetworks",
            [
                "Arguments", "Budgets", "Bytes", "EventLoops", "Geo", "HTTPClient", "Daemon", "Storage",
                "BaseContracts", "Refusals", "RPC", "Wire",
            ]),
        program(
            "Gateway",
            [
                "AlbumArchive", "Arguments", "Backups", "Budgets", "Caches", "Composition", "Compression", "Crypto",
                "Geo", "HTTP", "JSONStream", "ProtoSchema", "WireJSON", "Contracts", "LoginLinks", "MapPicture", "RPC",
                "Settings", "TLS", "Wire", "EventLoops", "FieldRules", "Bytes", "Daemon", "Files", "Markup", "Networks",
                "Refusals", "Requests", "VectorTiles",
            ]),
        program(
            "PlacesService",
            storeServiceDependencies + [
                "Budgets", "Compression", "FeatureFiles", "JSONStream", "LiveNetworks", "ObjectStore", "PlaceContracts",
                "OpeningHours", "Scratch", "Texts", "Caches", "VectorTiles",
            ]),
        program(
            "PinService",
            storeServiceDependencies + [
                "Accounts", "AccountContracts", "BaseContracts", "PhotoContracts", "PinContracts", "PlaceContracts",
                "Crypto", "FeatureFiles", "LoginProviders", "NearRows", "PinFiles", "Mail", "Texts", "VectorTiles",
            ]),
        program(
            "PhotoService",
            storeServiceDependencies + [
                "CLinux", "Forks", "LiveNetworks", "NearRows", "PictureCalls", "PhotoContracts", "ObjectStore",
            ]),
    ])

/// What people run, and those who work on Waymark.
let programs = street(
    "Programs",
    [
        module("Terminal", ["Bytes", "CQREncode", "EventLoops"]),
        module(
            "Supervisor",
            [
                "Bytes", "Arguments", "CLinux", "EventLoops", "Files", "LoginLinks", "Networks", "Settings", "TLS",
                "Terminal",
            ]),
        module(
            "LoadTest",
            [
                "Bytes", "CLinux", "GatewayContracts", "EventLoops", "Files", "Geo", "HTTPClient", "Markup", "RPC",
                "Terminal", "Wire",
            ]),
        // Without our heap: each of its processes is small, and lives for one picture.
        .executableTarget(
            name: "PictureDecoder", dependencies: ["Confine", "Forks", "PictureCalls", "Pictures"],
            swiftSettings: settings),
        program(
            "Waymark",
            [
                "Bytes", "AlbumArchive", "Arguments", "Backups", "Contracts", "Crypto", "EventLoops", "FieldRules",
                "Files", "LoadTest", "Networks", "ProtoSchema", "RPC", "Refusals", "Settings", "Storage", "Supervisor",
                "TLS", "Terminal", "Wire", "WireJSON", "ZipFiles", "Compression",
            ]),
    ])

/// What tests are made of, the bench, and what makes the data that Waymark comes with.
let workshop = [
    program("WorldMap", ["Bytes", "VectorTiles"], path: "DataTools/WorldMap"),
    program(
        "Bench",
        ["Arguments", "Composition", "Geo", "Contracts", "Crypto", "RPC", "TLS", "Wire", "EventLoops", "Daemon"],
        path: "Benchmarks/Bench"),
    module("TestTools", ["ThreadShim"], path: "Tests/TestTools"),
    .target(name: "CTestProtos", dependencies: ["CProtoFiles", "CWireProtos"], path: "Tests/CTestProtos"),
    module("TestProtos", ["CProtoFiles", "CTestProtos", "TestTools", "Wire"], path: "Tests/TestProtos"),
    module("Fakes", ["RPC", "Wire"] + parts.map { .byName(name: "\($0.name)Contracts") }, path: "Tests/Fakes"),
    module(
        "TestSupport",
        [
            "Budgets", "BaseContracts", "CNghttp2", "HTTP", "RPC", "Storage", "TLS", "Wire", "EventLoops", "Daemon",
            "TestTools",
        ],
        path: "Tests/TestSupport"),
    module("TestKeys", ["Bytes", "COpenSSL", "Crypto"], path: "Tests/TestKeys"),
    module(
        "WholeSystem", ["CSQLite", "Contracts", "Crypto", "EventLoops", "RPC", "TestSupport", "TestTools"],
        path: "Tests/WholeSystem", settings: testSettings),
    // Writes pictures of every kind that is read.
    .target(
        name: "TestCodecs", path: "Tests/TestCodecs", publicHeadersPath: ".",
        linkerSettings: ["png", "tiff", "webp", "webpmux", "heif", "lcms2"].map { .linkedLibrary($0) }),
    .executableTarget(name: "CellProbe", dependencies: ["Confine"], path: "Tests/CellProbe"),
    program("StorageCrashHelper", ["Storage"], path: "Tests/StorageCrashHelper"),
    .executableTarget(
        name: "Simulation",
        dependencies: ["Contracts", "Crypto", "EventLoops", "HTTP", "MachineCalls", "RPC", "TestSupport"]
            + ["TestTools", "WholeSystem"], path: "Tests/Simulation", swiftSettings: testSettings),
    .target(name: "MachineCalls", path: "Tests/MachineCalls"),
    .target(
        name: "SimulatedMachine", dependencies: ["MachineCalls"], path: "Tests/SimulatedMachine", publicHeadersPath: "."
    ),
    .target(name: "KillPlan", path: "Tests/KillShim/Plan"),
    // Part of every program with tests; empty but under the thread sanitizer.
    .target(name: "ThreadShim", path: "Tests/ThreadShim", publicHeadersPath: "."),
    .target(name: "MallocShim", path: "Tests/MallocShim", publicHeadersPath: "."),
    .target(name: "KillShim", dependencies: ["KillPlan"], path: "Tests/KillShim/Shim", publicHeadersPath: "."),
]

let suites = [
    tests("WireTests", ["TestProtos", "TestTools", "Wire"], exclude: ["Peer"]),
    tests("WireJSONTests", ["ProtoSchema", "TestProtos", "TestTools", "Wire", "WireJSON"]),
    tests("ProtoGenTests", ["FieldRules", "ProtoGen", "ProtoSchema", "TestProtos", "TestTools"]),
    tests("BudgetsTests", ["Budgets", "TestTools"]),
    tests("CachesTests", ["Caches", "TestTools"]),
    tests("NetworksTests", ["Arguments", "Networks"]),
    tests("MarkupTests", ["Bytes", "Markup", "TestTools"]),
    tests("EventLoopsTests", ["Budgets", "EventLoops", "TestSupport", "TestTools"]),
    tests("CompositionTests", ["Composition", "Geo", "TestTools"], isOptimized: true),
    tests("FilesTests", ["EventLoops", "Files", "Scratch", "TestTools"]),
    tests("TLSTests", ["TLS", "COpenSSL", "TestTools"]),
    tests("JSONStreamTests", ["JSONStream"]),
    tests("SignaturesTests", ["Bytes", "Signatures", "TestKeys", "TestTools"]),
    tests("OpenIDConnectTests", ["Bytes", "Crypto", "OpenIDConnect", "Refusals", "Signatures", "TestKeys"]),
    tests(
        "PasskeysTests", ["Bytes", "Crypto", "Passkeys", "Signatures", "TestKeys", "TestTools"],
        exclude: ["Vectors"]),
    tests("HTTPTests", ["Budgets", "HTTP", "EventLoops", "TLS", "TestSupport", "TestTools"], exclude: ["Vectors"]),
    tests("HTTPClientTests", ["CCurl", "HTTPClient", "HTTP", "TLS", "EventLoops", "TestSupport", "TestTools"]),
    tests("DaemonTests", serviceTestDependencies + ["Bytes", "Confine", "Files", "HTTP", "ProtoSchema"]),
    tests(
        "VectorTilesTests", ["Compression", "BaseContracts", "Files", "TestTools", "VectorTiles", "Wire"],
        isOptimized: true),
    tests(
        "RequestsTests",
        ["Bytes", "Contracts", "FieldRules", "Geo", "ProtoSchema", "Refusals", "Requests", "TestTools", "Wire"]),
    tests("StoresTests", storeTestDependencies),
    tests("NearRowsTests", storeTestDependencies),
    tests("MapPictureTests", ["CCairo", "Compression", "MapPicture", "TestTools", "VectorTiles"], isOptimized: true),
    tests(
        "GatewayTests",
        serviceTestDependencies + [
            "AlbumArchive", "Backups", "Bytes", "Compression", "Crypto", "Files", "HTTP", "LoginLinks", "MapPicture",
            "TestProtos", "VectorTiles", "ZipFiles",
        ]),
    tests(
        "RPCTests",
        ["Budgets", "BaseContracts", "RPC", "TLS", "Wire", "EventLoops", "TestProtos", "TestSupport", "TestTools"],
        exclude: ["Vectors"]),
    tests(
        "LiveNetworksTests",
        ["LiveNetworks", "Geo", "HTTP", "HTTPClient", "EventLoops", "Daemon", "TestSupport", "TestTools"]),
    tests(
        "PlacesServiceTests",
        [
            "Arguments", "Budgets", "Bytes", "Compression", "FeatureFiles", "PlacesService", "CZlib", "Geo", "HTTP",
            "HTTPClient", "LiveNetworks", "Networks", "ObjectStore", "Storage", "PlaceContracts", "RPC", "Wire",
            "EventLoops", "Daemon", "Files", "Requests", "Settings", "Stores", "TestSupport", "TestTools", "Texts",
            "VectorTiles",
        ],
        exclude: ["Vectors"]),
    tests(
        "LoadTestTests", ["PlaceContracts", "EventLoops", "Geo", "LoadTest", "RPC", "Terminal", "TestTools", "Wire"]),
    tests("SupervisorTests", ["EventLoops", "Supervisor", "TLS", "Terminal", "TestTools"]),
    tests("LoginLinksTests", ["Files", "LoginLinks", "TestTools"]),
    tests(
        "WaymarkTests",
        [
            "Waymark", "AlbumArchive", "Arguments", "Backups", "Contracts", "Fakes", "Crypto", "EventLoops", "Files",
            "HTTP", "LoadTest", "ProtoSchema", "RPC", "Settings", "Storage", "Supervisor", "TLS", "Terminal",
            "TestSupport", "TestTools", "Wire", "WireJSON", "ZipFiles",
        ]),
    tests("MailTests", ["EventLoops", "Mail", "TestSupport", "TestTools"], exclude: ["smtp_server.py"]),
    tests(
        "AccountsTests",
        storeTestDependencies + [
            "AccountContracts", "Accounts", "Budgets", "Crypto", "HTTP", "HTTPClient", "LoginProviders", "Mail",
            "TestKeys",
        ]),
    tests(
        "QueryPlanTests",
        ["Accounts", "CSQLite", "Files", "PhotoService", "PinService", "PlacesService", "Storage", "TestTools"]),
    tests("OpeningHoursTests", ["OpeningHours"]),
    tests("PinFilesTests", ["Compression", "FeatureFiles", "Files", "Geo", "PinFiles", "TestTools"]),
    tests(
        "PinServiceTests",
        storeTestDependencies + [
            "AccountContracts", "Fakes", "PhotoContracts", "PinContracts", "PlaceContracts", "Accounts", "Budgets",
            "FeatureFiles", "PinService", "Refusals",
        ]),
    tests(
        "PhotoServiceTests",
        storeTestDependencies + [
            "PhotoContracts", "PhotoService", "CTurboJPEG", "CellProbe", "HTTP", "HTTPClient", "LiveNetworks",
            "PictureCalls", "PictureDecoder", "Pictures", "Refusals", "TestCodecs",
        ]),
    tests(
        "StorageTests", ["CSQLite", "Storage", "StorageCrashHelper", "EventLoops", "TestSupport", "TestTools"],
        exclude: ["postgres18", "requirements.txt"]),
    tests(
        "ObjectStoreTests",
        ["ObjectStore", "EventLoops", "HTTP", "HTTPClient", "Storage", "TLS", "TestSupport", "TestTools"],
        exclude: ["radosgw", "requirements.txt", "servers"]),
    tests("BackupsTests", ["Backups", "EventLoops", "Files", "Storage", "TestSupport", "TestTools"]),
    tests("GeoTests", ["Geo", "TestTools"], exclude: ["Vectors"], isOptimized: true),
    tests(
        "SystemTests",
        [
            "Accounts", "Arguments", "KillPlan", "StorageCrashHelper", "Storage", "Contracts", "Daemon", "Geo", "HTTP",
            "PinService", "RPC", "Wire", "EventLoops", "Crypto", "TestSupport", "TestTools", "WholeSystem",
        ], exclude: ["Versions"]),
    tests(
        "ScopeTests",
        [
            "Bytes", "Contracts", "Crypto", "Daemon", "EventLoops", "HTTP", "PinService", "ProtoSchema", "RPC",
            "Settings", "Storage", "TestKeys", "TestSupport", "TestTools", "Wire", "WireJSON",
        ]),
    tests("AttackTests", ["Compression", "Contracts", "RPC", "Wire", "EventLoops", "TestSupport", "TestTools"]),
    tests("TidyTests", [], isOptimized: true),
]

let package = Package(
    name: "waymark",
    products: [
        ("waymark", "Waymark"), ("gateway", "Gateway"), ("places-service", "PlacesService"),
        ("pin-service", "PinService"), ("photo-service", "PhotoService"), ("picture-decoder", "PictureDecoder"),
    ].map { Product.executable(name: $0.0, targets: [$0.1]) }
        + (onlyPrograms.map { $0 == "bench" ? [bench] : [] } ?? developersProducts),
    targets: (doors + ground + messages + net + store + formats + logins + services + programs + workshop + suites)
        .filter(isWanted)
)

// Parts show each other's messages. SwiftPM builds again what depends on a part directly, and nothing else.
for target in package.targets {
    let names = target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
    let shown = parts.flatMap { part in names.contains("\(part.name)Contracts") ? part.of : [] }
    let all = names.contains("Contracts") ? parts.map(\.name) : shown
    target.dependencies += Set(all.map { "\($0)Contracts" }).subtracting(names).sorted().map { .byName(name: $0) }
}
