import EventLoops
import Testing

@testable import RPC

@Suite("A connection that closes")
struct LingeringCloseTests {
    private let now = MonotonicTime.now

    @Test("begins once, and shuts its side down once, when everything is written")
    func shutDown() {
        var closing = LingeringClose()
        #expect(!closing.wantsShutDown(isAllWritten: true))
        var begins = [closing.begin("first", at: now)]
        begins.append(closing.begin("second", at: now))
        #expect(begins == [true, false])
        #expect(closing.reason == "first")
        #expect(!closing.wantsShutDown(isAllWritten: false))
        #expect(closing.wantsShutDown(isAllWritten: true))
        closing.shutDown(false)
        #expect(closing.wantsShutDown(isAllWritten: true))
        closing.shutDown(true)
        #expect(!closing.wantsShutDown(isAllWritten: true))
    }

    @Test("waits on for a peer that is still reading, but not for ever")
    func patience() {
        var closing = LingeringClose()
        _ = closing.begin(nil, at: now)
        let later = now + LingeringClose.patience
        #expect(closing.waitsOn(hasTakenMore: true, hasTakenAll: false, at: later))
        #expect(!closing.waitsOn(hasTakenMore: false, hasTakenAll: false, at: later))
        #expect(!closing.waitsOn(hasTakenMore: true, hasTakenAll: true, at: later))
        #expect(!closing.waitsOn(hasTakenMore: true, hasTakenAll: false, at: now + LingeringClose.longest))
        closing.hurry(at: now)
        #expect(!closing.waitsOn(hasTakenMore: true, hasTakenAll: false, at: later))
    }
}
