import Contracts
import Testing

@testable import Arguments
@testable import Terminal
@testable import Waymark

@Suite("D2 Tables fit the terminal, and their ids can be copied whole")
struct NarrowTableTests {
    private static let pins = (0..<3).map { number in
        Pin(
            id: "01a1f8cb-690\(number)-7c14-b2c1-5071771f994f",
            name: "The railway square of Helsinki, number \(number)",
            position: Coordinate(latitude: 60.16992, longitude: -124.93841), radiusM: 1_500, state: .ready,
            placeCount: 1_000, photoPlaceCount: 20, photoCount: 1_200, distanceM: 1_234)
    }

    private func sink(_ width: Int?) -> TextSink {
        TextSink(isTerminal: width != nil, hasColours: false, width: width) { _ in }
    }

    @Test("pins at 60, 80 and 200 columns", arguments: [60, 80, 200])
    func pins(width: Int) {
        let lines = PinTable.lines(Self.pins, on: sink(width))
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
        for (line, number) in zip(lines.dropFirst(), 0...) { #expect(line.hasSuffix(" 01a1f8cb-690\(number)")) }
    }

    @Test("a program gets whole ids and every column")
    func programs() {
        let lines = PinTable.lines(Self.pins, on: sink(nil))
        #expect(lines.first?.contains("POSITION") == true)
        for (line, pin) in zip(lines.dropFirst(), Self.pins) { #expect(line.hasSuffix(" \(pin.id)")) }
    }

    @Test("places, a pin's places and photos", arguments: [60, 80])
    func others(width: Int) {
        let (id, category) = ("catalog/helsinki/node/3660025399", "railway/subway_entrance")
        let place = Place(
            id: id, name: "Metro Rautatientori, the northern entrance", categories: [category],
            attributes: [Attribute(key: "street", value: "Kaivokatu"), Attribute(key: "city", value: "Helsinki")],
            distanceM: 17)
        let linked = PinPlace(
            id: id, name: "Metro Rautatientori, the northern entrance", categories: [category], distanceM: 17,
            photoCount: 1_234)
        let photo = Photo(
            id: "folder/2019/helsinki/img_0001.jpg", title: "A square in the evening", author: "A. Person with a name",
            licence: "CC BY-SA 4.0", width: 4_000, height: 3_000, state: .ready, distanceM: 900)
        for lines in [
            PlaceTable.lines([place], on: sink(width)), PinPlaceTable.lines([linked], on: sink(width)),
            PhotoTable.lines([photo], on: sink(width)),
        ] { #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)") }
        #expect(PlaceTable.lines([place], on: sink(width)).last?.hasSuffix(id) == true)
    }
}

@Suite("D2 Help is wrapped between words, and what was asked for")
struct HelpTests {
    @Test("no line of any command's help is wider than the terminal, nor is a word broken", arguments: [60, 80, 200])
    func wrapped(width: Int) {
        let help = HelpText(width: width)
        for command in Program.commands.map({ $0.syntax }) {
            let lines = help.text(command).split(separator: "\n")
            let flags = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("  waymark ") }
            #expect(flags.allSatisfy { $0.count <= max(width, 60) }, "\(flags)")
            let words = Set(help.text(command).split { $0.isWhitespace })
            for flag in command.flags {
                for word in flag.summary.split(separator: " ") { #expect(words.contains(word), "\(word)") }
            }
        }
    }

    @Test("help COMMAND is what --help behind it says, also of two words", arguments: [["nearby"], ["pin", "add"]])
    func command(words: [String]) async throws {
        let (asked, said) = (Screen(), Screen())
        let code = await Program(console: asked.console(), environment: [:]).run((["help"] + words)[...])
        _ = await Program(console: said.console(), environment: [:]).run((words + ["--help"])[...])
        #expect(code == .success)
        #expect(asked.output == said.output && asked.output.contains("Usage: waymark \(words.joined(separator: " "))"))
    }

    @Test("help of a group tells of its commands, and of nothing known what is near")
    func group() async throws {
        let (group, unknown, version) = (Screen(), Screen(), Screen())
        _ = await Program(console: group.console(), environment: [:]).run(["help", "pin"])
        #expect(group.output.contains("pin add") && !group.output.contains("nearby"))
        let code = await Program(console: unknown.console(), environment: [:]).run(["help", "nerby"])
        #expect(code == .usage && unknown.messages.contains("did you mean nearby?"))
        _ = await Program(console: version.console(), environment: [:]).run(["version"])
        #expect(version.output == "waymark \(Release.version)\n")
    }
}
