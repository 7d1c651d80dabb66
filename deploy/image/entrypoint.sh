#!/bin/sh
# strongroom PROGRAM [arguments]: runs one program of Strongroom in a container.
set -eu
cd /app
program=${1:-start}
[ $# -eq 0 ] || shift

run() {
  file=$1
  shift
  exec node_modules/.bin/node --disable-proto=delete "$file" "$@"
}

# An answer of a program's port: of the proxy or, where only that one runs here, the service.
ready() {
  exec node_modules/.bin/node -e '
    const ports = [process.env.PORT || 3000, process.env.API_PORT || 4000]
    const asked = ports.map((port) => fetch(`http://127.0.0.1:${port}/readyz`))
    const first = Promise.any(asked)
    first.then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))'
}

# Whether a program without such a port, the worker, still answers at METRICS_PORT.
alive() {
  exec node_modules/.bin/node -e '
    const asked = fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/healthz`)
    asked.then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))'
}

case $program in
  start) run src/embedded/start.ts "$@" ;;
  doctor | backup | upgrade) run "src/embedded/$program/main.ts" "$@" ;;
  restore) run src/embedded/backup/restore-main.ts "$@" ;;
  blobs:migrate) run src/embedded/backup/migrate-blobs.ts "$@" ;;
  audit:verify) run src/tools/audit-verify.ts "$@" ;;
  service) run src/embedded/service/main.ts "$@" ;;
  migrate) run src/embedded/service/migrate.ts "$@" ;;
  worker) run src/service/worker.ts "$@" ;;
  proxy) run src/proxy/main.ts "$@" ;;
  ready) ready ;;
  alive) alive ;;
  compile) run src/embedded/compile.ts ;;
  *) exec "$program" "$@" ;;
esac
