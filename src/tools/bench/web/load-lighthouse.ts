import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ROOT } from '../../sources.ts'

const VERSION = '13.5.0'
const FOLDER = join(ROOT, 'node_modules/.cache/lighthouse', VERSION)
const ENTRY = join(FOLDER, 'node_modules/lighthouse/core/index.js')

/** The part of the module that we use. */
interface Lighthouse {
  default: (url: string, flags: Flags, config: unknown) => Promise<{ lhr: Result } | undefined>
  desktopConfig: unknown
}

interface Flags {
  port: number
  output: 'json'
  logLevel: 'error'
  onlyCategories: string[]
}

interface Result {
  runtimeError?: { message: string }
  finalDisplayedUrl: string
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null }>
}

/** Installs Lighthouse separately and on demand: it brings ninety packages, and only one measurement needs it. */
export async function loadLighthouse(): Promise<Lighthouse> {
  if (!existsSync(ENTRY)) {
    console.log(`Installing Lighthouse ${VERSION} …`)
    await promisify(execFile)('npm', [
      'install',
      '--prefix',
      FOLDER,
      '--no-audit',
      '--no-fund',
      `lighthouse@${VERSION}`,
    ])
  }
  return (await import(pathToFileURL(ENTRY).href)) as Lighthouse
}
