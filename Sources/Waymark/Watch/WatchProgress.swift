/// What a watch has told so far, put together message by message. It knows from where the watch goes on.
protocol WatchProgress: Sendable {
    associatedtype Message: Sendable

    /// Takes in what is new.
    mutating func apply(_ message: Message)

    /// Whether what was waited for is there: nothing more comes by itself.
    var isSettled: Bool { get }
    /// Whether what was watched is gone. Nothing comes behind it.
    var isGone: Bool { get }
    /// Whether anything was told yet.
    var hasBegun: Bool { get }
}
