/** The parts of the emscripten module that are used here. Numbers are addresses in its memory. */
export interface OfficeModule {
  FS: {
    mkdirTree(path: string): void
    writeFile(path: string, content: Uint8Array): void
    readFile(path: string): Uint8Array
  }
  wasmMemory: Memory
  _malloc(bytes: number): number
  _free(address: number): void
  _libreofficekit_hook(installation: number): number
  _lok_documentLoadWithOptions(office: number, url: number, options: number): number
  _lok_documentSaveAs(document: number, url: number, format: number, options: number): number
}

interface Memory {
  readonly buffer: ArrayBufferLike
}

interface Wasm {
  Memory: new (size: { initial: number; maximum: number; shared: boolean }) => Memory
  instantiate(program: Uint8Array, imports: unknown): Promise<{ instance: unknown; module: unknown }>
}

/** The types of Node do not declare it. */
export const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Wasm }
