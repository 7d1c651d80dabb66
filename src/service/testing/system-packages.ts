import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Held while packages are installed: apt's own lock makes the second installation fail. */
const LOCK = '/tmp/strongroom-apt.lock'

/** What the documents of the tests need of the system: a file that tells whether it is there, and Debian's packages of it. */
const NEEDED = {
  office: {
    program: '/usr/bin/soffice',
    packages:
      'libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui fonts-liberation fonts-noto-core fonts-noto-cjk',
  },
  bubblewrap: { program: '/usr/bin/bwrap', packages: 'bubblewrap' },
  heif: { program: '/usr/bin/heif-convert', packages: 'libheif-examples' },
  pdfTools: { program: '/usr/bin/mutool', packages: 'qpdf mupdf-tools ghostscript' },
  faketime: { program: '/usr/bin/faketime', packages: 'faketime' },
  clamav: { program: '/usr/sbin/clamd', packages: 'clamav-daemon' },
}

/**
 * Whether these programs are there. What is absent is installed first where that is possible: on Debian or Ubuntu, as root.
 * It takes minutes and says so; where it is not possible it says that the tests are left out.
 */
export async function ensureInstalled(...names: (keyof typeof NEEDED)[]): Promise<boolean> {
  const isAbsent = () => names.filter((name) => !existsSync(NEEDED[name].program))
  // A program exists as soon as it is unpacked, long before an installation by another test file is complete.
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
