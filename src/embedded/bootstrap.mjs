// Runs a TypeScript file of this project with any Node from 20.19 on: `node bootstrap.mjs <file> [arguments]`.
// Installs the packages when they are missing or differ from the lockfile, then hands over to the pinned Node.
// Plain JavaScript without dependencies, because it runs before there are any.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const OLDEST_HOST = [20, 19]
const PINNED_MAJOR = 24
const INSTALL_AT_MOST = 15 * 60_000
const PARENT_WATCH = 500

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const installLock = join(root, '.installing')
/** The program that stays running. */
const STAYING = join(root, 'src/embedded/start.ts')
/** Its settings, which its programs have too (children.ts): compiled code is kept for equal settings of V8. */
const LEAN = ['--heap-growing-percent=50', `--import=${pathToFileURL(join(root, 'src/embedded/lean.ts'))}`]

requireHost()
if (!isInstalled()) await install()
run(process.argv.slice(2))

function requireHost() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_HOST[0] || (major === OLDEST_HOST[0] && minor >= OLDEST_HOST[1])) return
  fail(
    `Strongroom needs Node ${OLDEST_HOST.join('.')} or newer to start; this is ${process.versions.node}. See https://nodejs.org`,
  )
}

/** npm writes `.package-lock.json` last, so a broken install lacks it. Its versions must match the lockfile. */
function isInstalled() {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(join(root, 'node_modules/.package-lock.json'))
  if (!present) return false
  if (!wanted) return true
  const production = process.env.NODE_ENV === 'production'
  return Object.entries(wanted).every(([path, entry]) => {
    const found = present[path]
    if (found) return found.version === entry.version
    return path === '' || entry.optional || entry.devOptional || entry.link || (production && entry.dev)
  })
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

async function install() {
  await lock()
  try {
    // The previous holder of the lock may have installed them.
    if (isInstalled()) return
    const command = existsSync(join(root, 'package-lock.json')) ? 'ci' : 'install'
    console.error('Installing the packages of Strongroom; this takes about a minute.')
    const status = npm([command, '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'])
    if (status !== 0) fail(`npm ${command} failed (see above). Strongroom needs its packages to start.`)
    installHook()
  } finally {
    rmSync(installLock, { force: true })
  }
}

/** Takes the lock that allows one install at a time. A lock whose holder is gone does not count. */
async function lock() {
  for (let told = false; ;) {
    try {
      const file = openSync(installLock, 'wx')
      writeSync(file, String(process.pid))
      closeSync(file)
      process.once('exit', () => rmSync(installLock, { force: true }))
      return
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`The packages cannot be installed in ${root}: ${error.message}`)
    }
    if (isAbandoned()) rmSync(installLock, { force: true })
    else if (!told) console.error('Another start is installing the packages; waiting for it.')
    told = true
    await sleep(500)
  }
}

function isAbandoned() {
  try {
    const age = Date.now() - statSync(installLock).mtimeMs
    const holder = Number(readFileSync(installLock, 'utf8'))
    return age > INSTALL_AT_MOST || (age > 2000 && !isRunning(holder))
  } catch {
    return false
  }
}

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Runs npm: the npm that started us, named by `npm_execpath`, or else the npm on the path. */
function npm(args) {
  const own = process.env.npm_execpath
  const [program, first] = own?.endsWith('.js') ? [process.execPath, [own]] : ['npm', []]
  const { status, error } = spawnSync(program, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
  if (error) fail(`npm could not be started: ${error.message}`)
  return status
}

/** Sets the hook that formats and lints committed files, in a clone without hooks of its own. */
function installHook() {
  if (process.env.CI || !existsSync(join(root, '.git'))) return
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (git('config', '--get', 'core.hooksPath').status !== 1) return
  git('config', '--local', 'core.hooksPath', 'src/tools/hooks')
}

function run(args) {
  const pinned = join(root, 'node_modules/.bin/node')
  if (existsSync(pinned)) return start(pinned, args, () => start(hostNode(), args))
  return start(hostNode(), args)
}

function hostNode() {
  if (Number(process.versions.node.split('.')[0]) >= PINNED_MAJOR) return process.execPath
  return fail(
    `There is no Node ${PINNED_MAJOR} for ${process.platform} ${process.arch} among the packages, and this is ` +
      `${process.versions.node}. Start Strongroom with Node ${PINNED_MAJOR} or newer.`,
  )
}

function start(node, args, otherwise) {
  // Keeps compiled code for the next start, keyed by content and Node version.
  const env = { __proto__: null, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...process.env }
  if (env.NODE_COMPILE_CACHE && !existsSync(env.NODE_COMPILE_CACHE)) {
    spawnSync(node, [...LEAN, join(root, 'src/embedded/compile.ts')], { env, stdio: 'ignore' })
  }
  // The channel closes when this process ends, even if it is killed, which tells the program.
  const flags = args[0] !== undefined && resolve(args[0]) === STAYING ? LEAN : []
  const child = spawn(node, [...flags, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  child.once('error', (error) => (otherwise ? otherwise() : fail(`${node} could not be started: ${error.message}`)))
  forwardSignals(child)
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

function forwardSignals(child) {
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to the child as well; a second signal would mean "at once" to some programs.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  // npm signals the shell between us, which dies without passing the signal on. Our parent process then changes.
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, PARENT_WATCH)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
