# Everything is built in the first stage; the second holds the programs, the bundled data and the C libraries.
FROM swift:6.3-bookworm AS build
WORKDIR /source
COPY script/bootstrap script/
RUN script/bootstrap build && rm -rf /var/lib/apt/lists/*
COPY Package.swift ./
COPY Sources Sources
RUN WAYMARK_ONLY_PROGRAMS=people swift build -c release --static-swift-stdlib \
 && for program in waymark gateway places-service pin-service photo-service picture-decoder; do \
        install -D -s ".build/release/$program" "/out/$program" || exit 1; \
    done

FROM debian:bookworm-slim
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ca-certificates fonts-dejavu-core libcairo2 libcurl4 libexif12 libexpat1 libheif1 libjemalloc2 libjs-leaflet \
        libjs-leaflet.markercluster liblcms2-2 libmicrohttpd12 libnghttp2-14 libpng16-16 libpq5 libprotobuf-c1 libqrencode4 \
        libseccomp2 libsodium23 libsqlite3-0 libssl3 libstdc++6 libtiff6 libturbojpeg0 libutf8proc2 libwebp7 \
        libwebpdemux2 libyajl2 libzip4 zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin waymark \
 # A new volume takes over the owner of the folder that it is mounted on.
 && install -d -o waymark -g waymark -m 0700 /var/lib/waymark /etc/waymark /srv/backups \
        /data /data/pins /data/photos /data/places /data/gateway /data/backup
COPY --from=build /out/ /usr/bin/
COPY Data /usr/share/waymark
COPY Web /usr/share/waymark/web
ENV WAYMARK_DATA=/var/lib/waymark WAYMARK_KEY_FILE=/etc/waymark/key WAYMARK_BUNDLED=/usr/share/waymark
USER waymark
CMD ["waymark", "--help"]
