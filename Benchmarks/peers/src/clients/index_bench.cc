// The C++ index alone, in process: what a search costs without any RPC.
//   index_bench --points F --queries F [--answers N]
#include "../common/answers.h"
#include "../common/window.h"
#include "../servers/geo_index.h"

int main(int argc, char **argv) {
    Options options(argc, argv);
    GeoIndex index;
    index.load(options.text("--points"), 0, 1);
    Cycle<Query> queries(read_queries(options.text("--queries")));
    std::vector<GeoIndex::Hit> hits;
    for (int i = options.integer("--answers", 0); i > 0; i--) {
        index.nearby(queries.next(), hits);
        for (const auto &hit : hits) print_answer(index[hit.index].id, GeoIndex::metres(hit.chord2));
        end_answer();
        if (i == 1) return 0;
    }
    Window window(options);
    window.start();
    for (uint64_t started = now_ns(); !window.is_over();) {
        index.nearby(queries.next(), hits);
        started = window.record(started);
    }
    window.print();
}
