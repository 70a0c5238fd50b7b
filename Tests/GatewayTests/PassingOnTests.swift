import Contracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("P35 one API for clients", .timeLimit(.minutes(3)))
struct PassingOnTests {
    @Test("every call of the services is passed on under its own name, streams too")
    func passedOn() async throws {
        try await RunningGateway.with { gateway in
            let places = PlacesServiceClient(gateway.client)
            let nearby = try await places.nearby(NearbyRequest())
            #expect(nearby.places == FakeBackends.places)
            var events = 0
            for try await _ in places.runImport(RunImportRequest()) { events += 1 }
            #expect(events == 3)
            let photos = try await PhotoServiceClient(gateway.client).photosNear(PhotosNearRequest())
            #expect(photos.photos == [FakeBackends.photo])
            let options = CallOptions(requestID: "mine")
            _ = try await PinServiceClient(gateway.client).pinsNear(PinsNearRequest(), options)
            #expect(gateway.behind.contexts.last?.requestID == "mine")
        }
    }

    @Test("a trace goes on to all services behind, whichever way it came in, and begins here when none came")
    func traces() async throws {
        let sent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        try await RunningGateway.with { gateway in
            _ = try await PinServiceClient(gateway.client).pinsNear(
                PinsNearRequest(), CallOptions(traceparent: sent))
            _ = try await gateway.http.call(
                "/waymark.places.v1.PlacesService/Nearby", "{}", [("Traceparent", sent)])
            _ = try await gateway.explore.explore(
                ExploreRequest(centre: Coordinate(latitude: 1, longitude: 1)), CallOptions(traceparent: sent))
            let seen = gateway.behind.contexts.map(\.traceparent)
            #expect(seen.count == 6)
            #expect(seen.allSatisfy { $0.hasPrefix(sent.prefix(36)) && $0.hasSuffix("-01") && $0 != sent })
            #expect(Set(seen).count == 3, "the branches of Explore have one parent")

            _ = try await gateway.http.call("/waymark.places.v1.PlacesService/Nearby", "{}", [("Traceparent", "00-x")])
            let begun = try #require(gateway.behind.contexts.last.flatMap { TraceContext($0.traceparent) })
            #expect(!begun.isSampled)
        }
    }

    @Test("a call that the service behind does not know is UNIMPLEMENTED")
    func notBehind() async throws {
        try await RunningGateway.with { gateway in
            let error = try await errorOf { try await PinServiceClient(gateway.client).listPins(ListPinsRequest()) }
            #expect(error?.code == .unimplemented)
        }
    }

    @Test("a message that does not decode is refused by the service behind")
    func undecodable() async throws {
        try await RunningGateway.with { gateway in
            let error = try await errorOf {
                try await gateway.client.unaryBytes(PlacesServiceMethods.nearby, [0x0a, 0x50], CallOptions())
            }
            #expect(error?.code == .invalidArgument)
            _ = try await PlacesServiceClient(gateway.client).nearby(NearbyRequest())
        }
    }

    @Test("a service that is not there is UNAVAILABLE, and costs only its own calls")
    func down() async throws {
        try await RunningGateway.with(closed: ["pins"]) { gateway in
            let error = try await errorOf { try await PinServiceClient(gateway.client).pinsNear(PinsNearRequest()) }
            #expect(error?.code == .unavailable)
            _ = try await PlacesServiceClient(gateway.client).nearby(NearbyRequest())
        }
    }

    @Test("B4: nobody is told where a service listens that is not there")
    func addresses() async throws {
        try await RunningGateway.with(closed: ["pins", "photos"]) { gateway in
            let (pins, shared) = (PinServiceClient(gateway.client), SharedServiceClient(gateway.client))
            let away = "the pin service can't be reached now"
            for error in [
                try await errorOf { try await pins.pinsNear(PinsNearRequest()) },
                try await errorOf { for try await _ in pins.watchPins(WatchPinsRequest()) {} },
                try await errorOf { try await shared.getSharedPin(GetSharedPinRequest(token: "a")) },
            ] {
                #expect(error?.code == .unavailable && error?.message == away)
            }
            for (path, request) in [
                ("/waymark.pins.v1.PinService/PinsNear", "{}"),
                ("/waymark.gateway.v1.SharedService/GetSharedPin", #"{"token":"a"}"#),
            ] {
                let reply = try await gateway.http.call(path, request)
                #expect(reply.status == 503 && reply.failure?.message == away, "\(path): \(reply.text)")
            }
            let photos = try await errorOf {
                try await PhotoServiceClient(gateway.client).photosNear(PhotosNearRequest())
            }
            #expect(photos?.message == "the photo service can't be reached now")
        }
    }
}
