import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { OFFICE_SETTINGS_FILE, officeSettings } from '../office-settings.ts'
import { ENGINE_MEMORY } from './limits.ts'
import { type OfficeModule, wasm } from './office-module.ts'

const PAGE_BYTES = 65_536
const INSTALLATION = '/instdir/program'
const PROFILE = '/instdir/user'
/** LibreOffice takes for granted that these exist. */
const FOLDERS = [`${PROFILE}/temp/embeddedfonts/fromdocs`, `${PROFILE}/temp/embeddedfonts/fromsystem`, '/work']
const FONTS = '/instdir/share/fonts/truetype'

export interface EngineFiles {
  folder: string
  fonts: string[]
}

export interface Office {
  /** Returns the PDF of a document; undefined if LibreOffice cannot open or export it. */
  toPdf(content: Uint8Array, extension: string): Uint8Array | undefined
}

/** Starts LibreOffice in this process. It has a file system in memory, and no other. */
export async function loadOffice({ folder, fonts }: EngineFiles): Promise<Office> {
  const module = await instantiate(folder)
  for (const path of FOLDERS) module.FS.mkdirTree(path)
  module.FS.writeFile(`${PROFILE}/${OFFICE_SETTINGS_FILE}`, Buffer.from(officeSettings()))
  for (const file of fonts) module.FS.writeFile(`${FONTS}/${basename(file)}`, readFileSync(file))
  const office = withText(module, [INSTALLATION], (path) => module._libreofficekit_hook(path))
  if (office === 0) throw new Error('LibreOffice did not start.')
  return { toPdf: (content, extension) => toPdf(module, office, content, extension) }
}

function instantiate(folder: string): Promise<OfficeModule> {
  const fileAt = (name: string) => join(folder, name)
  return new Promise((resolve, reject) => {
    const { initialBytes, maxBytes } = ENGINE_MEMORY
    const memory = { initial: initialBytes / PAGE_BYTES, maximum: maxBytes / PAGE_BYTES, shared: true }
    const module = {
      wasmMemory: new wasm.Memory(memory),
      locateFile: fileAt,
      // The program's main function starts LibreOffice a second time, in a thread; both then wait for each other.
      noInitialRun: true,
      print: () => {},
      printErr: () => {},
      onAbort: reject,
      getPreloadedPackage: () => bytesOf(fileAt('soffice.data')).buffer,
      instantiateWasm(imports: unknown, done: (instance: unknown, program: unknown) => void) {
        void wasm
          .instantiate(bytesOf(fileAt('soffice.wasm')), imports)
          .then((made) => done(made.instance, made.module), reject)
      },
      onRuntimeInitialized: () => resolve(module as unknown as OfficeModule),
    }
    Object.assign(globalThis, { Module: module })
    createRequire(import.meta.url)(fileAt('soffice.cjs'))
  })
}

/** Files as large as these have a buffer of their own; small ones share one. */
function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(path).buffer as ArrayBuffer)
}

function toPdf(module: OfficeModule, office: number, content: Uint8Array, extension: string): Uint8Array | undefined {
  const source = `/work/source.${extension}`
  const target = '/work/pages.pdf'
  module.FS.writeFile(source, content)
  const document = withText(module, [`file://${source}`, 'Batch=true'], (url, options) =>
    module._lok_documentLoadWithOptions(office, url, options),
  )
  if (document === 0) return undefined
  const saved = withText(module, [`file://${target}`, 'pdf', ''], (url, format, options) =>
    module._lok_documentSaveAs(document, url, format, options),
  )
  return saved === 0 ? undefined : module.FS.readFile(target)
}

/** Calls `use` with the addresses of copies of the texts. */
function withText<Texts extends readonly string[]>(
  { _malloc, _free, wasmMemory }: OfficeModule,
  texts: readonly [...Texts],
  use: (...addresses: { [At in keyof Texts]: number }) => number,
): number {
  const addresses = texts.map((text) => {
    const bytes = Buffer.from(`${text}\0`)
    const address = _malloc(bytes.length)
    // The memory may have grown, which makes another buffer.
    new Uint8Array(wasmMemory.buffer).set(bytes, address)
    return address
  })
  try {
    return use(...(addresses as { [At in keyof Texts]: number }))
  } finally {
    for (const address of addresses) _free(address)
  }
}
