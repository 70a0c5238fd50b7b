import PinContracts
import Daemon
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P52 pins come in from a file", .timeLimit(.minutes(5)))
struct PinImportTests {
    private static let gpx = """
        <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="60.1" lon="24.9"><name>A</name><desc>Note</desc></wpt>
        <wpt lat="95" lon="24.9"><name>North</name></wpt>
        <wpt lat="60.2" lon="24.8"/>
        <trk><name>T</name></trk></gpx>
        """

    @Test("its pins are stored with what it says; bad ones are said with number, value and what is allowed")
    func imported() async throws {
        try await RunningPinService.with { service in
            let ended = try await service.importing(Self.gpx)
            #expect(ended.import.state == .done)
            #expect(ended.import.pinCount == 2 && ended.import.addedCount == 2 && ended.import.passedCount == 1)
            #expect(ended.bad.map(\.number) == [0, 2])
            #expect(ended.bad.first?.reason == "the track \"T\" is passed over: it has too few points")
            let reason = ended.bad.last?.reason ?? ""
            #expect(reason.contains("latitude") && reason.contains("95"))
            let pins = try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins
            #expect(Set(pins.map(\.name)) == ["A", "60.2, 24.8"])
            #expect(pins.allSatisfy { $0.generation == 0 && $0.searches.isEmpty && $0.state == .new })
            let others = try await service.pins.listPins(ListPinsRequest(), service.of("eve")).pins
            #expect(others.isEmpty)
        }
    }

    @Test("a trial says what there is and stores nothing")
    func trial() async throws {
        try await RunningPinService.with { service in
            let ended = try await service.importing(Self.gpx, isTrial: true)
            #expect(ended.import.pinCount == 2 && ended.import.badCount == 1 && ended.import.state == .sent)
            #expect(try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins.isEmpty)
        }
    }

    @Test("what is there already is not made again, whether it is in the file twice or comes a second time")
    func known() async throws {
        try await RunningPinService.with { service in
            let twice = Self.gpx.replacing(
                "<trk>", with: #"<wpt lat="60.1000009" lon="24.8999991"><name>A</name></wpt><trk>"#)
            let first = try await service.importing(twice)
            #expect(first.import.pinCount == 3 && first.import.addedCount == 2 && first.import.knownCount == 1)
            let second = try await service.importing(Self.gpx)
            #expect(second.import.addedCount == 0 && second.import.knownCount == 2)
            let count = try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins.count
            #expect(count == 2)
        }
    }

    @Test("asked twice under one name it is one import, and running it again gives its end")
    func repeated() async throws {
        try await RunningPinService.with { service in
            let request = StartPinImportRequest(
                fileName: "a.gpx", byteCount: UInt64(Self.gpx.utf8.count), requestId: "r")
            let options = service.of("ann")
            let first = try await service.files.startPinImport(request, options).import
            let second = try await service.files.startPinImport(request, options).import
            #expect(first?.id == second?.id)
            let id = try #require(first?.id)
            try await service.send(Array(Self.gpx.utf8), to: id)
            let ended = try await service.running(id)
            let again = try await service.running(id)
            #expect(ended.import == again.import && again.import.addedCount == 2)
            let listed = try await service.files.listPinImports(ListPinImportsRequest(), options).imports
            #expect(listed == [ended.import])
        }
    }

    @Test("one undo takes all back, but for pins that were changed since; after it the file can come again")
    func undone() async throws {
        try await RunningPinService.with { service in
            let options = service.of("ann")
            let more = Self.gpx.replacing(
                "<trk>",
                with: #"<wpt lat="1" lon="2"><name>B</name></wpt><wpt lat="3" lon="2"><name>C</name></wpt><trk>"#)
            let ended = try await service.importing(more)
            let pins = try await service.pins.listPins(ListPinsRequest(), options).pins
            let (b, c) = (try #require(pins.first { $0.name == "B" }), try #require(pins.first { $0.name == "C" }))
            _ = try await service.pins.renamePin(RenamePinRequest(id: b.id, name: "Mine"), options)
            // One that was opened, and so is searched for, goes too.
            _ = try await service.pins.getPin(GetPinRequest(id: c.id), options)
            let undo = UndoPinImportRequest(id: ended.import.id)
            let undone = try #require(try await service.files.undoPinImport(undo, options).import)
            #expect(undone.state == .undone && undone.removedCount == 3)
            let left = try await service.pins.listPins(ListPinsRequest(), options).pins
            #expect(left.map(\.name) == ["Mine"])
            let again = try await service.files.undoPinImport(undo, options).import
            #expect(again == undone)
            await #expect(throws: RPCError.self) { _ = try await service.running(ended.import.id) }
            let second = try await service.importing(Self.gpx)
            #expect(second.import.addedCount == 2)
            // What others have is not taken back.
            let refusal = await #expect(throws: RPCError.self) {
                try await service.files.undoPinImport(UndoPinImportRequest(id: second.import.id), service.of("eve"))
            }
            #expect(refusal?.code == .notFound)
        }
    }

    @Test("a pin is searched for when it is opened, once, and not before; a restart begins nothing")
    func opened() async throws {
        try await TemporaryFolder.with { folder in
            try await RunningPinService.with(folder: folder) {
                service, store in
                _ = try await service.importing(Self.gpx)
                try await store.adopt([.catalog()], at: RunningPinService.now)
                let searched = try await store.searchEmptyPins(
                    [.catalog(), try #require(.live("openstreetmap"))], at: 0)
                #expect(searched == 0)
                let pins = try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins
                #expect(pins.allSatisfy { $0.generation == 0 && $0.searches.isEmpty })
                let id = try #require(pins.first?.id)
                let first = try await service.pins.getPin(GetPinRequest(id: id), service.of("ann")).pin
                #expect(first?.generation == 1 && first?.searches.map(\.network) == ["catalog"])
                let second = try await service.pins.getPin(GetPinRequest(id: id), service.of("ann")).pin
                #expect(second == first)
            }
        }
    }

    @Test("a pin is not searched for when it is seen through a share, or with a key that only reads")
    func seen() async throws {
        try await RunningPinService.with { service in
            _ = try await service.importing(Self.gpx)
            let id = try #require(try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins.first?.id)
            let claims: [IdentityClaim] = [
                .service("gateway", for: "ann"), .account("ann", .user, by: .key("k1", isReadOnly: true)),
            ]
            for claim in claims {
                let got = try await service.pins.getPin(GetPinRequest(id: id), service.by(claim)).pin
                #expect(got?.id == id && got?.generation == 0)
                for try await answer in service.pins.watchPin(WatchPinRequest(id: id), service.by(claim)) {
                    #expect(answer.pin?.generation == 0)
                    break
                }
            }
            let opened = try await service.pins.getPin(GetPinRequest(id: id), service.of("ann")).pin
            #expect(opened?.generation == 1)
        }
    }

    @Test("a file that is cut off gives the pins that are whole, and says so")
    func cutOff() async throws {
        try await RunningPinService.with { service in
            let pins = (0..<600).map { #"<wpt lat="\#($0 % 80)" lon="1"><name>\#($0)</name></wpt>"# }
            let text = "<gpx>" + pins.joined() + "</gpx>"
            for (end, whole) in [(5 + pins[..<300].joined().utf8.count + 9, 300), (text.utf8.count - 3, 600)] {
                let ended = try await service.importing(bytes: Array(text.utf8.prefix(end)), isTrial: true)
                #expect(ended.import.pinCount == UInt64(whole) && ended.import.badCount == 1)
                #expect(ended.bad.first?.number == 0)
                #expect(ended.bad.first?.reason.hasPrefix("line 1: the file ends too early") ?? false)
                _ = try await service.files.undoPinImport(
                    UndoPinImportRequest(id: ended.import.id), service.of("ann"))
            }
        }
    }

    @Test("a file without a pin that can be read stores nothing; nor does a part that is missing")
    func broken() async throws {
        try await RunningPinService.with { service in
            let text =
                #"<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="1" lon="1"></wpt></gpx>"#
            for end in [4, 10, 70, 80] {
                let refusal = await #expect(throws: RPCError.self) {
                    try await service.importing(bytes: Array(text.utf8.prefix(end)))
                }
                #expect(refusal?.code == .invalidArgument && refusal?.message.contains("can't be imported") ?? false)
            }
            let refusal = await #expect(throws: RPCError.self) { try await service.importing(bytes: [0x20]) }
            #expect(refusal?.code == .resourceExhausted)
            for found in try await service.files.listPinImports(ListPinImportsRequest(), service.of("ann")).imports {
                _ = try await service.files.undoPinImport(UndoPinImportRequest(id: found.id), service.of("ann"))
            }
            let start = StartPinImportRequest(fileName: "a", byteCount: 10)
            let id = try #require(try await service.files.startPinImport(start, service.of("ann")).import?.id)
            let gap = await #expect(throws: RPCError.self) {
                try await service.files.addPinImportPart(
                    AddPinImportPartRequest(id: id, offset: 3, data: [1]), service.of("ann"))
            }
            #expect(gap?.message == "offset: 3 is not allowed; the next part begins at 0")
            let incomplete = await #expect(throws: RPCError.self) { try await service.running(id) }
            #expect(incomplete?.code == .failedPrecondition)
            #expect(try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins.isEmpty)
        }
    }

    @Test("a file that was sent and not read is forgotten after a day, with its import")
    func forgotten() async throws {
        try await TemporaryFolder.with { folder in
            try await RunningPinService.with(folder: folder) { service, store in
                let trial = try await service.importing(Self.gpx, isTrial: true)
                func forget(_ time: Int64) async throws -> Int {
                    try await store.database.write { transaction throws(SQLError) in
                        try transaction.deleteImportFiles(before: time - PinImport.fileMilliseconds, limit: 10)
                    }
                }
                let early = try await forget(RunningPinService.now + 1_000)
                let late = try await forget(RunningPinService.now + PinImport.fileMilliseconds + 1)
                #expect(early == 0 && late == 1)
                let refusal = await #expect(throws: RPCError.self) { try await service.running(trial.import.id) }
                #expect(refusal?.code == .notFound)
            }
        }
    }

    @Test("a run that was cut off goes on where it ended, and nothing is doubled")
    func continued() async throws {
        try await RunningPinService.with { service in
            let pins = (0..<2_000).map { #"<wpt lat="\#(Double($0) / 100)" lon="1"><name>\#($0)</name></wpt>"# }
                .joined()
            let text = "<gpx>" + pins + "</gpx>"
            let start = StartPinImportRequest(fileName: "a.gpx", byteCount: UInt64(text.utf8.count))
            let id = try #require(try await service.files.startPinImport(start, service.of("ann")).import?.id)
            try await service.send(Array(text.utf8), to: id)
            // Cut off at any time, also at once.
            for turns in [0, 10, 100, 1_000, 3_000] {
                let task = Task { try await service.running(id) }
                for _ in 0..<turns { await Task.yield() }
                task.cancel()
                _ = try? await task.value
            }
            var ended: RunningPinService.Ended?
            while ended == nil {
                do { ended = try await service.running(id) } catch let error as RPCError where error.code == .aborted {}
            }
            #expect(ended?.import.addedCount == 2_000 && ended?.import.knownCount == 0)
            let box = try await service.pins.getBounds(GetBoundsRequest(), service.of("ann")).box
            #expect(box?.northEast?.latitude == 19.99)
        }
    }
}

extension RunningPinService {
    /// The end of an import.
    struct Ended: Sendable {
        let `import`: PinContracts.PinImport
        let bad: [BadPin]
    }

    func importing(
        _ text: String, name: String = "Summer.gpx", isTrial: Bool = false, of account: String = "ann"
    ) async throws -> Ended {
        try await importing(bytes: Array(text.utf8), name: name, isTrial: isTrial, of: account)
    }

    func importing(
        bytes: [UInt8], name: String = "Summer.gpx", isTrial: Bool = false, of account: String = "ann"
    ) async throws -> Ended {
        let start = StartPinImportRequest(fileName: name, byteCount: UInt64(bytes.count))
        let id = try #require(try await files.startPinImport(start, of(account)).import?.id)
        try await send(bytes, to: id, of: account)
        return try await running(id, isTrial: isTrial, of: account)
    }

    func send(_ bytes: [UInt8], to id: String, of account: String = "ann") async throws {
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            let data = Array(bytes[start..<min(bytes.count, start + 1 << 20)])
            let part = AddPinImportPartRequest(id: id, offset: UInt64(start), data: data)
            _ = try await files.addPinImportPart(part, of(account))
        }
    }

    func running(_ id: String, isTrial: Bool = false, of account: String = "ann") async throws -> Ended {
        var bad: [BadPin] = []
        for try await event in files.runPinImport(RunPinImportRequest(id: id, isTrial: isTrial), of(account)) {
            switch event.event {
            case .badPin(let pin): bad.append(pin)
            case .import(let end): return Ended(import: end, bad: bad)
            default: break
            }
        }
        throw RPCError(.dataLoss, "the import has no end")
    }
}
