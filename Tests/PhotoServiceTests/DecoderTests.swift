import EventLoops
import Glibc
import PictureCalls
import TestSupport
import TestTools
import Testing

@testable import PhotoService
@testable import Pictures

@Suite("P23 Decoders in processes of their own", .timeLimit(.minutes(2)))
struct DecoderTests {
    private static let order = PictureOrder(longestSide: 64, quality: 80)

    @Test("read and make what this process would", arguments: TestPicture.Kind.allCases)
    func same(kind: TestPicture.Kind) async throws {
        try await Self.with { decoders, _ in
            let file = try TestPicture.inHelsinki(kind, width: 300, height: 200)
            let notes = try await decoders.look { seat in try seat.notes(of: file) }
            #expect(notes == (try PictureReader.notes(of: file)))
            let made = try await decoders.make([Self.order], for: .usual, limit: PictureLimit.bytes) { file }
            #expect(made == (try PictureMaker.make([Self.order], from: file)))
        }
    }

    @Test("are shut in before they read a byte, and their program has no rights to files")
    func shutIn() async throws {
        try await Self.with { decoders, host in
            let jpeg = TestJPEG().bytes()
            let status: String = try await decoders.look { seat in
                _ = try seat.notes(of: jpeg)
                return try WholeFile.text("/proc/\(try #require(Self.children(of: host.pid).first))/status")
            }
            #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
        }
    }

    @Test("can compute, but open no file and no socket, start no program and take no more than they may")
    func cell() async throws {
        #expect(try await ProgramRun.run("CellProbe", ["compute"]).code == 0)
        #expect(try await ProgramRun.run("CellProbe", ["open"]).code == EACCES)
        #expect(try await ProgramRun.run("CellProbe", ["limit"]).code == EACCES)
        #expect(try await ProgramRun.run("CellProbe", ["memory"]).code == ENOMEM)
        for what in ["socket", "connect", "fork", "exec", "kill", "trace", "code"] {
            #expect(try await ProgramRun.run("CellProbe", [what]).code == 128 + SIGSYS, "\(what)")
        }
        #expect(try await ProgramRun.run("CellProbe", ["spin"]).code == 128 + SIGKILL)
    }

    @Test("may be killed in the middle of a picture: it is made all the same")
    func killed() async throws {
        try await Self.with { decoders, host in
            let jpeg = TestJPEG(width: 300, height: 200).bytes()
            let made = try await decoders.look { seat in
                _ = try seat.notes(of: jpeg)
                let victims = Self.children(of: host.pid)
                try #require(!victims.isEmpty)
                for pid in victims { kill(pid, SIGKILL) }
                return try seat.make([Self.order], of: jpeg, limit: PictureLimit.bytes)
            }
            #expect(made.pictures.first?.width == 64)
        }
    }

    @Test("refuse bombs, and go on with the next picture")
    func bombs() async throws {
        try await Self.with { decoders, _ in
            let whole = try TestPicture.inHelsinki(.heic)
            let jpeg = TestJPEG().bytes()
            for count in [0, 3, 40, whole.count / 2] {
                let problem = await Self.problem {
                    try await decoders.make([Self.order], for: .usual, limit: PictureLimit.bytes) {
                        Array(whole.prefix(count))
                    }
                }
                #expect(problem?.isFinal == true)
            }
            let large = await Self.problem { try await decoders.make([Self.order], for: .usual, limit: 10) { jpeg } }
            #expect(large == .tooLarge(limit: 10))
            let made = try await decoders.make([Self.order], for: .usual, limit: PictureLimit.bytes) { jpeg }
            #expect(made.pictures.count == 1)
        }
    }

    @Test("leave a picture that takes much memory to one that may have it")
    func much() async throws {
        try await Self.with(limits: .init(sharedBytes: 500_000)) { decoders, _ in
            let file = try TestPicture(width: 400, height: 400, isInterlaced: true).bytes(.png) { _, _ in
                (1, 2, 3, 255)
            }
            await #expect(throws: PictureDecoders.TakesMuch.self) {
                try await decoders.make([Self.order], for: .usual, limit: PictureLimit.bytes) { file }
            }
            let made = try await decoders.make([Self.order], for: .large, limit: PictureLimit.bytes) { file }
            #expect(made.pictures.first?.width == 64)
        }
    }

    @Test("that were taken over cost their picture alone", arguments: FakeDecoder.allCases)
    func fake(_ fake: FakeDecoder) async throws {
        try await TemporaryFolder.with { folder in
            let host = DecoderHost(program: try fake.write(to: folder))
            // Those that say nothing are waited for.
            let life = Duration.seconds([.silent, .hang].contains(fake) ? 1 : 45)
            try await Self.with(host, limits: .init(life: life)) { decoders, _ in
                let jpeg = TestJPEG().bytes()
                let problem = await Self.problem {
                    try await decoders.make([Self.order], for: .usual, limit: PictureLimit.bytes) { jpeg }
                }
                switch fake {
                case .silent, .exits, .hang:
                    #expect(problem?.isFinal == false, "\(String(describing: problem))")
                default:
                    guard case .deadly = problem else { return #expect(problem == nil, "it has to be a deadly one") }
                }
            }
        }
    }

    @Test("can't be started when their program is not there, which is told at once")
    func missing() throws {
        #expect(throws: SystemError.self) { try DecoderHost(program: "/nowhere/picture-decoder").start() }
    }

    @Test("end with the service that they work for")
    func end() async throws {
        let host = DecoderHost()
        let pid = try await Self.with(host) { decoders, host in
            let jpeg = TestJPEG().bytes()
            _ = try await decoders.make([Self.order], for: .usual, limit: PictureLimit.bytes) { jpeg }
            return try #require(host.pid)
        }
        #expect(host.pid == nil)
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    private static func with<Value>(
        _ host: DecoderHost = DecoderHost(), limits: PictureDecoders.Limits = .init(),
        _ body: (PictureDecoders, DecoderHost) async throws -> Value
    ) async throws -> Value {
        try host.start()
        let decoders = PictureDecoders(host, count: 2, limits: limits)
        do {
            let value = try await body(decoders, host)
            await decoders.close(BlockingCalls.ofTested)
            return value
        } catch {
            await decoders.close(BlockingCalls.ofTested)
            throw error
        }
    }

    private static func problem<Value>(_ body: () async throws -> Value) async -> PictureProblem? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? PictureProblem
        }
    }

    /// The processes that one has started and that still run.
    static func children(of parent: pid_t?) -> [pid_t] {
        guard let parent, let text = try? WholeFile.text("/proc/\(parent)/task/\(parent)/children") else { return [] }
        return text.split(separator: " ").compactMap { pid_t($0) }
    }
}

/// A program in the place of picture-decoder that does what one may do that a picture has taken over.
enum FakeDecoder: String, CaseIterable, Sendable {
    /// It is never ready; it ends before it is; it ends when it is asked; it answers nothing.
    case silent, exits, crash, hang
    /// It answers what makes no sense: bytes at random, more than there can be, an answer to another question.
    case garbage, endless, other

    /// Writes it into a folder; gives its path.
    func write(to folder: String) throws -> String {
        let path = "\(folder)/picture-decoder-\(rawValue)"
        try WholeFile.write(Array(Self.program.replacing("MODE", with: rawValue).utf8), to: path)
        try #require(chmod(path, 0o700) == 0)
        return path
    }

    private static let program = """
        #!/usr/bin/python3
        # What a decoder may do that was taken over; it starts others as the real one does.
        import os, socket, struct

        def serve(peer):
            if "MODE" == "exits":
                return
            if "MODE" != "silent":
                peer.sendall(b"!")
                peer.recv(1)
            while "MODE" in ("silent", "hang") and peer.recv(4096):
                pass
            if "MODE" == "garbage":
                peer.sendall(os.urandom(4096))
            if "MODE" == "endless":
                peer.sendall(b"\\x01" + struct.pack("<Q", 1 << 40))
                while True:
                    peer.sendall(bytes(1 << 16))
            if "MODE" == "other":
                peer.sendall(b"\\x02" + struct.pack("<Q", 8) + struct.pack("<Q", 28))

        control = socket.socket(fileno=3)
        while True:
            said, sockets, _, _ = socket.recv_fds(control, 1, 1)
            if not said:
                break
            if os.fork() == 0:
                try:
                    serve(socket.socket(fileno=sockets[0]))
                finally:
                    os._exit(0)
            os.close(sockets[0])
        """
}
