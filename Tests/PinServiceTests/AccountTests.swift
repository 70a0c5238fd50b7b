import PinContracts
import Daemon
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@testable import PinService

@Suite("P32 Pins are private to their account")
struct AccountTests {
    @Test("another account's pin is not found, like one that never was")
    func otherAccount() async throws {
        try await RunningPinService.with { service in
            let pin = try #require(try await service.pins.createPin(CreatePinRequest(1, 2), service.of("ann")).pin)
            let request = GetPinRequest(id: pin.id)
            #expect(try await service.pins.getPin(request, service.of("ann")).pin == pin)
            let foreign = try await errorOf { try await service.pins.getPin(request, service.of("bob")) }
            #expect(foreign?.code == .notFound)
            let never = PinID.make(unixMilliseconds: 1)
            let missing = try await errorOf {
                try await service.pins.getPin(GetPinRequest(id: "\(never)"), service.of("ann"))
            }
            #expect(missing?.code == .notFound)
            #expect(missing?.message == foreign?.message.replacing(pin.id, with: "\(never)"))
        }
    }

    @Test("a search shows only the account's own, and another's do not count for the limit")
    func search() async throws {
        try await RunningPinService.with { service in
            for account in ["ann", "bob", "ann", "bob"] {
                _ = try await service.pins.createPin(CreatePinRequest(1, 2, name: account), service.of(account))
            }
            let near = try await service.pins.pinsNear(PinsNearRequest(1, 2, limit: 2), service.of("ann"))
            #expect(near.pins.map(\.name) == ["ann", "ann"])
            #expect(!near.truncated)
            let none = try await service.pins.pinsNear(PinsNearRequest(1, 2), service.of("cyd"))
            #expect(none.pins.isEmpty)
        }
    }

    @Test("a call without an identity, or with one of another deployment, is refused")
    func unsigned() async throws {
        try await RunningPinService.with { service in
            let otherKey = try #require(DeploymentKey(bytes: [UInt8](repeating: 9, count: 32)))
            let forged = CallOptions(
                deadline: .now + .seconds(60),
                signedIdentity: IdentitySigner(otherKey).sign(.account("ann", .ofAccounts)))
            for options in [CallOptions(timeout: .seconds(60)), forged] {
                let created = try await errorOf { try await service.pins.createPin(CreatePinRequest(1, 2), options) }
                let got = try await errorOf { try await service.pins.getPin(GetPinRequest(id: "x"), options) }
                let near = try await errorOf { try await service.pins.pinsNear(PinsNearRequest(1, 2), options) }
                for error in [created, got, near] { #expect(error?.code == .unauthenticated) }
            }
        }
    }
}
