import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = '@matbee/libreoffice-converter/package.json'

/** Returns the folder of LibreOffice as WebAssembly; undefined if the optional package is not installed. */
export function engineFolder(): string | undefined {
  try {
    const folder = join(dirname(fileURLToPath(import.meta.resolve(PACKAGE))), 'wasm')
    return existsSync(join(folder, 'soffice.wasm')) ? realpathSync(folder) : undefined
  } catch {
    return undefined
  }
}

/** For scripts of which LibreOffice brings no font. */
const FONTS = ['sc/NotoSansHans-Regular.otf', 'jp/NotoSansJP-Regular.otf', 'kr/NotoSansKR-Regular.otf']

export const fontFiles = (): string[] =>
  FONTS.map((file) => {
    const [script = '', name = ''] = file.split('/')
    const main = fileURLToPath(import.meta.resolve(`@embedpdf/fonts-${script}`))
    return realpathSync(join(dirname(main), '..', 'fonts', name))
  })
