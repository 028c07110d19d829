# A small image with the program and a C preprocessor:
#   docker build -t craig . && docker run --rm -v "$PWD:/src" craig check file.c
FROM rust:1-slim AS build
COPY . /craig
RUN /craig/.ci/release /release && mv /release/*/craig /release/craig

FROM debian:stable-slim
# The headers of the compiler are in a package with its version in its name. Nothing is linked here.
RUN apt-get update \
    && apt-get install -y --no-install-recommends cpp libc6-dev \
    && apt-get install -y --no-install-recommends "libgcc-$(cpp -dumpversion)-dev" \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
    && find /usr/lib \( -name '*.a' -o -name '*.o' -o -name 'lib*san.so*' \) -delete
COPY --from=build /release/craig /usr/local/bin/craig
WORKDIR /src
ENTRYPOINT ["craig"]
