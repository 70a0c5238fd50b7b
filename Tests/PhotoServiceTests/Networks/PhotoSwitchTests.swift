import PhotoContracts
import EventLoops
import HTTP
import RPC
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P26 P45 Switching networks of photos", .timeLimit(.minutes(2)))
struct PhotoSwitchTests {
    /// Runs the service with a Commons that a setting switches on.
    private func with(
        _ commons: CommonsFixture, in folder: String? = nil,
        _ body: (RunningPhotoService, HTTPFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { own in
            if folder == nil { _ = try PictureFiles(own) }
            let folder = folder ?? own
            try await HTTPFixture.with(commons.answer) { fixture, url in
                let arguments = [
                    "--commons-url", "\(url)/w/api.php", "--commons-files", "\(url)/files", "--contact", "a@b.example",
                    "--commons-rate", "1000",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { try await body($0, fixture) }
            }
        }
    }

    private func addPin(_ id: String, to service: RunningPhotoService) async throws {
        let request = SearchAlbumsRequest(
            pinId: id, generation: 1, centre: Coordinate(latitude: 48.8584, longitude: 2.2945), radiusM: 500,
            isLast: true)
        _ = try await service.search.searchAlbums(request, service.peerOptions)
    }

    @Test("an album that is empty for want of a network fills when that is switched on")
    func fills() async throws {
        try await with(CommonsFixture([.init(id: 1), .init(id: 2, latitude: 48.8590)])) { service, fixture in
            let off = try await service.turn("commons", on: false)
            #expect(off.available && !off.on && off.switchedBy == "ann" && off.gives == ["photos"])
            try await addPin("p1", to: service)
            try await service.watchToEnd("pin/p1")
            #expect(try await service.album("pin/p1").album?.summary?.state == .empty)
            #expect(fixture.requests.isEmpty)
            let on = try await service.turn("commons", on: true)
            #expect(on.on && on.sends.contains("squares of the map"))
            try await service.watchToEnd("pin/p1")
            #expect(try await service.album("pin/p1").album?.summary?.photoCount == 2)
        }
    }

    @Test("switched off during a search, it is asked nothing more: the album ends without it, and says so")
    func running() async throws {
        let gate = Gate()
        try await with(CommonsFixture([.init(id: 1)], gate: gate)) { service, fixture in
            try await addPin("p1", to: service)
            while fixture.requests.isEmpty { await fixture.bell.wait(after: 0) }
            _ = try await service.turn("commons", on: false)
            try await service.watchToEnd("pin/p1")
            let album = try await service.album("pin/p1").album
            #expect(album?.summary?.state == .empty && album?.warning == "commons: it is switched off")
            #expect(fixture.requests.count == 1)
            gate.open()
        }
    }

    @Test("a restart keeps the switch, whatever the settings say")
    func restart() async throws {
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            let commons = CommonsFixture([.init(id: 1)])
            try await with(commons, in: folder) { service, _ in _ = try await service.turn("commons", on: false) }
            try await with(commons, in: folder) { service, fixture in
                let list = try await service.networks.listPhotoNetworks(ListPhotoNetworksRequest(), service.options)
                // The folder is asked without a question to another server.
                #expect(
                    list.networks.first == NetworkInfo(name: "folder", on: true, gives: ["photos"], available: true))
                let live = list.networks.dropFirst()
                #expect(live.map(\.name) == ["commons", "panoramax"])
                #expect(live.map(\.on) == [false, false] && list.canSwitch)
                #expect(live.allSatisfy { $0.available && !$0.needsContact && $0.dailyLimit == 5_000 })
                try await addPin("p1", to: service)
                try await service.watchToEnd("pin/p1")
                #expect(fixture.requests.isEmpty)
            }
        }
    }

    @Test("who is no administrator may look, but not switch")
    func roles() async throws {
        try await with(CommonsFixture([])) { service, _ in
            let user = service.options(of: "bo", roles: [.user])
            let list = try await service.networks.listPhotoNetworks(ListPhotoNetworksRequest(), user)
            #expect(list.networks.count == 3 && !list.canSwitch)
            let error = try await errorOf {
                try await service.networks.switchPhotoNetwork(SwitchPhotoNetworkRequest(network: "commons"), user)
            }
            #expect(error?.code == .permissionDenied)
            #expect(try await service.isOn("commons"))
        }
    }

    @Test(
        "what can't be switched is refused with the field, the value and what is allowed",
        arguments: [
            (
                "", "",
                "network: \"\" is not allowed; the networks of photos commons, flickr, foursquare, instagram, panoramax are"
            ),
            ("folder", "", "network: \"folder\" is not allowed"),
            ("commons", "a\u{7}", "contact: \"a\u{7}\" is not allowed"),
        ])
    func refused(network: String, contact: String, words: String) async throws {
        try await with(CommonsFixture([])) { service, _ in
            let error = try await errorOf { try await service.turn(network, on: true, contact: contact) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }
}

@Suite(
    "P43 P45 Switches of replicas of the photo service", .enabled(if: S3Server.isInstalled, "\(S3Server.hint)"),
    .timeLimit(.minutes(5)))
struct PhotoSwitchReplicaTests {
    @Test("a switch at one replica is seen by the other")
    func shared() async throws {
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            let arguments = ["--commons-url", "http://127.0.0.1:1", "--contact", "a@b.example"]
            try await RunningPhotoService.replica("one", in: folder, arguments: arguments) { first in
                try await RunningPhotoService.replica("two", in: folder, arguments: arguments) { second in
                    for isOn in [false, true] {
                        _ = try await first.turn("commons", on: isOn)
                        while try await second.isOn("commons") != isOn { await Task.yield() }
                        _ = try await second.turn("panoramax", on: isOn)
                        while try await first.isOn("panoramax") != isOn { await Task.yield() }
                    }
                }
            }
        }
    }
}

extension RunningPhotoService {
    fileprivate func turn(_ network: String, on isOn: Bool, contact: String = "") async throws -> NetworkInfo {
        let request = SwitchPhotoNetworkRequest(network: network, on: isOn, contact: contact)
        return try #require(try await networks.switchPhotoNetwork(request, options).network)
    }

    fileprivate func isOn(_ network: String) async throws -> Bool {
        try await networks.listPhotoNetworks(ListPhotoNetworksRequest(), options).networks
            .contains { $0.name == network && $0.on }
    }
}
