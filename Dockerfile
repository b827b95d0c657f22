# The studio of this source, as a small image without a shell. docs/tasks/containers.md says how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS dependencies
WORKDIR /studio
COPY package.json package-lock.json .npmrc ./
# The drivers bring their binaries. Those of other systems, and their sources, are left out.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -r node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
  && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-*" -delete \
  && mkdir /state

FROM gcr.io/distroless/nodejs24-debian13:nonroot
WORKDIR /studio
COPY --from=dependencies /studio/node_modules node_modules
COPY --from=build /source/package.json /source/LICENSE ./
COPY --from=build /source/bin bin
COPY --from=build /source/src/demo/pictures src/demo/pictures
COPY --from=build /source/src/diagram/fonts src/diagram/fonts
COPY --from=build /source/dist dist
COPY --from=dependencies --chown=65532:65532 /state /state

# Outside the container the studio is reachable only on a published port. It does not start without credentials.
ENV STUDIO_HOST=0.0.0.0 STUDIO_STATE_DIR=/state
USER 65532:65532
EXPOSE 4555
# Writable paths are /state and /tmp alone, so the root file system can be read-only.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["/nodejs/bin/node", "-e", "const { STUDIO_PORT = 4555, STUDIO_PREFIX = '/studio' } = process.env; fetch(`http://127.0.0.1:${STUDIO_PORT}${STUDIO_PREFIX}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "bin/database-studio.js"]
