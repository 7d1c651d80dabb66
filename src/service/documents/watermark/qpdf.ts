import { readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import createModule from '@neslinesli93/qpdf-wasm'

/** Exit codes of qpdf: 3 is output with warnings, 2 is none. */
export type ExitCode = 0 | 2 | 3

export interface Qpdf {
  run(args: readonly string[]): ExitCode
  /** Of the last run, one line each. */
  errors(): string[]
  /** What qpdf calls a file of the disk. Its folder is the only one that it sees by that name. */
  mount(path: string): string
  /** The same for a file that is only read. A small one is copied into qpdf's memory: it reads a kilobyte at a time. */
  open(path: string): string
}

/** What the emscripten module has and its package does not declare. */
interface Module {
  callMain(args: string[]): number
  FS: {
    mkdir(path: string): void
    mount(type: unknown, options: { root: string }, path: string): void
    writeFile(path: string, content: Uint8Array): void
  }
  NODEFS: unknown
}

const MAX_COPIED = 32 * 1024 * 1024

type Create = (options: Record<string, unknown>) => Promise<Module>

/** qpdf as WebAssembly. A fresh one for each document: what goes wrong in one stays there. */
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
    run(args) {
      said = ''
      const code = module.callMain([...args])
      // It sets the exit code of this process, which goes on.
      process.exitCode = 0
      return code === 0 || code === 3 ? code : 2
    },
    errors: () => said.split('\n').filter(Boolean),
  }
}
