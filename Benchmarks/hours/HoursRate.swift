// One side of script/bench hours, compiled together with Sources/Ground/OpeningHours.
//
//     hours states VALUES INSTANTS LATITUDE LONGITUDE ZONE     a letter an instant for each value, "-" for one unread
//     hours rate VALUES INSTANTS LATITUDE LONGITUDE ZONE       what it does a second, as JSON

import Glibc

@main
struct HoursRate {
    private static let letters: [HoursState: String] = [.closed: "C", .open: "O", .unknown: "U"]
    private static let turns = 10

    let values: [ArraySlice<UInt8>]
    let instants: [Int64]
    let place: HoursPlace

    static func main() {
        let words = CommandLine.arguments
        guard words.count == 7, let latitude = Double(words[4]), let longitude = Double(words[5]),
            let zone = ZoneRules(bytes(words[6])), let none = HolidayCalendar([], years: 1900...2200)
        else { exit(2) }
        let bench = HoursRate(
            values: bytes(words[2]).split(separator: 10),
            instants: bytes(words[3]).split(separator: 10).compactMap { Int64(String(decoding: $0, as: UTF8.self)) },
            place: HoursPlace(latitude: latitude, longitude: longitude, zone: zone, holidays: none))
        if words[1] == "states" { bench.printStates() } else { bench.printRates() }
    }

    private static func bytes(_ path: String) -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { return [] }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return bytes
    }

    private func printStates() {
        for value in values {
            guard let hours = OpeningHours(value) else {
                print("-")
                continue
            }
            print(instants.map { Self.letters[hours.moment(at: $0, in: place).state] ?? "" }.joined())
        }
    }

    private func printRates() {
        let read = values.compactMap { OpeningHours($0) }
        var sum = 0
        let states = Self.perSecond(read.count * instants.count) {
            for hours in read {
                for instant in instants { sum += Int(hours.moment(at: instant, in: place).state.rawValue) }
            }
        }
        let reads = Self.perSecond(values.count * Self.turns) {
            for _ in 0..<Self.turns {
                for value in values { sum += OpeningHours(value) == nil ? 0 : 1 }
            }
        }
        let few = instants.prefix(Self.turns)
        let changes = Self.perSecond(read.count * few.count) {
            for hours in read {
                for instant in few { sum += hours.change(after: instant, in: place) == nil ? 0 : 1 }
            }
        }
        print("{\"states\":\(Int(states)),\"reads\":\(Int(reads)),\"changes\":\(Int(changes)),\"sum\":\(sum)}")
    }

    /// By the time of the processor.
    private static func perSecond(_ count: Int, _ body: () -> Void) -> Double {
        let start = clock()
        body()
        return Double(count) * Double(CLOCKS_PER_SEC) / Double(max(1, clock() - start))
    }
}
