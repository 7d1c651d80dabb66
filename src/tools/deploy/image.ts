import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../embedded/ports.ts'
import { command } from './commands.ts'

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const NAMES = { NODE_IMAGE: 'localhost/node:24', DEBIAN_IMAGE: 'localhost/debian:12' }
const READY_SECONDS = 120

/**
 * Builds the image with buildah on a root made by debootstrap, and starts it: as its user, on a read-only root. Container
 * engines do not run everywhere, so `chroot` and a mount namespace stand in for one.
 */
export async function checkImage(folder: string): Promise<void> {
  const buildah = [
    'buildah',
    '--storage-driver',
    'vfs',
    '--root',
    join(folder, 'store'),
    '--runroot',
    join(folder, 'run'),
  ]
  const build = [...buildah, 'bud', '--isolation', 'chroot', '--quiet']
  await makeBases(folder, build)
  const given = Object.entries(NAMES).flatMap(([name, image]) => ['--build-arg', `${name}=${image}`])
  const file = ['-f', 'deploy/image/Dockerfile', '--ignorefile', 'deploy/image/Dockerfile.dockerignore']
  await command([...build, ...file, ...given, '--target', 'slim', '-t', 'localhost/strongroom:slim', '.'])
  const container = (await command([...buildah, 'from', 'localhost/strongroom:slim'])).trim()
  await startIn((await command([...buildah, 'mount', container])).trim(), folder)
}

async function makeBases(folder: string, build: string[]): Promise<void> {
  const debian = join(folder, 'debian')
  await command(['debootstrap', '--variant=minbase', 'bookworm', join(debian, 'root')])
  await writeFile(join(debian, 'Dockerfile'), 'FROM scratch\nCOPY root /\n')
  await command([...build, '-t', NAMES.DEBIAN_IMAGE, debian])
  const node = join(folder, 'node')
  await mkdir(node)
  const npm = join((await command(['npm', 'root', '--global'])).trim(), 'npm')
  await cp(npm, join(node, 'npm'), { recursive: true, dereference: true })
  await cp(process.execPath, join(node, 'node'))
  await chmod(join(node, 'node'), 0o755)
  await cp(CERTIFICATES, join(node, 'certificates'))
  await writeFile(
    join(node, 'Dockerfile'),
    [
      `FROM ${NAMES.DEBIAN_IMAGE}`,
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      `COPY certificates ${CERTIFICATES}`,
      `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES} npm_config_cafile=${CERTIFICATES}`,
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    ].join('\n'),
  )
  await command([...build, '-t', NAMES.NODE_IMAGE, node])
}

async function startIn(root: string, folder: string): Promise<void> {
  const [port, apiPort] = [await freePort(), await freePort()]
  const script = join(folder, 'start.sh')
  await writeFile(script, startScript(root, { PORT: port, API_PORT: apiPort }))
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', script])
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (text: Buffer) => (said += text.toString()))
  try {
    await untilReady(
      port,
      () => child.exitCode !== null,
      () => said,
    )
  } finally {
    child.kill('SIGKILL')
  }
}

async function untilReady(port: number, hasEnded: () => boolean, said: () => string): Promise<void> {
  const until = Date.now() + READY_SECONDS * 1000
  while (Date.now() < until && !hasEnded()) {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (reply?.ok && said().includes('Strongroom is ready')) return
    await sleep(500)
  }
  throw new Error(`The image did not start.\n${said()}`)
}

function startScript(root: string, ports: Record<string, number>): string {
  const settings = Object.entries({
    ...ports,
    HOST: '127.0.0.1',
    DATA_DIR: '/data',
    DEMO: 'off',
    NODE_ENV: 'production',
  })
  const devices = ['null', 'zero', 'random', 'urandom']
  return [
    'set -e',
    'mount --make-rprivate /',
    `mount --bind ${root} ${root}`,
    `mount -o remount,bind,ro ${root}`,
    `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
    `mount -t tmpfs -o mode=0700,uid=10001,gid=10001 tmpfs ${root}/data`,
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs tmpfs ${root}/dev`,
    ...devices.map((name) => `touch ${root}/dev/${name} && mount --bind /dev/${name} ${root}/dev/${name}`),
    `mkdir ${root}/dev/shm && mount -t tmpfs -o mode=1777 tmpfs ${root}/dev/shm`,
    `exec env -i PATH=/usr/local/bin:/usr/bin:/bin ${settings.map(([name, value]) => `${name}=${value}`).join(' ')} \\`,
    `  /usr/sbin/chroot --userspec=10001:10001 ${root} tini -- strongroom start`,
  ].join('\n')
}
