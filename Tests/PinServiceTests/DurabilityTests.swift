import PinContracts
import Daemon
import EventLoops
import FoundationEssentials
import Glibc
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P1 A pin that was acknowledged is there", .serialized)
struct DurabilityTests {
    /// Where the other services are not.
    private let nobody: ClosedPort

    init() throws { nobody = try ClosedPort() }

    @Test("after the service was killed with -9 in the middle of many creations, again and again")
    func killed() async throws {
        try await TemporaryFolder.with { folder in
            var kept: [PinContracts.Pin] = []
            for count in [1, 40, 300] {
                let process = try await start(folder)
                let acknowledged = try await withClient(process) { try await create(until: count, process, $0) }
                #expect(acknowledged.count >= count)
                kept += acknowledged
                let again = try await start(folder)
                try await withClient(again) { try await expectAll(kept, $0) }
                #expect(try await again.end(by: SIGTERM).code == 0, "a signal to stop ends it with exit code 0")
            }
            #expect(Set(kept.map(\.id)).count == kept.count)
        }
    }

    @Test("after the service was stopped and started")
    func reopened() async throws {
        try await TemporaryFolder.with { folder in
            let first = try await RunningPinService.with(folder: folder) { service in
                try #require(
                    try await service.pins.createPin(CreatePinRequest(1, 2, name: "first"), service.of("ann")).pin)
            }
            try await RunningPinService.with(folder: folder) { service in
                #expect(try await service.pins.getPin(GetPinRequest(id: first.id), service.of("ann")).pin == first)
                let near = try await service.pins.pinsNear(PinsNearRequest(1, 2), service.of("ann"))
                #expect(near.pins.map(\.id) == [first.id])
            }
        }
    }

    /// Four clients create pins one after the other; when `count` are acknowledged the process is killed.
    private func create(
        until count: Int, _ process: ServiceProcess, _ pins: PinServiceClient
    ) async throws -> [PinContracts.Pin] {
        let journal = Journal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    while let pin = try? await pins.createPin(CreatePinRequest(1, 2), ServiceProcess.options(of: "ann"))
                        .pin
                    {
                        guard journal.note(pin) == count else { continue }
                        let end = try await process.end(by: SIGKILL)
                        #expect(end.code == 128 + SIGKILL)
                    }
                }
            }
            try await group.waitForAll()
        }
        return journal.pins
    }

    /// What was acknowledged, kept outside of the service.
    private final class Journal: Sendable {
        private let noted = Mutex<[PinContracts.Pin]>([])

        var pins: [PinContracts.Pin] { noted.withLock { $0 } }

        /// Gives how many there are now.
        func note(_ pin: PinContracts.Pin) -> Int {
            noted.withLock { pins in
                pins.append(pin)
                return pins.count
            }
        }
    }

    private func expectAll(_ kept: [PinContracts.Pin], _ pins: PinServiceClient) async throws {
        for pin in kept {
            let stored = try await pins.getPin(GetPinRequest(id: pin.id), ServiceProcess.options(of: "ann")).pin
            #expect(stored?.asCreated == pin.asCreated)
        }
    }

    /// The program on a data folder that it has to make.
    private func start(_ folder: String) async throws -> ServiceProcess {
        try await ServiceProcess.start(
            "pin-service", folder: folder,
            [
                "--data", "\(folder)/data/deep", "--loops", "1", "--log-level", "error",
                "--places", "\(nobody.endpoint)", "--photos", "\(nobody.endpoint)",
            ])
    }

    private func withClient<Value>(
        _ process: ServiceProcess, _ body: (PinServiceClient) async throws -> Value
    ) async throws -> Value {
        try await TestClient.with(process.endpoint) { try await body(PinServiceClient($0)) }
    }
}

extension PinContracts.Pin {
    /// The pin without what the service finds out about it.
    fileprivate var asCreated: PinContracts.Pin {
        var pin = self
        (pin.version, pin.searches, pin.state, pin.album, pin.photoWarning) = (0, [], .new, nil, "")
        return pin
    }
}
