import OpeningHours

/// Helsinki, by its own clock rules, with the days of Finland that tests ask for.
enum Hours {
    /// 24 to 26 December, Good Friday and Easter Monday; 6 January in some regions only.
    static let days = "1224 1225 1226 e-2 e1 ?0106"

    static func place(_ holidays: String? = days) -> HoursPlace {
        HoursPlace(
            latitude: 60.1699, longitude: 24.9384, zone: ZoneRules(ZoneBytes.eastern) ?? ZoneRules(offset: 7200),
            holidays: holidays.flatMap { HolidayCalendar(Array($0.utf8), years: 2020...2040) })
    }

    /// Seconds since 1970 of a moment by the clock there: "2026-11-26 14:30".
    static func instant(_ text: String, _ place: HoursPlace = place()) -> Int64 {
        let numbers = text.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 5 else { return 0 }
        let (year, month) = (numbers[1] > 2 ? numbers[0] : numbers[0] - 1, (numbers[1] + 9) % 12)
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (306 * month + 5) / 10 + numbers[2] - 1 - 719_468
        return place.zone.instant(ofLocal: Int64(days * 86_400 + numbers[3] * 3600 + numbers[4] * 60))
    }

    /// "open", "closed", "unknown", or "unread".
    static func state(_ value: String, _ at: String, _ place: HoursPlace = place()) -> String {
        OpeningHours(value).map { "\($0.moment(at: instant(at, place), in: place).state)" } ?? "unread"
    }
}

/// A file of time zone rules with nothing but its last line.
enum ZoneBytes {
    static let eastern = bytes("EET-2EEST,M3.5.0/3,M10.5.0/4")

    static func bytes(_ line: String) -> [UInt8] {
        let head = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
        let type: [UInt8] = [0, 0, 0, 0, 0, 0, 0]
        let part = head + counts + type
        return part + part + [10] + Array(line.utf8) + [10]
    }
}
