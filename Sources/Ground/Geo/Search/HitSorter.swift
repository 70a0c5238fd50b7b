internal import Glibc

/// Turns the remaining candidates into hits: exact distances, in the final order.
struct HitSorter {
    let snapshots: [Snapshot]
    let circle: Circle

    /// First by the histogram's bars, which nearly sorts them, then by insertion. If bars are crowded (many places at
    /// one distance, or a limit of thousands), by an ordinary sort.
    func sort(_ buffers: inout SearchBuffers, into hits: inout [Hit]) throws {
        let crowd = buffers.orderByBars()
        try measure(buffers, &hits)
        if crowd > 48 { return try hits.sort(by: isAscending) }
        try unsafe hits.withUnsafeMutableBufferPointer { hits in try unsafe insert(&hits) }
    }

    private func measure(_ buffers: borrowing SearchBuffers, _ hits: inout [Hit]) throws {
        hits.reserveCapacity(buffers.count)
        guard buffers.count > 0 else { return }
        var source = unsafe buffers.ordered[0].source
        var points = snapshots[Int(source)].tree.coordinates
        for index in 0..<buffers.count {
            let candidate = unsafe buffers.ordered[index]
            if candidate.source != source {
                source = candidate.source
                points = snapshots[Int(source)].tree.coordinates
            }
            let point = points[Int(candidate.ordinal)]
            guard point.isInRange else { throw snapshots[Int(source)].offEarth(candidate.ordinal) }
            hits.append(Hit(source: source, ordinal: candidate.ordinal, metres: circle.metres(to: point)))
        }
    }

    private func insert(_ hits: inout UnsafeMutableBufferPointer<Hit>) throws {
        for index in hits.indices.dropFirst() {
            let hit = unsafe hits[index]
            var at = index
            while at > 0, try unsafe isAscending(hit, hits[at - 1]) {
                unsafe hits[at] = hits[at - 1]
                at -= 1
            }
            unsafe hits[at] = hit
        }
    }

    @inline(__always)
    private func isAscending(_ a: Hit, _ b: Hit) throws -> Bool {
        a.metres != b.metres ? a.metres < b.metres : try idOrder(a, b) < 0
    }

    /// Compares the ids of two hits, reading both from their files: only for equal distances.
    func idOrder(_ a: Hit, _ b: Hit) throws(GeoError) -> Int {
        let aID = try unsafe snapshots[Int(a.source)].place(a.ordinal).id
        let bID = try unsafe snapshots[Int(b.source)].place(b.ordinal).id
        let order = unsafe IDOrder.compare(aID, bID)
        return order != 0 ? order : Int(a.source) - Int(b.source)
    }
}

/// The order of ids: by bytes, a prefix before what it begins.
enum IDOrder {
    static func isAscending(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        unsafe compare(a, b) < 0
    }

    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        let common = min(a.count, b.count)
        if common > 0, let a = a.baseAddress, let b = b.baseAddress {
            let order = unsafe memcmp(a, b, common)
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
    }
}

/// Keeps the hits with the smallest ids: a heap with the greatest of them on top.
///
/// A comparison reads two ids from the mapped files; a candidate that is not taken costs one comparison.
struct FirstByID {
    private let order: HitSorter
    private let capacity: Int
    private var heap: [Hit]

    /// Takes over an empty array for its memory.
    init(order: HitSorter, capacity: Int, hits: consuming [Hit]) {
        self.order = order
        self.capacity = capacity
        heap = hits
    }

    mutating func offer(_ hit: Hit) throws(GeoError) {
        if heap.count < capacity {
            heap.append(hit)
            try siftUp(heap.count - 1)
        } else if try order.idOrder(hit, heap[0]) < 0 {
            heap[0] = hit
            try siftDown(0)
        }
    }

    /// The hits in ascending order of ids.
    consuming func sorted() throws -> [Hit] {
        let order = order
        return try heap.sorted { try order.idOrder($0, $1) < 0 }
    }

    private mutating func siftUp(_ start: Int) throws(GeoError) {
        var at = start
        while at > 0, try order.idOrder(heap[(at - 1) / 2], heap[at]) < 0 {
            heap.swapAt(at, (at - 1) / 2)
            at = (at - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) throws(GeoError) {
        var at = start
        while 2 * at + 1 < heap.count {
            var child = 2 * at + 1
            if child + 1 < heap.count, try order.idOrder(heap[child], heap[child + 1]) < 0 { child += 1 }
            guard try order.idOrder(heap[at], heap[child]) < 0 else { return }
            heap.swapAt(at, child)
            at = child
        }
    }
}
