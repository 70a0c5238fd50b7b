// A libFuzzer target, built by script/fuzz with Sources/Ground/OpeningHours.
//
// An input is a value, and also a file of a time zone, a calendar and a row of the grid. What must hold: nothing
// crashes or takes long; a change has another state than the moment before it; and a week has its days.

private let none = HolidayCalendar([], years: 2000...2100)
private let instants: [Int64] = [.min, -1, 0, 1_772_000_000, 1_795_692_600, 4_102_444_800, .max]

private func place(_ latitude: Double, _ zone: ZoneRules, _ holidays: HolidayCalendar?) -> HoursPlace {
    HoursPlace(latitude: latitude, longitude: 25, zone: zone, holidays: holidays)
}

private func check(_ hours: OpeningHours, _ place: HoursPlace) {
    for instant in instants {
        let moment = hours.moment(at: instant, in: place)
        if let rule = moment.rule { _ = hours.comment(ofRule: rule) }
        guard let change = hours.change(after: instant, in: place, days: 2) else { continue }
        precondition(change.state != moment.state, "a change to the same state")
        let week = hours.week(from: hours.day(of: instant, in: place), count: 2, in: place)
        precondition(week == nil || week?.count == 2, "a week without its days")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzHours(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let zone = ZoneRules(input) ?? ZoneRules(offset: 7200)
    let calendar = HolidayCalendar(input, years: 2020...2035)
    var grid = ZoneGrid()
    if grid.add(rows: 1, runs: input) { _ = grid.zone(latitude: 0, longitude: 0) }
    guard let hours = OpeningHours(input) ?? OpeningHours("sunrise-sunset; PH off") else { return 0 }
    check(hours, place(60, zone, calendar ?? none))
    check(hours, place(-89, zone, nil))
    return 0
}
