import Bytes

extension PinList.Colour {
    /// What Organic Maps and Garmin call colours that we call otherwise, or have in one shade only.
    private static let others: [String: Self] = [
        "lime": .green, "cyan": .teal, "violet": .purple, "magenta": .pink, "amber": .yellow, "black": .grey,
        "white": .grey, "gray": .grey, "bluegray": .grey,
    ]

    /// The colour of a list as a file says it: by its name, or as "#eecc22", which is the nearest of ours; before these
    /// may be two digits of opacity. Nil for anything else.
    init?(written text: String) {
        guard !text.isEmpty else { return nil }
        var name = text.asciiLowercased
        for shade in ["light", "dark", "deep"] { name = name.after(shade).map(String.init) ?? name }
        if let known = Self.named[name] ?? Self.others[name] {
            self = known
            return
        }
        guard let digits = name.after("#"), digits.utf8.count == 6 || digits.utf8.count == 8,
            let number = UInt32(digits, radix: 16)
        else { return nil }
        let parts = [number >> 16 & 0xff, number >> 8 & 0xff, number & 0xff].map { Double($0) / 255 }
        self = Self.nearest(red: parts[0], green: parts[1], blue: parts[2])
    }

    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })

    /// By its hue, as people name colours; what has little of one is grey, and dark orange brown.
    private static func nearest(red: Double, green: Double, blue: Double) -> Self {
        let (high, low) = (max(red, green, blue), min(red, green, blue))
        guard high - low > 0.15 * max(high, 0.2) else { return .grey }
        let sixth: Double =
            if high == red {
                (green - blue) / (high - low)
            } else if high == green {
                2 + (blue - red) / (high - low)
            } else {
                4 + (red - green) / (high - low)
            }
        switch (sixth * 60 + 360).truncatingRemainder(dividingBy: 360) {
        case 15..<45: return high < 0.7 ? .brown : .orange
        case 45..<70: return .yellow
        case 70..<160: return .green
        case 160..<195: return .teal
        case 195..<255: return .blue
        case 255..<300: return .purple
        case 300..<345: return .pink
        default: return .red
        }
    }
}
