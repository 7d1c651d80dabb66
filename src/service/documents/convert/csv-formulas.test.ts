import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvCell } from '../../../contract/csv-cell.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { MANIFEST_HEAD, manifestLine } from '../zip/manifest.ts'

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'csv-'))
})
afterAll(() => rm(folder, { recursive: true }))

const isInstalled = await ensureInstalled('office')

/** Names that become 41 if a spreadsheet calculates them. */
const FORMULAS = [
  '=40+1',
  '+40+1',
  '@SUM(40;1)',
  '-1+42',
  'x;=40+1',
  'x;=40+1;y',
  'x\t=40+1',
  '\n=40+1',
  ' =40+1',
  '"=40+1"',
]

const SEPARATORS = { comma: 44, semicolon: 59, tab: 9 }

/** Returns the cells that LibreOffice calculates when told to evaluate formulas. `separator` is a code point. */
async function calculate(csv: string, separator: number): Promise<string[]> {
  await writeFile(join(folder, 'names.csv'), csv)
  // Separator, quotation mark, UTF-8, first line 1; the thirteenth token makes LibreOffice evaluate formulas.
  const read = `Text - txt - csv (StarCalc):${separator},34,76,1,,0,false,true,false,false,false,0,true`
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const written = [
    '--convert-to',
    'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false',
    '--outdir',
    join(folder, 'out'),
  ]
  await run('/usr/bin/soffice', [profile, '--headless', `--infilter=${read}`, ...written, join(folder, 'names.csv')])
  return (await readFile(join(folder, 'out/names.csv'), 'utf8')).split(/[,\n]/).filter((cell) => /^[45]1$/.test(cell))
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
const asExport = (cells: string[]) => cells.map((cell) => `1,${quoted(cell)},yes\r\n`).join('')
const asManifest = (names: string[]) =>
  MANIFEST_HEAD +
  names
    .map((entry_name) =>
      manifestLine({ entry_name, file_id: 1, size: 3, sha256: 'ab', left_out: null } as Parameters<
        typeof manifestLine
      >[0]),
    )
    .join('')

test.skipIf(!isInstalled).each(Object.entries(SEPARATORS))(
  'I5: LibreOffice calculates nothing in exports and manifests opened with a %s',
  async (_, separator) => {
    // The last line proves that LibreOffice does calculate.
    const csv = `${asManifest(FORMULAS)}${asExport(FORMULAS.map(csvCell))}=50+1\r\n`
    expect(await calculate(csv, separator)).toEqual(['51'])
  },
)
