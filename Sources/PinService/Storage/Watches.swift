/// Who watches: single pins, and all pins of an account.
struct Watches: Sendable {
    let pins = Bells<PinID>()
    let accounts = Bells<String>()

    /// A pin of an account has changed, or is new or gone.
    func ring(_ pin: PinID, of account: String) {
        pins.ring(pin)
        accounts.ring(account)
    }

    /// Ends all watches, for good.
    func close() {
        pins.close()
        accounts.close()
    }

    /// Whether watches were ended.
    var isClosed: Bool { pins.isClosed || accounts.isClosed }
}
