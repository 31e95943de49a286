# A server without a screen: central or a hub. "docker build -t gatehouse ." makes it; compose.yaml runs it with PostgreSQL.
FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run package -- program --output /out

FROM docker.io/library/node:24-bookworm-slim
COPY --from=build /out/program /app
# Everything else is the image's and read only; PostgreSQL leaves exports alone here.
RUN mkdir -m 0700 /data && chown 10001:10001 /data
USER 10001:10001
ENV GATEHOUSE_DATA=/data NODE_ENV=production
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
# A migration may take long before the server answers.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30m CMD ["node", "/app/server/cli.js", "health"]
ENTRYPOINT ["node", "/app/server/cli.js"]
CMD ["serve", "--host", "0.0.0.0"]
