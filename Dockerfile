# A small image with the program and a C preprocessor:
#   docker build -t craig . && docker run --rm -v "$PWD:/src" craig check /src/file.c
FROM rust:1-slim AS build
COPY . /craig
RUN cd /craig && cargo build --release --locked --bin craig && strip target/release/craig

FROM debian:stable-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends cpp libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /craig/target/release/craig /usr/local/bin/craig
WORKDIR /src
ENTRYPOINT ["craig"]
