import Contracts
import Terminal

/// The appearance of a state: a word and its colour.
struct Look: Equatable, Sendable {
    let word: String
    let style: Style

    private init(_ word: String, _ style: Style) {
        self.word = word
        self.style = style
    }

    init(_ state: PinState) {
        switch state {
        case .new: self.init("new", .red)
        case .partial: self.init("partial", .purple)
        case .ready: self.init("ready", .green)
        case .failed: self.init("failed", .red)
        default: self.init("", .plain)
        }
    }

    init(_ state: AlbumState) {
        switch state {
        case .searching: self.init("searching", .purple)
        case .downloading: self.init("downloading", .purple)
        case .complete: self.init("complete", .green)
        case .empty: self.init("empty", .green)
        case .completeWithErrors: self.init("complete with errors", .yellow)
        case .failed: self.init("failed", .red)
        case .listed: self.init("listed", .plain)
        default: self.init("", .plain)
        }
    }

    init(_ state: PhotoState) {
        switch state {
        case .waiting: self.init("waiting", .faint)
        case .downloading: self.init("downloading", .purple)
        case .ready: self.init("ready", .green)
        case .failed: self.init("failed", .red)
        default: self.init("", .plain)
        }
    }

    init(_ state: NetworkSearchState) {
        switch state {
        case .searching: self.init("searching", .purple)
        case .retrying: self.init("asked again", .yellow)
        case .disabled: self.init("off", .faint)
        case .done: self.init("done", .green)
        case .failed: self.init("failed", .red)
        default: self.init("", .plain)
        }
    }
}
