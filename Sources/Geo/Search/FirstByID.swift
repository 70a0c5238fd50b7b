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
