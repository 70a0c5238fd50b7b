/// The rows of a table one after the other, in the order of its primary key.
protocol RowReading: AnyObject {
    /// The next; nil at the end.
    func next() throws(SQLError) -> MovedRow?
}

/// The tables of one service on one side of a move, in either engine. All of it blocks, and is for one thread.
protocol TableSide: AnyObject {
    /// For messages.
    var place: String { get }

    /// All tables of the service.
    func tables() throws(SQLError) -> [TableShape]

    func rowCount(of table: String) throws(SQLError) -> Int

    /// What a reader does not give to its end is dropped when the next one is made.
    func rows(of table: TableShape) throws(SQLError) -> any RowReading

    /// Removes all rows of a table.
    func clear(_ table: TableShape) throws(SQLError)

    /// Adds rows, durably and all at once.
    func add(_ rows: [MovedRow], to table: TableShape) throws(SQLError)

    /// Its migrations in order, without the mark: name, checksum and when, each as text.
    func migrations() throws(SQLError) -> [[String]]

    /// Puts these in place of its own and of the mark, at once: from then on services start on it.
    func finish(_ migrations: [[String]]) throws(SQLError)

    /// Has the engine count its rows and put them where they stay.
    func settle() throws(SQLError)

    /// Lets go of what reading holds.
    func rest()
}
