import TestProtos
import TestTools
import Testing

@testable import ProtoGen

@Suite("Generated code")
struct GeneratedCodeTests {
    @Test("is what the .proto files say", .enabled(if: Self.canGenerate, "protoc or protoc-c is not installed"))
    func upToDate() throws {
        let folder = TemporaryFolder()
        let differences = "\(folder.path)/differences"
        let script = "\(ChildProcess.packageRoot)/script/protos"
        let status = ChildProcess.run([script, "--check", "--generator", generator], output: differences)
        let text = try WholeFile.text(differences)
        #expect(status == 0, "run script/protos:\n\(text.prefix(4000))")
    }

    static var canGenerate: Bool { ChildProcess.isInstalled("protoc") && ChildProcess.isInstalled("protoc-c") }

    /// ProtoGen is built beside the tests.
    private var generator: String {
        ChildProcess.ownPath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/ProtoGen"
    }

    @Test("says a message with its comments, a oneof and an enum", .enabled(if: ProtoSource.isAvailable))
    func message() throws {
        let source = ProtoSource(
            body: """
                // A thing.
                //
                // Of two paragraphs.
                message Thing {
                  // How heavy, in grams.
                  optional uint32 weight_grams = 1;
                  oneof origin {
                    // Where it was found.
                    string place = 2;
                  }
                  Kind kind = 3;
                }
                // What it is.
                enum Kind {
                  // Not told.
                  KIND_UNSPECIFIED = 0;
                  KIND_ROCK_2D = 1;
                }
                """)
        let file = try #require(source.files().first)
        #expect(file.path == "Sources/Messages/BaseContracts/Generated/sample.pb.swift")
        #expect(file.content.contains(expectedMessage))
        #expect(file.content.contains(expectedEnum))
    }

    private let expectedMessage = """
        /// A thing.
        ///
        /// Of two paragraphs.
        package struct Thing: WireMessage {
            /// How heavy, in grams.
            package var weightGrams: UInt32? = nil
            package var origin: Origin? = nil
            package var kind: Kind = Kind(rawValue: 0)

            package init() {}

            package init(
                weightGrams: UInt32? = nil,
                origin: Origin? = nil,
                kind: Kind = Kind(rawValue: 0)
            ) {
                self.weightGrams = weightGrams
                self.origin = origin
                self.kind = kind
            }

            package enum Origin: Equatable, Sendable {
                /// Where it was found.
                case place(String)
            }
        }
        """

    private let expectedEnum = """
        /// What it is.
        package struct Kind: RawRepresentable, Hashable, Sendable {
            package var rawValue: Int32

            package init(rawValue: Int32) { self.rawValue = rawValue }

            /// Not told.
            package static let unspecified = Kind(rawValue: 0)

            package static let rock2d = Kind(rawValue: 1)
        }
        """

    @Test("says what a number may be, as constants and in its comment", .enabled(if: ProtoSource.isAvailable))
    func range() throws {
        let source = ProtoSource(
            body: """
                import "google/protobuf/duration.proto";
                import "waymark/rpc/v1/options.proto";
                message Thing {
                  // In grams.
                  optional uint32 weight = 1 [(waymark.rpc.v1.range) = { min: 1, max: 20000, default: 500 }];
                  double heat = 2 [(waymark.rpc.v1.range) = { min: -0.5, max: 3 }];
                  google.protobuf.Duration wait = 3 [
                    (waymark.rpc.v1.range) = { min: 0.1, max: 10, default: 1, allowed: "0.1 to 10 seconds are" }];
                  string label = 4 [(waymark.rpc.v1.length) = { max: 200 }, (waymark.rpc.v1.form) = FORM_LINE];
                  repeated string tags = 5 [(waymark.rpc.v1.length) = { min: 1, max: 9 }];
                }
                """)
        let file = try #require(source.files().first)
        for expected in expectedRanges { #expect(file.content.contains(expected), "\(file.content)") }
    }

    private let expectedRanges = [
        "    /// In grams. From 1 to 20,000; 500 when not given.\n    package var weight: UInt32?",
        "    /// From -0.5 to 3.\n    package var heat: Double",
        """
            /// The allowed range of `weight`.
            package static let weightRange: ClosedRange<UInt32> = 1...20000
            /// The default of `weight`.
            package static let weightDefault: UInt32 = 500

            /// The allowed range of `heat`.
            package static let heatRange: ClosedRange<Double> = -0.5...3

            /// The allowed range of `wait`.
            package static let waitRange: ClosedRange<Duration> = .milliseconds(100) ... .milliseconds(10000)
            /// The default of `wait`.
            package static let waitDefault: Duration = .milliseconds(1000)

            /// How many characters `label` may have.
            package static let labelLength = 0...200

            /// How many entries `tags` may have.
            package static let tagsLength = 1...9

        """,
        "    /// From 0.1 to 10 seconds; 1 when not given.\n    package var wait: ",
    ]

    @Test("says a service as a protocol, its methods and a client", .enabled(if: ProtoSource.isAvailable))
    func service() throws {
        let source = ProtoSource(
            body: """
                import "waymark/rpc/v1/options.proto";
                message AskRequest {}
                message AskResponse {}
                service Oracle {
                  option (waymark.rpc.v1.answered_by) = PROGRAM_PIN_SERVICE;
                  // One answer.
                  rpc Ask(AskRequest) returns (AskResponse) {
                    option idempotency_level = NO_SIDE_EFFECTS;
                    option (waymark.rpc.v1.ready_packed) = true;
                    option (waymark.rpc.v1.role) = ROLE_ANYONE;
                  }
                  rpc Follow(AskRequest) returns (stream AskResponse) { option (waymark.rpc.v1.role) = ROLE_USER; }
                  rpc Tell(stream AskRequest) returns (AskResponse) { option (waymark.rpc.v1.role) = ROLE_SERVICE; }
                  rpc Talk(stream AskRequest) returns (stream AskResponse) { option (waymark.rpc.v1.role) = ROLE_ADMIN; }
                }
                """)
        let files = try source.files()
        let file = try #require(files.dropLast().last)
        #expect(file.path == "Sources/Messages/BaseContracts/Generated/sample.rpc.swift")
        for expected in expectedService {
            #expect(file.content.contains(expected), "\(expected)\n---\n\(file.content)")
        }
        let fake = try #require(files.last)
        #expect(fake.path == "Tests/Fakes/Generated/sample.fake.swift")
        #expect(fake.content.contains(expectedFake), "\(fake.content)")
    }

    @Test("says which programs answer a service", .enabled(if: ProtoSource.isAvailable))
    func table() throws {
        let source = ProtoSource(
            body: """
                import "waymark/rpc/v1/options.proto";
                service One { option (waymark.rpc.v1.answered_by) = PROGRAM_PHOTO_SERVICE; }
                service Two {
                  option (waymark.rpc.v1.answered_by) = PROGRAM_PIN_SERVICE;
                  option (waymark.rpc.v1.answered_by) = PROGRAM_GATEWAY;
                }
                service Each { option (waymark.rpc.v1.answered_by) = PROGRAM_EACH; }
                """)
        let text = ServiceTable(try source.schema()).text
        let each = #""gateway", "places-service", "pin-service", "photo-service""#
        for (name, programs) in [("One", #""photo-service""#), ("Two", #""gateway", "pin-service""#), ("Each", each)] {
            let row = "\"waymark.sample.v1.\(name)\", answeredBy: [\(programs)],"
            #expect(text.contains("\(row)\n            methods: \(name)Methods.all),"), "\(row)\n---\n\(text)")
        }
    }

    private let expectedFake = """
        package protocol OracleFake: OracleHandler {}

        extension OracleFake {
            package func ask(_ request: AskRequest, _ context: CallContext) async throws -> Packed<AskResponse> {
                throw RPCError(notFaked: OracleMethods.ask)
            }
        """

    private let expectedService = [
        """
        package protocol OracleHandler: RPCService {
            /// One answer.
            func ask(_ request: AskRequest, _ context: CallContext) async throws -> Packed<AskResponse>

            func follow(_ request: AskRequest, _ responses: ResponseWriter<AskResponse>, _ context: CallContext) async throws

            func tell(_ requests: RequestStream<AskRequest>, _ context: CallContext) async throws -> AskResponse

            func talk(_ requests: RequestStream<AskRequest>, _ responses: ResponseWriter<AskResponse>, _ context: CallContext) async throws
        }
        """,
        """
            package static let ask = MethodDescriptor(
                service: "waymark.sample.v1.Oracle", method: "Ask", kind: .unary,
                isIdempotent: true, hasNoSideEffects: true, role: .anyone)
            package static let follow = MethodDescriptor(
                service: "waymark.sample.v1.Oracle", method: "Follow", kind: .serverStreaming,
                isIdempotent: false, hasNoSideEffects: false, role: .user)
            package static let tell = MethodDescriptor(
                service: "waymark.sample.v1.Oracle", method: "Tell", kind: .clientStreaming,
                isIdempotent: false, hasNoSideEffects: false, role: .service)
            package static let talk = MethodDescriptor(
                service: "waymark.sample.v1.Oracle", method: "Talk", kind: .bidirectional,
                isIdempotent: false, hasNoSideEffects: false, role: .admin)
        """,
        """
            package func follow(
                _ request: AskRequest, _ options: CallOptions = CallOptions()
            ) -> ResponseStream<AskResponse> {
                client.serverStreaming(OracleMethods.follow, request, options)
            }
        """,
        """
                router.clientStreaming(OracleMethods.tell) {
                    (requests: RequestStream<AskRequest>, context: CallContext) async throws in
                    try await self.tell(requests, context)
                }
                router.bidirectional(OracleMethods.talk) {
                    (requests: RequestStream<AskRequest>, responses: ResponseWriter<AskResponse>, context: CallContext) async throws in
                    try await self.talk(requests, responses, context)
                }
        """,
        """
            package func tell(
                _ options: CallOptions = CallOptions(),
                _ send: @escaping @Sendable (RequestWriter<AskRequest>) async throws -> Void
            ) async throws -> AskResponse {
                try await client.clientStreaming(OracleMethods.tell, options, send)
            }
        """,
        """
            package func talk<R>(
                _ options: CallOptions = CallOptions(),
                _ body: (RequestWriter<AskRequest>, ResponseStream<AskResponse>) async throws -> R
            ) async throws -> R {
                try await client.bidirectional(OracleMethods.talk, options, body)
            }
        """,
    ]
}
