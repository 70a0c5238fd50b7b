import Settings
import EventLoops
import Glibc
import TestTools
import Testing

@testable import Supervisor
@testable import Waymark

@Suite("P39 waymark up, as real processes", .timeLimit(.minutes(3)))
struct UpProcessTests {
    private let programs: FakePrograms
    private let folder: TemporaryFolder

    init() throws {
        programs = try FakePrograms()
        folder = TemporaryFolder()
    }

    private func up(_ flags: String..., port: String = "0") throws -> RunningWaymark {
        let arguments = ["up", "--data", "\(folder.path)/data", "--bin-dir", programs.path, "--port", port] + flags
        return try RunningWaymark(arguments, folder: folder)
    }

    private func processes(_ ready: RunningWaymark.Event?) -> [OtherProcess] {
        (ready?.pids ?? [:]).values.map(OtherProcess.init)
    }

    @Test(
        "tells one ready line with every address, and stops all at SIGINT with status 0", arguments: [SIGINT, SIGTERM])
    func readyAndStop(signal: Int32) async throws {
        let waymark = try up("--json")
        let ready = try await waymark.event()
        #expect(ready?.event == "ready")
        #expect(ready?.gateway?.hasPrefix("127.0.0.1:") == true)
        #expect(Set((ready?.services ?? [:]).keys) == ["places", "pins", "photos"])
        #expect(Set((ready?.admin ?? [:]).keys) == ["gateway", "places", "pins", "photos"])
        #expect(ready?.admin?.values.allSatisfy { $0.hasPrefix("127.0.0.1:3") } == true)
        #expect(ready?.pid == waymark.processID)
        let services = processes(ready)
        #expect(services.count == 4)

        waymark.signal(signal)
        #expect(try await waymark.event()?.event == "stopping")
        #expect(try await waymark.wait() == .exited(0))
        for service in services { #expect(try await service.hasEnded()) }
    }

    @Test("tells which folder of pictures it uses")
    func pictures() async throws {
        let pictures = TemporaryFolder()
        let waymark = try up("--json", "--pictures", pictures.path)
        #expect(try await waymark.event()?.pictures == pictures.path)
        waymark.signal(SIGTERM)
        #expect(try await waymark.wait() == .exited(0))
    }

    @Test("is friendly to a person")
    func person() async throws {
        let waymark = try up()
        #expect(try await waymark.line() == "Waymark is ready.")
        waymark.signal(SIGTERM)
        #expect(try await waymark.wait() == .exited(0))
        #expect(try waymark.errors.contains("Stopping"))
        #expect(try folder.text("data/key").count == 65)
    }

    @Test("starts a service again that was killed, with a doubled delay the second time, and says so")
    func restart() async throws {
        let waymark = try up("--json")
        let ready = try await waymark.event()
        var processID = ready?.pids?["places"] ?? 0
        for attempt in 1...2 {
            OtherProcess(processID).signal(SIGKILL)
            let ended = try await waymark.event()
            #expect(ended?.event == "ended")
            #expect(ended?.service == "places-service")
            #expect(ended?.reason == "signal 9 (Killed)")
            #expect(ended?.attempt == attempt)
            #expect(ended?.delayMilliseconds == 200 * attempt)
            let back = try await waymark.event()
            #expect(back?.event == "restarted")
            #expect(back?.pid != processID)
            processID = back?.pid ?? 0
        }
        waymark.signal(SIGTERM)
        #expect(try await waymark.wait() == .exited(0))
    }

    @Test("children end with a parent that was killed")
    func parentKilled() async throws {
        let waymark = try up("--json")
        let services = processes(try await waymark.event())
        #expect(services.count == 4)
        waymark.signal(SIGKILL)
        #expect(try await waymark.wait() == .killed(signal: SIGKILL))
        for service in services { #expect(try await service.hasEnded()) }
    }

    @Test("a second Ctrl-C ends services that will not stop")
    func secondSignal() async throws {
        try programs.makeStubborn(ServiceSettings.gateway.program)
        let waymark = try up("--json")
        let services = processes(try await waymark.event())
        waymark.signal(SIGINT)
        #expect(try await waymark.event()?.event == "stopping")
        waymark.signal(SIGINT)
        #expect(try await waymark.wait() == .exited(0))
        for service in services { #expect(try await service.hasEnded()) }
    }

    @Test("a taken port is one clear sentence")
    func portTaken() async throws {
        guard let address = try Endpoint("127.0.0.1:0")?.resolve().first else { return }
        let socket = try Socket.listening(on: address)
        let port = socket.localAddress?.port ?? 0
        let waymark = try up(port: "\(port)")
        #expect(try await waymark.wait() == .exited(1))
        #expect(
            try waymark.errors
                == "waymark: port \(port) is taken on 127.0.0.1; --port N chooses another, 0 a free one\n")
        #expect(try await waymark.line() == nil)
        _ = consume socket
    }

    @Test("a service that fails at its start ends it all, with that service's own words")
    func failedStart() async throws {
        try programs.fail(ServiceSettings.pins.program)
        let waymark = try up()
        #expect(try await waymark.wait() == .exited(1))
        #expect(
            try waymark.errors.hasSuffix(
                "waymark: pin-service ended at its start with exit status 3: pin-service can not start today\n"))
    }

    @Test("two can't share a data folder")
    func folderInUse() async throws {
        let first = try up("--json")
        _ = try await first.event()
        let other = TemporaryFolder()
        let second = try RunningWaymark(
            ["up", "--data", "\(folder.path)/data", "--bin-dir", programs.path, "--port", "0"], folder: other)
        #expect(try await second.wait() == .exited(1))
        #expect(try second.errors.contains("is in use by another waymark up"))
        first.signal(SIGTERM)
        #expect(try await first.wait() == .exited(0))
    }

    @Test("a missing program is named")
    func missingProgram() async throws {
        let empty = TemporaryFolder()
        let waymark = try RunningWaymark(
            ["up", "--data", "\(folder.path)/data", "--bin-dir", empty.path], folder: folder)
        #expect(try await waymark.wait() == .exited(1))
        #expect(try waymark.errors.contains("places-service is not in \(empty.path); --bin-dir DIR"))
    }
}
