import Testing

@testable import RPC

@Suite("What has come to a peer")
struct DeliveryTests {
    @Test("gives one that is slow the time to come to the ping")
    func slow() {
        var delivery = Delivery()
        delivery.wrote(100)
        delivery.pinged(behind: 50, unacknowledged: 100)
        delivery.wrote(66)
        // 150 bytes are before the ping. When 149 of them had come, it gets to the ping next, and has to answer then.
        let looks = [166, 120, 66, 17, 0, 0].map { delivery.isComingToPing(unacknowledged: $0) }
        #expect(looks == [false, true, true, true, true, false])
    }

    @Test("is nothing new while one takes nothing, whatever its socket takes")
    func stuck() {
        var delivery = Delivery()
        delivery.wrote(100)
        var looks = [delivery.look(unacknowledged: 40)]
        delivery.pinged(behind: 50, unacknowledged: 40)
        looks.append(delivery.isComingToPing(unacknowledged: 40))
        delivery.wrote(50)
        looks.append(delivery.isComingToPing(unacknowledged: 90))
        #expect(looks == [true, false, false])
    }

    @Test("says nothing for one that hangs, whose system takes the ping and what follows it")
    func hung() {
        var delivery = Delivery()
        delivery.wrote(100)
        delivery.pinged(behind: 0, unacknowledged: 0)
        delivery.wrote(1016)
        let looks = [1000, 500, 0].map { delivery.isComingToPing(unacknowledged: $0) }
        #expect(looks == [false, false, false])
    }
}
