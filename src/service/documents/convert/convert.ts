import { access, copyFile, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DOCUMENT_REASONS } from '../../../contract/shown-sentences.ts'
import { FAULTS } from './convert-faults.ts'
import type { Prepared } from './office.ts'
import { formatOf, pagesOf } from '../formats.ts'
import { DocumentFault } from '../render/fault.ts'
import { writeProfile } from './office-settings.ts'
import { isSandboxUsable, runTool, type Sandboxing } from './sandbox.ts'
import type { Renderer } from '../render.ts'
import type { OfficeEngine } from './engine/office-engine.ts'

/** Converts documents that cannot be rendered directly into a PDF or an image. */
export interface Converter {
  /** Returns a sentence that says why this machine cannot convert the type; undefined if it can. */
  obstacle(contentType: string): Promise<string | undefined>
  /**
   * Converts into `outDir`, a folder for this conversion alone, which the caller removes.
   * @throws DocumentFault if the document is damaged, encrypted, too large or takes too long
   */
  convert(source: string, contentType: string, outDir: string, signal?: AbortSignal): Promise<Converted>
}

export interface Converted {
  path: string
  content_type: 'application/pdf' | 'image/jpeg' | 'image/png'
}

interface Options {
  sandboxing: Sandboxing
  renderer: Renderer
  /** Converts office documents where LibreOffice is not installed, or may not run. */
  engine?: OfficeEngine
  /** Where the programs of this machine are looked for. */
  programs?: typeof PROGRAMS
  cpuSeconds?: number
  timeLimitMs?: number
}

const CPU_SECONDS = 60
const TIME_LIMIT_MS = 120_000
const PROFILE = 'profile'
const MAX_SOURCE_BYTES = 512 * 1024 ** 2

const PROGRAMS = {
  office: ['/usr/bin/soffice', '/usr/local/bin/soffice', '/Applications/LibreOffice.app/Contents/MacOS/soffice'],
  heif: ['/usr/bin/heif-convert', '/usr/bin/heif-dec', '/usr/local/bin/heif-convert', '/opt/homebrew/bin/heif-dec'],
}

const ABSENT = {
  office: DOCUMENT_REASONS.no_libreoffice,
  heif: DOCUMENT_REASONS.no_heif_convert,
  sandbox: DOCUMENT_REASONS.no_sandbox,
}

export function createConverter({
  sandboxing,
  renderer,
  engine,
  programs = PROGRAMS,
  cpuSeconds = CPU_SECONDS,
  timeLimitMs = TIME_LIMIT_MS,
}: Options): Converter {
  let isUsable = false
  // Only success is cached: a failed check may be due to a shortage of processes.
  const isAllowed = async () => sandboxing === 'off' || (isUsable ||= await isSandboxUsable())

  async function hostObstacle(tool: 'office' | 'heif'): Promise<string | undefined> {
    if ((await firstOf(programs[tool])) === undefined) return ABSENT[tool]
    return (await isAllowed()) ? undefined : ABSENT.sandbox
  }

  return {
    async obstacle(contentType) {
      const { tool } = pagesOf(contentType)
      if (tool === undefined) return DOCUMENT_REASONS.no_converter
      if (tool === 'office' && engine?.isPresent && !isForSystem(contentType)) return undefined
      return tool === 'office' || tool === 'heif' ? hostObstacle(tool) : undefined
    },

    async convert(source, contentType, outDir, signal) {
      const obstacle = await this.obstacle(contentType)
      if (obstacle !== undefined) throw new Error(obstacle)
      if ((await stat(source)).size > MAX_SOURCE_BYTES) throw new DocumentFault(FAULTS.size)
      const run: Run = (command) => runTool(sandboxing, { command, folder: outDir, cpuSeconds, timeLimitMs, signal })
      await mkdir(outDir, { recursive: true })
      const toPdf = async (name: string) => {
        if (engine?.isPresent && !isForSystem(contentType) && (await hostObstacle('office')) !== undefined) {
          return withEngine(engine, join(outDir, name), { cpuMs: cpuSeconds * 1000, wallMs: timeLimitMs, signal })
        }
        const program = (await firstOf(programs.office)) ?? 'soffice'
        return officeInTime(() => officeToPdf(program, name, outDir, run), cpuSeconds)
      }
      const toJpeg = async () => heicToJpeg((await firstOf(programs.heif)) ?? 'heif-convert', source, outDir, run)
      return convertWith({ source, contentType, outDir, toPdf, toJpeg, renderer, signal })
    },
  }
}

/** LibreOffice as WebAssembly lacks some filters. */
const isForSystem = (contentType: string): boolean => formatOf(contentType)?.needsSystemOffice === true

interface Conversion {
  source: string
  contentType: string
  outDir: string
  toPdf: (name: string) => Promise<Converted>
  toJpeg: () => Promise<Converted>
  renderer: Renderer
  signal: AbortSignal | undefined
}

async function convertWith({
  source,
  contentType,
  outDir,
  toPdf,
  toJpeg,
  renderer,
  signal,
}: Conversion): Promise<Converted> {
  switch (pagesOf(contentType).tool) {
    case 'layout':
      return toPages(source, contentType, outDir, { renderer, signal })
    case 'svg':
      return toPng('drawSvg', source, outDir, { renderer, signal })
    case 'bitmap':
      return toPng('drawBitmap', source, outDir, { renderer, signal })
    case 'heif':
      return toJpeg()
    default:
      return withOffice(await renderer.prepareForOffice({ path: source, type: contentType }, outDir, { signal }), toPdf)
  }
}

async function withOffice({ name, isEncrypted }: Prepared, toPdf: Conversion['toPdf']): Promise<Converted> {
  return toPdf(name).catch((error: unknown) => {
    throw isEncrypted && error instanceof DocumentFault ? new DocumentFault(FAULTS.encrypted) : error
  })
}

interface RendererOptions {
  renderer: Renderer
  signal: AbortSignal | undefined
}

async function toPages(
  source: string,
  type: string,
  outDir: string,
  { renderer, signal }: RendererOptions,
): Promise<Converted> {
  const path = join(outDir, 'pages.pdf')
  await renderer.layOut({ source, type, target: path }, { signal })
  return { path, content_type: 'application/pdf' }
}

async function toPng(
  draw: 'drawSvg' | 'drawBitmap',
  source: string,
  outDir: string,
  { renderer, signal }: RendererOptions,
): Promise<Converted> {
  const path = join(outDir, 'page.png')
  await renderer[draw]({ source, target: path }, { signal })
  return { path, content_type: 'image/png' }
}

async function withEngine(
  engine: OfficeEngine,
  source: string,
  limits: Parameters<OfficeEngine['toPdf']>[2],
): Promise<Converted> {
  const path = join(dirname(source), 'source.pdf')
  await engine.toPdf(source, path, limits)
  return { path, content_type: 'application/pdf' }
}

/** At its CPU limit, LibreOffice catches the signal and reports the document as unreadable. */
async function officeInTime(work: () => Promise<Converted>, cpuSeconds: number): Promise<Converted> {
  const begun = performance.now()
  return work().catch((error: unknown) => {
    const isLate = performance.now() - begun >= cpuSeconds * 1000
    if (isLate && error instanceof DocumentFault) throw new DocumentFault(FAULTS.time, { late: true, cause: error })
    throw error
  })
}

type Run = (command: (folder: string) => string[]) => Promise<string>

async function officeToPdf(program: string, name: string, outDir: string, run: Run): Promise<Converted> {
  await writeProfile(join(outDir, PROFILE))
  const options = ['--headless', '--norestore', '--nologo', '--nodefault', '--nolockcheck', '--nofirststartwizard']
  await run((folder) => {
    const settings = `-env:UserInstallation=${pathToFileURL(join(folder, PROFILE))}`
    return [program, settings, ...options, '--convert-to', 'pdf', '--outdir', folder, name]
  })
  const path = join(outDir, 'source.pdf')
  // LibreOffice exits with code 0 even if it could not load the document.
  if (!(await exists(path))) throw new DocumentFault(FAULTS.damaged)
  return { path, content_type: 'application/pdf' }
}

async function heicToJpeg(program: string, source: string, outDir: string, run: Run): Promise<Converted> {
  await copyFile(source, join(outDir, 'source.heic'))
  await run(() => [program, '-q', '92', 'source.heic', 'page.jpg'])
  // For a container of several images, the tool writes page-1.jpg, page-2.jpg …
  for (const name of ['page.jpg', 'page-1.jpg']) {
    const path = join(outDir, name)
    if (await exists(path)) return { path, content_type: 'image/jpeg' }
  }
  throw new DocumentFault(FAULTS.damaged)
}

async function firstOf(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path
  return undefined
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
