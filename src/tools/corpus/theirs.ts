import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { searchWords } from '../../service/store/search/search-words.ts'

const run = promisify(execFile)
const TIMEOUT = 60_000

/** The words that LibreOffice and Poppler find in each file; a file that they do not show is missing. */
export async function readByOthers(paths: readonly string[], folder: string): Promise<Map<string, readonly string[]>> {
  const words = new Map<string, readonly string[]>()
  for (const [at, path] of paths.entries()) {
    const own = join(folder, String(at))
    await mkdir(own, { recursive: true })
    const pdf = extname(path).toLowerCase() === '.pdf' ? path : await byLibreOffice(path, own, join(folder, 'profile'))
    const found = pdf === undefined ? undefined : await byPoppler(pdf)
    if (found !== undefined) words.set(path, found)
  }
  return words
}

async function byLibreOffice(path: string, to: string, profile: string): Promise<string | undefined> {
  const options = [`-env:UserInstallation=file://${profile}`, '--headless', '--convert-to', 'pdf', '--outdir', to, path]
  await run('soffice', options, { timeout: TIMEOUT, killSignal: 'SIGKILL' }).catch(() => undefined)
  const pdf = join(to, `${basename(path, extname(path))}.pdf`)
  return existsSync(pdf) ? pdf : undefined
}

async function byPoppler(pdf: string): Promise<readonly string[] | undefined> {
  const text = `${pdf}.txt`
  const isRead = await run('pdftotext', ['-enc', 'UTF-8', pdf, text], { timeout: TIMEOUT }).then(
    () => true,
    () => false,
  )
  if (!isRead) return undefined
  return [...new Set(searchWords((await readFile(text, 'utf8')).replaceAll(/-\n(?=\p{Ll})/gu, '')))]
}
