import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Held during an installation: with only apt's own lock, a second installation would fail. */
const LOCK = '/tmp/strongroom-apt.lock'

/** System programs the tests need: the files that show whether each is installed, and its Debian packages. */
const NEEDED = {
  office: {
    program: '/usr/bin/soffice',
    packages:
      'libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui fonts-liberation fonts-noto-core fonts-noto-cjk',
  },
  bubblewrap: { program: '/usr/bin/bwrap', packages: 'bubblewrap' },
  heif: { program: '/usr/bin/heif-convert', packages: 'libheif-examples' },
  pdfTools: { program: ['/usr/bin/qpdf', '/usr/bin/mutool', '/usr/bin/gs'], packages: 'qpdf mupdf-tools ghostscript' },
  poppler: { program: '/usr/bin/pdftotext', packages: 'poppler-utils' },
  faketime: { program: '/usr/bin/faketime', packages: 'faketime' },
  nginx: { program: '/usr/sbin/nginx', packages: 'nginx' },
  // `postgresql` without a version would start a server of its own.
  postgres15: { program: '/usr/lib/postgresql/15/bin/postgres', packages: 'postgresql-15' },
  pgbouncer: { program: '/usr/sbin/pgbouncer', packages: 'pgbouncer' },
  patroni: { program: '/usr/bin/patroni', packages: 'patroni python3-etcd etcd-server' },
  haproxy: { program: '/usr/sbin/haproxy', packages: 'haproxy' },
  ipTools: { program: '/usr/sbin/ip', packages: 'iproute2' },
  prometheus: { program: '/usr/bin/promtool', packages: 'prometheus' },
  redis: { program: '/usr/bin/redis-server', packages: 'redis-server' },
  swift: {
    program: '/usr/bin/swift-proxy-server',
    packages: 'swift-proxy swift-account swift-container swift-object memcached',
  },
  compose: { program: '/usr/bin/docker-compose', packages: 'docker-compose' },
  caddy: { program: '/usr/bin/caddy', packages: 'caddy' },
  go: { program: '/usr/bin/go', packages: 'golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev' },
  images: { program: '/usr/bin/buildah', packages: 'buildah debootstrap' },
  clamav: { program: '/usr/sbin/clamd', packages: 'clamav-daemon' },
}

/**
 * Whether these programs are installed. Installs missing ones if possible, on Debian or Ubuntu as root, which takes
 * minutes and is logged. If that is not possible, it logs that tests are skipped.
 */
export async function ensureInstalled(...names: (keyof typeof NEEDED)[]): Promise<boolean> {
  const isAbsent = () => names.filter((name) => ![NEEDED[name].program].flat().every((each) => existsSync(each)))
  // A program exists as soon as it is unpacked, long before another test file's installation is complete.
  if (existsSync(LOCK)) await run('flock', [LOCK, 'true'])
  const absent = isAbsent()
  if (absent.length === 0) return true
  const packages = absent.map((name) => NEEDED[name].packages).join(' ')
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    console.log(`Installing once, which takes some minutes: ${packages}`)
    await install(packages).catch((error: unknown) => console.error(error))
  }
  const missing = isAbsent()
  if (missing.length > 0)
    console.error(`TESTS ARE LEFT OUT, for ${missing.join(' and ')} is not installed: ${packages}`)
  return missing.length === 0
}

async function install(packages: string): Promise<void> {
  const script = `apt-get update -qq; apt-get install -y -qq --no-install-recommends ${packages}`
  await run('flock', [LOCK, 'sh', '-c', script], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 ** 2,
  })
}
