import Glibc

/// How many files and sockets the tests' process may have open.
package enum OpenFiles {
    /// The system allows fewer than a test needs.
    package struct TooFew: Error {
        let allowed: UInt
        let needed: Int
    }

    /// Raises the limit to what the system allows; throws when that is less.
    package static func allow(_ count: Int) throws(TooFew) {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur >= count else { throw TooFew(allowed: UInt(limit.rlim_cur), needed: count) }
    }
}
