import Contracts
import RPC
import TestSupport
import Testing
import Wire

@testable import Daemon

@Suite("Health", .timeLimit(.minutes(3)))
struct HealthTests {
    private func withHealth(_ body: (ServingHealth, HealthServiceClient, Server) async throws -> Void) async throws {
        let health = ServingHealth(services: ["a.B"])
        try await TestServer.with(Router([health])) { server in
            try await server.withClient { client in
                try await body(health, HealthServiceClient(client), server.server)
            }
        }
    }

    @Test("tells the state, for the server and for each service")
    func check() async throws {
        try await withHealth { health, client, _ in
            let before = try await client.check(CheckRequest()).status
            #expect(before == .notServing)
            health.set(.serving)
            for service in ["", "a.B"] {
                #expect(try await client.check(CheckRequest(service: service)).status == .serving)
            }
            let error = try await errorOf { try await client.check(CheckRequest(service: "a.C")) }
            #expect(error?.code == .notFound)
            let watch = try await errorOf { for try await _ in client.watch(WatchRequest(service: "a.C")) {} }
            #expect(watch?.code == .notFound)
        }
    }

    @Test("tells the same in gRPC's words, and that a service is unknown where that is watched")
    func byGRPC() async throws {
        let health = ServingHealth(services: ["a.B"])
        try await TestServer.with(Router([GRPCHealthHandler(health: health)])) { server in
            try await server.withClient { rpc in
                let client = HealthClient(rpc)
                #expect(try await client.check(HealthCheckRequest()).status == .notServing)
                health.set(.serving)
                for service in ["", "a.B"] {
                    #expect(try await client.check(HealthCheckRequest(service: service)).status == .serving)
                }
                let error = try await errorOf { try await client.check(HealthCheckRequest(service: "a.C")) }
                #expect(error?.code == .notFound)
                for (service, status) in [("a.B", HealthCheckResponse.Readiness.serving), ("a.C", .serviceUnknown)] {
                    let watch = client.watch(HealthCheckRequest(service: service)).makeAsyncIterator()
                    #expect(try await watch.next()?.status == status)
                }
            }
        }
    }

    @Test("tells every watcher the state now and each change")
    func watch() async throws {
        try await withHealth { health, client, _ async throws in
            let readers = (0..<5).map { _ in client.watch(WatchRequest()).makeAsyncIterator() }
            for reader in readers { #expect(try await reader.next()?.status == .notServing) }
            for status in [ServingStatus.serving, .notServing, .serving] {
                health.set(status)
                for reader in readers { #expect(try await reader.next()?.status == status) }
            }
        }
    }

    @Test("is watched by a thousand at most, so that others have streams too")
    func watchers() async throws {
        try await withHealth { health, client, _ async throws in
            var readers = (0..<1000).map { _ in client.watch(WatchRequest()).makeAsyncIterator() }
            for reader in readers { _ = try await reader.next() }
            let error = try await errorOf { for try await _ in client.watch(WatchRequest()) {} }
            #expect(error?.code == .resourceExhausted)
            readers.removeLast()
            // That one has gone takes a moment to be known.
            while try await errorOf({ for try await _ in client.watch(WatchRequest()) { break } }) != nil {}
        }
    }

    @Test("looks for no name that is far too long")
    func longName() async throws {
        try await withHealth { _, client, _ in
            let request = CheckRequest(service: String(repeating: "\u{301}\u{316}", count: 1000))
            let error = try await errorOf { try await client.check(request) }
            // With the joiners that are put between so many accents.
            #expect(error?.message == "there is no service with a name of 4132 bytes")
        }
    }

    @Test("tells its end to every watcher, and ends their streams")
    func stopping() async throws {
        try await withHealth { health, client, _ async throws in
            health.set(.serving)
            let readers = (0..<5).map { _ in client.watch(WatchRequest()).makeAsyncIterator() }
            for reader in readers { #expect(try await reader.next()?.status == .serving) }
            health.stop()
            for reader in readers {
                #expect(try await reader.next()?.status == .notServing)
                #expect(try await reader.next() == nil)
            }
            var statuses: [ServingStatus] = []
            for try await answer in client.watch(WatchRequest()) { statuses.append(answer.status) }
            #expect(statuses == [.notServing])
        }
    }

    @Test("never misses a change that comes while it answers")
    func noLostChange() async throws {
        try await withHealth { health, client, _ in
            let reader = client.watch(WatchRequest()).makeAsyncIterator()
            _ = try await reader.next()
            let changing = Task {
                for turn in 0..<2000 {
                    health.set(turn % 2 == 0 ? .serving : .notServing)
                    if turn % 16 == 0 { await Task.yield() }
                }
                health.set(.unspecified)
            }
            while let status = try await reader.next()?.status, status != .unspecified {}
            await changing.value
        }
    }

    @Test("lets a watcher leave, and forgets it")
    func watcherLeaves() async throws {
        try await withHealth { health, client, server in
            for _ in 0..<50 { for try await _ in client.watch(WatchRequest()) { break } }
            let isEmpty = await eventually { server.callsInFlight == 0 }
            #expect(isEmpty)
            health.set(.serving)
            #expect(try await client.check(CheckRequest()).status == .serving)
        }
    }
}
