package import EventLoops

/// A loop for what tests start that needs one; it lasts as long as their process.
package enum TestLoop {
    package static let shared = Result { try EventLoop(name: "test") }
}
