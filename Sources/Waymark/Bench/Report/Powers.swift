import Glibc

/// What the C library knows of angles and powers.
enum Angle {
    /// The angle of -90 to 90 degrees with this sine, which is -1 to 1.
    static func degrees(ofSine sine: Double) -> Double { asin(sine) * 180 / .pi }
}

/// 10 to the power of `exponent`.
func powerOfTen(_ exponent: Double) -> Double { pow(10, exponent) }

/// The logarithm to base 10.
func logarithm(_ number: Double) -> Double { log10(number) }
