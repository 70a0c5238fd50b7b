/// A house that has nothing but an address is a place of this category. There are many more of these than of all
/// others, so a search gives them only when it asks for them.
enum AddressCategory {
    static let path = "address"
}
