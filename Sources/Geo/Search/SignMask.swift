/// Comparisons and choices on four numbers at a time by sign bits alone.
///
/// The vector types' own masks come out as one branch per lane on the plain x86-64 that we build for; shifts and
/// bitwise operations stay vectors.
extension SIMD4<Int32> {
    /// All ones in the lanes below 0.
    @inline(__always)
    var signs: SIMD4<Int32> { self &>> 31 }

    /// 0 in the lanes below 0.
    @inline(__always)
    var orZero: SIMD4<Int32> { self & ~signs }

    @inline(__always)
    var magnitudes: SIMD4<Int32> { (self ^ signs) &- signs }

    /// The lesser of numbers that are not below 0.
    @inline(__always)
    func lesser(_ other: SIMD4<Int32>) -> SIMD4<Int32> { other ^ ((self ^ other) & (self &- other).signs) }

    /// The greater of numbers that are not below 0.
    @inline(__always)
    func greater(_ other: SIMD4<Int32>) -> SIMD4<Int32> { self ^ ((self ^ other) & (self &- other).signs) }
}
