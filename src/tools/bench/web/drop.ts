import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { drop } from '../../../../e2e/people.ts'
import { paths } from '../../../dashboard/paths.ts'
import { heapOf } from './frames.ts'
import type { WebFigure } from './report.ts'
import { makeWorkspace } from './room.ts'
import { ADMIN, type Stand } from './stand.ts'

const FOLDERS = 10
const PER_FOLDER = Math.ceil(Number(process.env['BENCH_DROP_FILES'] ?? 10_000) / FOLDERS)
const WITHIN = 20 * 60_000

/** Drops ten thousand files in ten folders at once, then compares the database with the disk. */
export async function measureDrop(stand: Stand): Promise<WebFigure[]> {
  const workspace = await makeWorkspace(stand, 'Drop')
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-bench-drop-'))
  try {
    const sent = await makeFiles(folder)
    const page = await stand.open(ADMIN)
    await page.goto(paths.files(workspace))
    await page.getByRole('button', { name: 'New folder' }).first().waitFor()
    const begun = performance.now()
    await drop(page, [join(folder, 'Dropped')])
    await page
      .getByRole('heading', { name: new RegExp(`${sent.size.toLocaleString('en')} files uploaded|not uploaded`) })
      .waitFor({ timeout: WITHIN })
    const seconds = (performance.now() - begun) / 1000
    const longest = await page.evaluate(() => Math.max(0, ...window.notes.longTasks))
    const heap = await heapOf(page)
    await page.context().close()
    const { lost, duplicate, outOfOrder } = await compare(stand, workspace, sent)
    const work = `drop of ${sent.size.toLocaleString('en')} files`
    return [
      { work: `${work}: lost`, unit: 'count', ours: lost, goal: { atMost: 0 } },
      { work: `${work}: duplicate`, unit: 'count', ours: duplicate, goal: { atMost: 0 } },
      { work: `${work}: out of order`, unit: 'count', ours: outOfOrder, goal: { atMost: 0 } },
      { work: `${work}: until all have arrived`, unit: 's', ours: seconds },
      { work: `${work}: longest task`, unit: 'ms', ours: longest },
      { work: `${work}: memory of the page`, unit: 'MiB', ours: heap },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns the hash of each file, keyed by its path */
async function makeFiles(folder: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for (let at = 0; at < FOLDERS; at++) {
    const name = `Folder ${at}`
    await mkdir(join(folder, 'Dropped', name), { recursive: true })
    for (let number = 0; number < PER_FOLDER; number++) {
      const path = `Dropped/${name}/file ${String(number).padStart(4, '0')}.txt`
      const content = `What is in ${path}.\n`.repeat(1 + (number % 7))
      await writeFile(join(folder, path), content)
      hashes.set(path, createHash('sha256').update(content).digest('hex'))
    }
  }
  return hashes
}

async function compare({ db }: Stand, workspaceId: number, sent: Map<string, string>) {
  const { rows } = await sql<{ path: string; sha256: string; version: number; index: number }>`
    select top.name || '/' || folder.name || '/' || file.file_name as path, encode(file.sha256, 'hex') as sha256,
      file.version, file.index
    from files file
      join folders folder on (folder.workspace_id, folder.id) = (file.workspace_id, file.folder_id)
      join folders top on (top.workspace_id, top.id) = (folder.workspace_id, folder.parent_id)
    where file.workspace_id = ${workspaceId} and file.deleted_at is null`.execute(db)
  const stored = new Map(rows.map((row) => [row.path, row]))
  const lost = [...sent].filter(([path, hash]) => stored.get(path)?.sha256 !== hash).length
  const again = rows.filter(({ version }) => version > 1).length
  const numberOf = (path: string) => Number(/(\d+)\.txt$/.exec(path)?.[1])
  const outOfOrder = rows.filter(({ path, index }) => index !== numberOf(path) + 1).length
  return {
    lost,
    duplicate: rows.length - stored.size + again + rows.filter(({ path }) => !sent.has(path)).length,
    outOfOrder,
  }
}
