import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type * as z from 'zod/mini'
import type { auditLine } from '../../../contract/endpoints/audit.ts'
import { api } from '../../../contract/index.ts'
import { readBlobUrl } from '../../../service/base/blob-place.ts'
import type { Finding } from '../../../service/doctor/finding.ts'
import { addDealRecords, type DealRecords, readDealRecords } from '../../../service/testing/deal/deal-records.ts'
import { createRoom, type Room } from '../../../service/testing/room.ts'
import { spawnProcess } from '../../../service/testing/spawn-process.ts'
import type { TestService } from '../../../service/testing/start-service.ts'
import { addMember, createWorld, type Person, personOf } from '../../../service/testing/world.ts'
import { startInstallation } from './installation.ts'
import { runCommand } from './run-command.ts'
import { Writer } from './writer.ts'

interface Drill {
  /** An empty folder for everything of the drill. */
  folder: string
  masterKey: string
  /** `BLOB_URL` of the installation and of a copy; undefined means in the data folder. */
  content?: { here: string; there(copy: string): string }
  /** Where the backups go, and where one of them is, as the commands name it. */
  backups: { place: string; of(name: string): string }
  /** Credentials of a bucket. */
  env?: NodeJS.ProcessEnv
}

/** A room that writers change, and one that stays as it is. */
interface Scene {
  alice: Person
  room: Room
  writers: Writer[]
  deal: DealRecords
  quiet: unknown
}

interface Made {
  /** The folder of the backup. */
  name: string
  /** An export of the trail from just before the backup. */
  earlier: string
  /** Acts of each writer that were acknowledged before the backup began, and that had begun when it had ended. */
  done: number[]
  begun: number[]
}

/** Acts of each writer before, between and after the backups: each kind at least once. */
const ACTS = 9

/**
 * Backs up twice by `npm run backup` while people work before, during and after, restores each backup elsewhere by
 * `npm run restore`, and compares the copies with what those people were told. @returns the number of copies that were compared
 */
export async function drill({ folder, masterKey, content, backups, env = {} }: Drill): Promise<number> {
  const running: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const each of running.splice(0).toReversed()) await each()
  }
  const start = (dataDir: string, url: string | undefined) =>
    startInstallation({ dataDir, masterKey, blobPlace: url === undefined ? undefined : readBlobUrl(url) }, running)
  const variables = (dataDir: string, url: string | undefined) => ({
    ...env,
    DATA_DIR: dataDir,
    MASTER_KEY: masterKey,
    ...(url !== undefined && { BLOB_URL: url }),
  })
  try {
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o700 })
    const service = await start(data, content?.here)
    const scene = await prepare(service)
    const worker = spawnProcess('worker', service.config)
    running.push(() => worker.end('SIGTERM'))
    await worker.line(/^worker: ready/)
    const made = await underLoad(scene.writers, running, async (untilEachDid) => {
      const all: Made[] = []
      for (const earlier of ['first.jsonl', 'second.jsonl'].map((name) => join(folder, name))) {
        await untilEachDid(ACTS)
        await writeFile(earlier, await exportTrail(scene))
        const done = scene.writers.map((writer) => writer.done)
        const { code, output, errors } = await runCommand('backup', [backups.place], variables(data, content?.here))
        expect([code, errors]).toEqual([0, ''])
        const begun = scene.writers.map(({ parts }) => parts.length - 1)
        expect(Math.min(...begun.map((count, at) => count - (done[at] ?? 0)))).toBeGreaterThan(1)
        all.push({ name: /[\d-]{10}T[\d-]{8}Z/.exec(output)?.[0] ?? '', earlier, done, begun })
      }
      await untilEachDid(ACTS)
      return all
    })
    const trail = await exportTrail(scene)
    await writeFile(join(folder, 'trail.jsonl'), trail)
    await stop()

    for (const backup of made) {
      const elsewhere = join(folder, `copy-${backup.name}`)
      const url = content?.there(backup.name)
      const restored = await runCommand('restore', [backups.of(backup.name)], variables(elsewhere, url))
      expect([restored.code, restored.errors]).toEqual([0, ''])
      const { output } = await runCommand('doctor', ['--json'], variables(elsewhere, url))
      const findings = JSON.parse(output) as Finding[]
      expect(findings.filter(({ state }) => state === 'error')).toEqual([])
      await compare(await start(elsewhere, url), scene, { ...backup, trail, folder })
      await stop()
    }
    return made.length
  } finally {
    await stop()
  }
}

async function prepare(service: TestService): Promise<Scene> {
  const world = await createWorld(service)
  const { alice, bob } = world
  const [room, quiet] = [await createRoom(world), await createRoom(world)]
  const { workspace_id } = room
  const groups = await alice.call(api.groups.list, { query: { workspace_id } })
  const admins = groups.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
  const writers: Writer[] = []
  for (const person of [world.wendy, world.tina, world.mallory]) {
    await addMember(alice, workspace_id, admins, person)
    writers.push(await Writer.begin(alice, person, bob, workspace_id))
  }
  const open = await quiet.folder('Open')
  await quiet.grant(open, 'download')
  await quiet.revoke(await quiet.folder('Closed', open), 'view')
  const deal = await addDealRecords(world, quiet)
  return { alice, room, writers, deal, quiet: await readQuiet(service, alice, deal) }
}

/** Rights, members, terms, staged rights and questions of the room that nobody changes. */
async function readQuiet(service: TestService, alice: Person, deal: DealRecords) {
  const query = { workspace_id: deal.workspace_id }
  return {
    deal: await readDealRecords(service, alice, deal),
    matrix: await alice.call(api.permissions.matrix, { query }),
    members: await alice.call(api.workspaces.listMembers, { params: { id: deal.workspace_id } }),
  }
}

type UntilEachDid = (acts: number) => Promise<void>

async function underLoad<Result>(
  writers: readonly Writer[],
  running: (() => Promise<unknown>)[],
  use: (untilEachDid: UntilEachDid) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const work = Promise.all(writers.map((writer) => writer.write(ending.signal)))
  const end = async () => {
    ending.abort()
    await work
  }
  running.push(() => end().catch(() => {}))
  const result = await use(async (acts) => {
    const goals = writers.map(({ done }) => done + acts)
    while (writers.some(({ done }, at) => done < (goals[at] ?? 0))) await Promise.race([work, sleep(20)])
  })
  await end()
  return result
}

async function exportTrail({ alice, room }: Pick<Scene, 'alice' | 'room'>): Promise<string> {
  return (await alice.fetch(`/api/v1/workspaces/${room.workspace_id}/audit`)).text()
}

async function compare(
  copy: TestService,
  scene: Scene,
  { name, earlier, done, begun, trail, folder }: Made & { trail: string; folder: string },
): Promise<void> {
  const alice = personOf(copy, scene.alice)
  const head = await headOf(copy, scene.room)
  const restored = await exportTrail({ alice, room: scene.room })
  const file = join(folder, `${name}.jsonl`)
  await writeFile(file, restored)
  // The copy continues the trail from before the backup, and the source has continued the trail of the copy.
  const verified = [
    await runCommand('audit:verify', [file, earlier]),
    await runCommand('audit:verify', [join(folder, 'trail.jsonl'), earlier, '--head', head]),
  ]
  expect(verified.map(({ code, errors }) => [code, errors])).toEqual([
    [0, ''],
    [0, ''],
  ])
  for (const [at, writer] of scene.writers.entries()) {
    const [ours, theirs] = [entriesOf(restored, writer), entriesOf(trail, writer)]
    expect(theirs).toHaveLength(writer.entries.at(-1) ?? 0)
    expect(ours).toEqual(theirs.slice(0, ours.length))
    // The trail tells how many acts the copy has; the last one may be a chunked upload that had only begun.
    const acts = writer.entries.findLastIndex((count) => count <= ours.length)
    expect(acts).toBeGreaterThanOrEqual(done[at] ?? Infinity)
    expect(acts).toBeLessThanOrEqual(begun[at] ?? 0)
    expect(await writer.read(copy.url, alice)).toEqual(writer.parts[acts])
  }
  expect(await readQuiet(copy, alice, scene.deal)).toEqual(scene.quiet)
}

/** The newest head of the trail that the copy has before anything is added there, as `audit:verify` takes it. */
async function headOf({ services }: TestService, { workspace_id }: Room): Promise<string> {
  const { seq, hash } = await services.db
    .selectFrom('audit_checkpoints')
    .select(['seq', 'hash'])
    .where('workspace_id', '=', workspace_id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return `${seq}:${hash}`
}

function entriesOf(trail: string, { person }: Writer) {
  const lines = trail.trimEnd().split('\n')
  return lines
    .map((line) => JSON.parse(line) as z.output<typeof auditLine>)
    .flatMap((line) => (line.type === 'record' && line.entry.user_id === person.id ? [line.entry] : []))
}
