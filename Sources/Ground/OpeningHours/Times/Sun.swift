import Glibc

/// When the sun rises and sets at a place: the sunrise equation of https://en.wikipedia.org/wiki/Sunrise_equation, good
/// for a minute or two where the sun is not flat above the horizon.
struct Sun {
    /// What opening hours may be set by. Dawn and dusk are those of civil twilight.
    enum Event: UInt8 {
        case dawn = 1, sunrise, sunset, dusk

        var isMorning: Bool { self == .dawn || self == .sunrise }
        fileprivate var degreesBelow: Double { self == .dawn || self == .dusk ? 6 : 0.833 }
    }

    private static let radians = Double.pi / 180
    private static let daysTo2000 = 10_957

    let latitude: Double
    let longitude: Double

    /// When it happens on a day, in minutes of UTC since 1970. Where the sun never sets it rises at the beginning of
    /// the day and sets at its end; where it never rises it does both at noon.
    func minute(of event: Event, on day: Int) -> Int {
        let turn = (Double(day - Self.daysTo2000) + 0.0009 - longitude / 360).rounded(.up)
        let noon = turn + 0.0009 - longitude / 360 - (turn - Double(day - Self.daysTo2000)).rounded(.down)
        let anomaly = (357.5291 + 0.98560028 * noon) * Self.radians
        let centre = 1.9148 * sin(anomaly) + 0.02 * sin(2 * anomaly) + 0.0003 * sin(3 * anomaly)
        let ecliptic = anomaly + (centre + 180 + 102.9372) * Self.radians
        let transit = noon + 0.0053 * sin(anomaly) - 0.0069 * sin(2 * ecliptic)
        let sine = sin(ecliptic) * sin(23.44 * Self.radians)
        let cosine = (1 - sine * sine).squareRoot()
        let north = max(-89.99, min(89.99, latitude)) * Self.radians
        let height = (sin(-event.degreesBelow * Self.radians) - sin(north) * sine) / (cos(north) * cosine)
        let half = height <= -1 ? 0.5 : height >= 1 ? 0 : acos(height) / (2 * .pi)
        let at = transit + (event.isMorning ? -half : half)
        // Days of the equation begin at noon of UTC.
        return Int(((at + Double(Self.daysTo2000) + 0.5) * 1440).rounded(.down))
    }
}
