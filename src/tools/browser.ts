import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type LaunchOptions } from 'playwright'

/** Suits machines without a display or a GPU, and stops background traffic. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge']
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

interface Candidate {
  name: string
  /** @returns undefined where this machine has no such browser */
  find: () => Promise<LaunchOptions | undefined> | LaunchOptions | undefined
}

const CANDIDATES: Candidate[] = [
  { name: 'E2E_BROWSER', find: () => at(process.env['E2E_BROWSER']) },
  { name: "Playwright's own", find: () => (existsSync(chromium.executablePath()) ? {} : undefined) },
  { name: 'Chrome', find: () => ({ channel: 'chrome' }) },
  { name: 'Edge', find: () => ({ channel: 'msedge' }) },
  { name: 'the one on this machine', find: () => at(onPath() ?? MAC.find((path) => existsSync(path))) },
  { name: '@sparticuz/chromium', find: packaged },
  { name: "Debian's", find: installed },
]

/**
 * Finds a browser that works here, by opening a page with each candidate.
 * @throws Error that lists the candidates tried
 */
export async function findBrowser(log: (line: string) => void = () => {}): Promise<LaunchOptions> {
  const failures: string[] = []
  for (const { name, find } of CANDIDATES) {
    try {
      const found = await find()
      if (!found) continue
      const options = { ...found, args: [...ARGUMENTS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])] }
      log(`Browser: ${name}, version ${await tryOut(options)}`)
      return options
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  throw new Error(
    `No browser works here. Install Chrome or Chromium, or name one by E2E_BROWSER.\n${failures.join('\n')}`,
  )
}

/** Renders a page: a browser that starts may still lack a library for rendering. */
async function tryOut(options: LaunchOptions): Promise<string> {
  const browser = await chromium.launch({ ...options, timeout: 30_000 })
  try {
    const page = await browser.newPage()
    await page.setContent('<h1>Strongroom</h1>')
    await page.screenshot({ timeout: 10_000 })
    return browser.version()
  } finally {
    await browser.close()
  }
}

const at = (executablePath: string | undefined) => (executablePath ? { executablePath } : undefined)

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

/** Uses only the program of the package: its arguments are for cloud functions (one process, weakened isolation). */
async function packaged(): Promise<LaunchOptions | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const { default: sparticuz } = await import('@sparticuz/chromium')
  return at(await sparticuz.executablePath())
}

function installed(): LaunchOptions | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
  apt('update')
  const { status, stderr } = apt('install', '-y', '--no-install-recommends', 'chromium')
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1) ?? 'apt-get failed')
  return at(onPath())
}
