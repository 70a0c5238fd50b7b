import Arguments

/// One of the processes that `up` keeps running: which program, in which turn, with which arguments.
struct ServiceProcess: Sendable {
    /// "places-service"
    let name: String
    /// Its file.
    let program: String
    /// The services of a turn start when all of the turns before are ready, and stop before these.
    let turn: Int
    /// Where it listens the first time; then it keeps the address it got.
    let address: String
    /// Where it speaks HTTP the first time; then it keeps the address it got. Nil when it does not.
    var web: String?
    /// Where it tells those who run it, in the same way; nil for where it likes to.
    var admin: String?
    /// Where its log goes; nil for this process's standard error.
    let logPath: String?
    /// All its arguments but the address and the lifeline, given the addresses of the services that are ready.
    let arguments: @Sendable ([String: String]) -> [String]
}
