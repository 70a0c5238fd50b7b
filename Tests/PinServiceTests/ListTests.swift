import PinContracts
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import PinService

@Suite("P52 lists of pins", .timeLimit(.minutes(2)))
struct ListTests {
    @Test("a list is made, renamed, coloured and deleted; its pins stay")
    func life() async throws {
        try await RunningPinService.with { service in
            let pin = try await service.pin()
            let made = try await service.list(" Summer 2026\u{a0}", .orange)
            #expect(made.name == "Summer 2026" && made.colour == .orange && made.pinCount == 0)
            #expect(made.createTime?.seconds == RunningPinService.now / 1_000)
            #expect(try await service.add([pin], to: made) == 1)
            let renamed = try await service.lists.changeList(
                ChangeListRequest(id: made.id, name: "<b>Summer</b>"), service.of("ann"))
            #expect(renamed.list?.name == "<b>Summer</b>" && renamed.list?.colour == .orange)
            let coloured = try await service.lists.changeList(
                ChangeListRequest(id: made.id, colour: .grey), service.of("ann"))
            #expect(coloured.list?.name == "<b>Summer</b>" && coloured.list?.colour == .grey)
            #expect(coloured.list?.pinCount == 1)
            let other = try await service.list("Cafes to try")
            #expect(other.colour == .blue)
            #expect(Set(try await service.listed.map(\.id)) == [made.id, other.id])
            let gone = try await service.lists.deleteList(DeleteListRequest(id: made.id), service.of("ann"))
            #expect(gone.list == coloured.list)
            #expect(try await service.listed == [other])
            #expect(try await service.pins.getPin(GetPinRequest(id: pin), service.of("ann")).pin?.id == pin)
            #expect(try await service.listed(with: pin) == [])
        }
    }

    @Test("pins are put in and taken out, each once, and a deleted pin leaves its lists")
    func pins() async throws {
        try await RunningPinService.with { service in
            var pins: [String] = []
            for _ in 0..<3 { pins.append(try await service.pin()) }
            let (one, two) = (try await service.list("One"), try await service.list("Two"))
            let counts = { () async throws -> [String: UInt32] in
                Dictionary(uniqueKeysWithValues: try await service.listed.map { ($0.name, $0.pinCount) })
            }
            #expect(try await service.add([pins[0], pins[1], pins[0]], to: one) == 2)
            #expect(try await service.add([pins[1], pins[2]], to: one) == 1)
            #expect(try await service.add([pins[0]], to: two) == 1)
            #expect(try await counts() == ["One": 3, "Two": 1])
            #expect(Set(try await service.listed(with: pins[0]).map(\.name)) == ["One", "Two"])
            #expect(try await service.listed(with: pins[1]).map(\.name) == ["One"])
            _ = try await service.pins.deletePin(DeletePinRequest(id: pins[0]), service.of("ann"))
            #expect(try await counts() == ["One": 2, "Two": 0])
            let out = RemoveFromListRequest(id: one.id, pinIds: [pins[1], pins[0]], requestId: "out")
            let answer = try await service.lists.removeFromList(out, service.of("ann"))
            #expect(answer.removedCount == 1 && answer.list?.pinCount == 1)
            #expect(try await service.lists.removeFromList(out, service.of("ann")) == answer)
            #expect(try await service.ids(of: one) == [pins[2]])
        }
    }

    @Test("a repeated change with its name gets the first answer")
    func repeated() async throws {
        try await RunningPinService.with { service in
            let create = CreateListRequest(name: "Once", requestId: "list-1")
            let made = try #require(try await service.lists.createList(create, service.of("ann")).list)
            #expect(try await service.lists.createList(create, service.of("ann")).list == made)
            #expect(try await service.listed.count == 1)
            let add = AddToListRequest(id: made.id, pinIds: [try await service.pin()], requestId: "add-1")
            let added = try await service.lists.addToList(add, service.of("ann"))
            #expect(try await service.lists.addToList(add, service.of("ann")) == added)
            #expect(added.addedCount == 1)
        }
    }

    @Test("pages have each pin once, those that were put in last first, whole or by their ids")
    func pages() async throws {
        try await RunningPinService.with { service in
            let list = try await service.list("Many")
            var pins: Set<String> = []
            for _ in 0..<7 { pins.insert(try await service.pin()) }
            #expect(try await service.add(Array(pins), to: list) == 7)
            for onlyIDs in [false, true] {
                var (found, token, sizes) = ([PinContracts.Pin](), "", [Int]())
                repeat {
                    let request = ListPinsOfListRequest(
                        id: list.id, pageSize: 3, pageToken: token, onlyIds: onlyIDs)
                    let page = try await service.lists.listPinsOfList(request, service.of("ann"))
                    (found, token) = (found + page.pins, page.nextPageToken)
                    sizes.append(page.pins.count)
                } while !token.isEmpty
                #expect(sizes == [3, 3, 1] && Set(found.map(\.id)) == pins)
                #expect(found.allSatisfy { $0.name.isEmpty == onlyIDs && $0.searches.isEmpty == onlyIDs })
            }
            let other = try await service.list("Other")
            let first = try await service.lists.listPinsOfList(
                ListPinsOfListRequest(id: list.id, pageSize: 1), service.of("ann"))
            await refused("page_token: ", .invalidArgument) {
                _ = try await service.lists.listPinsOfList(
                    ListPinsOfListRequest(id: other.id, pageToken: first.nextPageToken), service.of("ann"))
            }
        }
    }

    @Test("another account sees neither a list nor whether there is one, and puts no pin of others into its own")
    func accounts() async throws {
        try await RunningPinService.with { service in
            let (list, pin) = (try await service.list("Secret"), try await service.pin())
            _ = try await service.add([pin], to: list)
            let bob = service.of("bob")
            #expect(try await service.lists.listLists(ListListsRequest(), bob).lists == [])
            for id in [list.id, "0190a1b2-c3d4-7e5f-8a6b-000000000000"] {
                let words = "there is no list \(id)"
                await refused(words) {
                    _ = try await service.lists.changeList(ChangeListRequest(id: id, name: "Mine"), bob)
                }
                await refused(words) { _ = try await service.lists.deleteList(DeleteListRequest(id: id), bob) }
                await refused(words) {
                    _ = try await service.lists.addToList(AddToListRequest(id: id, pinIds: [pin]), bob)
                }
                await refused(words) {
                    _ = try await service.lists.removeFromList(RemoveFromListRequest(id: id, pinIds: [pin]), bob)
                }
                await refused(words) {
                    _ = try await service.lists.listPinsOfList(ListPinsOfListRequest(id: id), bob)
                }
            }
            await refused("there is no pin \(pin)") {
                _ = try await service.lists.listLists(ListListsRequest(pinId: pin), bob)
            }
            let own = try #require(try await service.lists.createList(CreateListRequest(name: "Own"), bob).list)
            let his = try #require(try await service.pins.createPin(CreatePinRequest(60, 25), bob).pin).id
            await refused("there is no pin \(pin)") {
                _ = try await service.lists.addToList(AddToListRequest(id: own.id, pinIds: [his, pin]), bob)
            }
            // All of them or none.
            let left = try await service.lists.listPinsOfList(ListPinsOfListRequest(id: own.id), bob).pins
            #expect(left == [])
        }
    }

    @Test("an account has 200 lists at most, and a pin is in 50 at most")
    func limits() async throws {
        try await RunningPinService.with { service in
            let pin = try await service.pin()
            var lists: [PinContracts.PinList] = []
            for index in 0..<200 { lists.append(try await service.list("\(index)")) }
            await refused("you have 200 lists already", .resourceExhausted) {
                _ = try await service.list("One more")
            }
            for list in lists.prefix(50) { _ = try await service.add([pin], to: list) }
            await refused("the pin \(pin) is in 50 lists already", .resourceExhausted) {
                _ = try await service.add([pin], to: lists[50])
            }
            #expect(try await service.add([pin], to: lists[49]) == 0)
            _ = try await service.lists.deleteList(DeleteListRequest(id: lists[0].id), service.of("ann"))
            #expect(try await service.add([pin], to: lists[50]) == 1)
            _ = try await service.list("One more")
        }
    }

    @Test(
        "a name that is none is refused with what is allowed",
        arguments: [
            ("", "name: it is missing"), (" \u{2003}\u{200b}", "name: it is missing"),
            ("a\nb", "name: a control character or a line's end is not allowed"),
            ("\u{0}", "name: a control character or a line's end is not allowed"),
        ])
    func names(name: String, words: String) async throws {
        try await refusesName(name, words)
    }

    @Test("a name that is too long is refused, whatever its length", arguments: [101, 4_000_000])
    func longNames(count: Int) async throws {
        let words = "name: \(count) characters are not allowed; at most 100 are"
        try await refusesName(String(repeating: "x", count: count), words)
    }

    private func refusesName(_ name: String, _ words: String) async throws {
        try await RunningPinService.with { service in
            let list = try await service.list(String(repeating: "é", count: 100))
            await refused(words, .invalidArgument) { _ = try await service.list(name) }
            await refused(words, .invalidArgument) {
                _ = try await service.lists.changeList(
                    ChangeListRequest(id: list.id, name: name), service.of("ann"))
            }
            #expect(try await service.listed == [list])
        }
    }

    @Test("ids that are none, colours that are not there, no pins and too many are refused with what is allowed")
    func badFields() async throws {
        try await RunningPinService.with { service in
            let (list, pin) = (try await service.list("A"), try await service.pin())
            for id in ["", "7", "<script>", "'; DROP TABLE lists; --"] {
                await refused("id: \"\(id)\" is not allowed; a UUID is", .invalidArgument) {
                    _ = try await service.lists.deleteList(DeleteListRequest(id: id), service.of("ann"))
                }
                await refused("pin_ids[1]: \"\(id)\" is not allowed; a UUID is", .invalidArgument) {
                    _ = try await service.add([pin, id], to: list)
                }
            }
            for colour: Int32 in [-1, 11, .max] {
                await refused(
                    "colour: \(colour) is not allowed; LIST_COLOUR_RED to LIST_COLOUR_GREY are", .invalidArgument
                ) { _ = try await service.list("B", ListColour(rawValue: colour)) }
            }
            await refused("pin_ids: it is missing; 1 to 500 ids of pins are needed", .invalidArgument) {
                _ = try await service.add([], to: list)
            }
            await refused("pin_ids: 501 ids are not allowed; at most 500 are", .invalidArgument) {
                _ = try await service.add(Array(repeating: pin, count: 501), to: list)
            }
            #expect(try await service.add(Array(repeating: pin, count: 500), to: list) == 1)
            for size: UInt32 in [0, 501] {
                await refused("page_size: \(size) is not allowed; 1 to 500 are", .invalidArgument) {
                    _ = try await service.lists.listPinsOfList(
                        ListPinsOfListRequest(id: list.id, pageSize: size), service.of("ann"))
                }
            }
        }
    }
}

/// Expects that a call is refused with words that begin so.
private func refused(_ words: String, _ code: RPCCode = .notFound, _ call: () async throws -> Void) async {
    let error = await #expect(throws: RPCError.self) { try await call() }
    #expect(error?.code == code && error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
}

extension RunningPinService {
    fileprivate func pin() async throws -> String {
        try #require(try await pins.createPin(CreatePinRequest(60, 25, name: "Esplanadi"), of("ann")).pin).id
    }

    fileprivate func list(_ name: String, _ colour: ListColour = .unspecified) async throws -> PinContracts.PinList {
        try #require(try await lists.createList(CreateListRequest(name: name, colour: colour), of("ann")).list)
    }

    fileprivate func add(_ pins: [String], to list: PinContracts.PinList) async throws -> UInt32 {
        try await lists.addToList(AddToListRequest(id: list.id, pinIds: pins), of("ann")).addedCount
    }

    fileprivate func ids(of list: PinContracts.PinList) async throws -> [String] {
        try await lists.listPinsOfList(ListPinsOfListRequest(id: list.id, onlyIds: true), of("ann")).pins.map(\.id)
    }

    fileprivate var listed: [PinContracts.PinList] {
        get async throws { try await listed(with: "") }
    }

    fileprivate func listed(with pin: String) async throws -> [PinContracts.PinList] {
        try await lists.listLists(ListListsRequest(pinId: pin), of("ann")).lists
    }
}
