import Arguments
import Settings
import PhotoContracts
import Daemon
import FoundationEssentials
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import PhotoService

@Suite("P26 Keys of accounts for networks", .timeLimit(.minutes(2)))
struct NetworkKeyTests {
    private typealias Asset = ImmichSimulator.Asset
    private typealias Behaviour = ImmichSimulator.Behaviour

    @Test("a key is kept when it opens all that is needed, and is never given back: not by a call, not by the database")
    func kept() async throws {
        try await ImmichWorld.with(ImmichSimulator([Asset(number: 1)], key: ImmichWorld.key)) { world in
            #expect(
                try await world.list()
                    == ListNetworkKeysResponse(servers: [KeyServer(network: "immich", server: world.url)]))
            let set = try await world.setKey(" \(ImmichWorld.key)\n", server: "\(world.url)/")
            #expect(set.network == "immich" && set.server == world.url && set.problem.isEmpty)
            let listed = try await world.list()
            #expect(listed.keys == [set])
            #expect(try await world.list(of: "bo").keys.isEmpty)
            let sealed = try #require(
                try await world.service.store.read { transaction throws(SQLError) in
                    try transaction.networkKeys(of: "ann").first
                })
            for bytes in [listed.packedBytes(), sealed.sealed] { #expect(!Self.contains(bytes, ImmichWorld.key)) }
            let seal = SecretSeal(try #require(RunningPhotoService.key), purpose: "network keys")
            #expect(seal.open(sealed.sealed, of: sealed.key.id) == ImmichWorld.key)
            #expect(seal.open(sealed.sealed, of: "another") == nil)
            let other = SecretSeal(try #require(DeploymentKey(bytes: Array(1...32))), purpose: "network keys")
            #expect(other.open(sealed.sealed, of: sealed.key.id) == nil)
        }
    }

    @Test(
        "one that does not open everything is refused with the reason, and not kept",
        arguments: [
            ("wrong-key-wrong-key-wrong-key-32", Behaviour(), "key: the server does not accept the key"),
            (
                ImmichWorld.key, Behaviour(permissions: ["asset.view"]),
                "key: the key may not do this: Missing required permission: asset.read"
            ),
            (
                ImmichWorld.key, Behaviour(permissions: ["asset.read"]),
                "key: the key may not do this: Missing required permission: asset.view"
            ),
            (
                ImmichWorld.key, Behaviour(major: 2, minor: 5),
                "key: the key may not do this: Missing required permission: map.read"
            ),
            (
                ImmichWorld.key, Behaviour(major: 1, minor: 136),
                "key: the key may not do this: Missing required permission: all; Immich 1.136 wants a key with all permissions"
            ),
        ])
    private func refused(key: String, behaviour: Behaviour, reason: String) async throws {
        try await ImmichWorld.with(ImmichSimulator([Asset(number: 1)], key: ImmichWorld.key, behaviour)) { world in
            let error = try await errorOf { try await world.setKey(key) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.hasPrefix(reason) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains(key) == false)
            #expect(try await world.list().keys.isEmpty)
        }
    }

    @Test(
        "requests that can't be are refused, and no address is called that the operator does not name",
        arguments: [
            (
                SetNetworkKeyRequest(network: "flickr", key: "k"),
                "network: \"flickr\" is not allowed; \"immich\" and \"instagram\" are"
            ),
            (SetNetworkKeyRequest(network: "immich", key: ""), "key: 1 to 500 visible"),
            (SetNetworkKeyRequest(network: "immich", key: "a\r\nx: y"), "key: 1 to 500 visible"),
            (SetNetworkKeyRequest(network: "immich", key: String(repeating: "k", count: 501)), "key: 1 to 500 visible"),
            (
                SetNetworkKeyRequest(network: "immich", server: "http://169.254.169.254", key: "k"),
                "server: \"http://169.254.169.254\" is not allowed; http://127.0.0.1"
            ),
        ])
    func bad(request: SetNetworkKeyRequest, words: String) async throws {
        try await ImmichWorld.with(ImmichSimulator([], key: ImmichWorld.key)) { world in
            let error = try await errorOf { try await world.service.keys.setNetworkKey(request, world.service.options) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
            #expect(world.fixture.requests.isEmpty)
        }
    }

    @Test("with a deleted key go its photos, from all albums and from the favourites")
    func deleted() async throws {
        try await ImmichWorld.with(ImmichSimulator([Asset(number: 1)], key: ImmichWorld.key)) { world in
            try await world.setKey()
            try await world.addPin()
            let id = try #require(try await world.service.album("pin/p1").photos.first?.id)
            _ = try await world.service.change(id, .add)
            let none = try await errorOf {
                try await world.service.uploads.deletePhoto(DeletePhotoRequest(id: id), world.service.options)
            }
            #expect(none?.code == .notFound, "no single one is deleted")
            let request = DeleteNetworkKeyRequest(network: "immich")
            #expect(try await world.service.keys.deleteNetworkKey(request, world.service.options).deleted)
            #expect(try await world.service.album("pin/p1").album?.summary == AlbumSummary(state: .empty))
            #expect(try await world.service.favourites().isEmpty)
            #expect(try await world.list().keys.isEmpty)
            #expect(try await errorOf { try await world.service.photo(id, of: "ann") }?.code == .notFound)
            #expect(try await !world.service.keys.deleteNetworkKey(request, world.service.options).deleted)
        }
    }

    @Test("one that opens nothing any more is told, by the album, by the list and by the picture; a new one mends it")
    func revoked() async throws {
        let simulator = ImmichSimulator([Asset(number: 1)], key: ImmichWorld.key)
        try await ImmichWorld.with(simulator) { world in
            try await world.setKey()
            try await world.addPin()
            let id = try #require(try await world.service.album("pin/p1").photos.first?.id)
            simulator.change(key: "another")
            try await world.forgetAreas()
            try await world.addPin("p2")
            let reason = "the server does not accept the key"
            #expect(try await world.service.album("pin/p2").album?.warning == "immich: \(reason)")
            #expect(try await world.list().keys.map(\.problem) == [reason])
            let error = try await errorOf { try await world.service.picture(id, .thumbnail) }
            #expect(error?.code == .failedPrecondition && error?.message.contains(reason) == true)
            try await world.setKey("another")
            #expect(try await world.list().keys.map(\.problem) == [""])
            #expect(try await world.service.picture(id, .thumbnail).bytes == ImmichSimulator.thumbnail)
        }
    }

    @Test("pins that are there already get its photos when they have none")
    func later() async throws {
        try await ImmichWorld.with(ImmichSimulator([Asset(number: 1)], key: ImmichWorld.key)) { world in
            try await world.addPin()
            #expect(try await world.numbers().isEmpty)
            try await world.setKey()
            try await world.service.watch("pin/p1") { $0.album?.summary?.photoCount == 1 }
            #expect(try await world.numbers() == [1])
        }
    }

    @Test("the operator names servers, some that people reach elsewhere; others are told")
    func settings() throws {
        let config = try config("http://immich:2283/=https://photos.example/, https://b.example")
        #expect(
            config.servers == [
                ImmichServer(url: "http://immich:2283", publicURL: "https://photos.example"),
                ImmichServer(url: "https://b.example", publicURL: "https://b.example"),
            ])
        #expect(try self.config("").servers.isEmpty)
        for (list, words) in [("immich:2283", "http://"), ("file:///x", "http://"), ("http://a,http://a", "twice")] {
            let error = #expect(throws: OptionError.self) { _ = try self.config(list) }
            #expect(error?.description.contains("--immich-servers") == true)
            #expect(error?.description.contains(words) == true)
        }
    }

    private func config(_ list: String) throws -> ImmichConfig {
        let arguments = ["--immich-servers", list]
        let options = try Options(Option.photoNetworks, arguments: arguments, environment: [:])
        return try PhotoNetworksConfig(options).immich
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(text)
    }
}
