import { readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import createModule from '@neslinesli93/qpdf-wasm'

/** Exit codes of qpdf: 0 is success, 3 is output with warnings, 2 is no output. */
export type ExitCode = 0 | 2 | 3

export interface Qpdf {
  run(args: readonly string[]): ExitCode
  /** Messages of the last run, one per line. */
  errors(): string[]
  /** Mounts the folder of a file, and only that folder, under a name of its own. @returns qpdf's path of the file */
  mount(path: string): string
  /** Like `mount`, for reading. A small file is copied into memory, because qpdf reads a kilobyte at a time. */
  open(path: string): string
  /** Reads what qpdf wrote into its own memory, under a path that is not mounted. */
  take(path: string): Uint8Array
}

/** Members of the emscripten module that its package does not declare. */
interface Module {
  callMain(args: string[]): number
  FS: {
    mkdir(path: string): void
    mount(type: unknown, options: { root: string }, path: string): void
    writeFile(path: string, content: Uint8Array): void
    readFile(path: string): Uint8Array
  }
  NODEFS: unknown
}

const MAX_COPIED = 32 * 1024 * 1024

type Create = (options: Record<string, unknown>) => Promise<Module>

/** Loads qpdf as WebAssembly, in a new instance for each document, so that a failure affects no other document. */
export async function openQpdf(): Promise<Qpdf> {
  const wasm = fileURLToPath(import.meta.resolve('@neslinesli93/qpdf-wasm/dist/qpdf.wasm'))
  let said = ''
  const module = await (createModule as unknown as Create)({
    locateFile: () => wasm,
    noInitialRun: true,
    stdout: () => {},
    stderr: (code: number) => void (said += String.fromCharCode(code)),
  })
  const mounts = new Map<string, string>()
  let copies = 0

  function mount(path: string): string {
    const folder = dirname(path)
    const known = mounts.get(folder) ?? `/disk${mounts.size}`
    if (!mounts.has(folder)) {
      module.FS.mkdir(known)
      module.FS.mount(module.NODEFS, { root: folder }, known)
      mounts.set(folder, known)
    }
    return `${known}/${basename(path)}`
  }

  return {
    mount,
    open(path) {
      if (statSync(path).size > MAX_COPIED) return mount(path)
      const copy = `/copy${copies++}`
      module.FS.writeFile(copy, readFileSync(path))
      return copy
    },
    take: (path) => module.FS.readFile(path),
    run(args) {
      said = ''
      const code = module.callMain([...args])
      // qpdf sets the exit code of this process, so reset it.
      process.exitCode = 0
      return code === 0 || code === 3 ? code : 2
    },
    errors: () => said.split('\n').filter(Boolean),
  }
}
