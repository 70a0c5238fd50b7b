import Settings
import EventLoops
import Testing

@testable import Supervisor
@testable import Terminal
@testable import Waymark

@Suite("Services started for a bench", .timeLimit(.minutes(3)))
struct PrivateServicesTests {
    private let programs: FakePrograms
    private let services: PrivateServices

    init() throws {
        programs = try FakePrograms()
        services = PrivateServices(
            programs: try ProgramFolder(programs.path), signals: nil, maximumRadius: 20_000_000)
    }

    @Test("run as long as the body, at an address of their own")
    func body() async throws {
        let port = try await services.run { $0.port }
        #expect(port >= 20_000)
    }

    @Test("stop when the body fails, and the body's error stays")
    func failingBody() async throws {
        await #expect(throws: CommandFailure("no")) {
            try await services.run { _ in throw CommandFailure("no") }
        }
    }

    @Test("that do not start are an error with their own words")
    func failedStart() async throws {
        try programs.fail(ServiceSettings.places.program)
        await #expect(
            throws: CommandFailure(
                "places-service ended at its start with exit status 3: places-service can not start today")
        ) {
            try await services.run { _ in }
        }
    }
}
