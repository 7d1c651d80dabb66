import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '../contract/index.ts'
import { endlessPdf } from './testing/documents/endless-pdf.ts'
import { createRoom, type Room } from './testing/room.ts'
import { samplePdf } from './testing/documents/sample-pdf.ts'
import { type ServiceProcess, spawnProcess } from './testing/spawn-process.ts'
import { startTestService, type TestService } from './testing/start-service.ts'
import { addMember, createWorld, type Person, type World } from './testing/world.ts'

let service: TestService
let world: World
let room: Room
let folder: number
const workers: ServiceProcess[] = []
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  folder = await room.folder('Finance')
})
afterAll(async () => {
  for (const { child, end } of workers) if (child.exitCode === null && child.signalCode === null) await end('SIGKILL')
  await service.close()
})

async function startWorker(): Promise<ServiceProcess> {
  const worker = spawnProcess('worker', service.config)
  workers.push(worker)
  await worker.line(/^worker: ready/)
  return worker
}

const WAIT = { timeout: 60_000, interval: 100 }
const bytes = (content: Buffer) => new Uint8Array(content)

async function statusOf(id: number): Promise<string> {
  const query = { workspace_id: room.workspace_id }
  return (await world.alice.call(api.files.get, { params: { id }, query })).viewer_image.status
}

/** Child processes of a process. */
async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((each) => readFile(`/proc/${each}/stat`, 'utf8').catch(() => '')))
  return stats.filter((stat) => stat.slice(stat.lastIndexOf(')')).split(' ')[2] === String(pid)).map(Number.parseFloat)
}

const isLinux = process.platform === 'linux'

test.runIf(isLinux)(
  'F3: a document that never ends holds up no other document, and ends with its worker',
  { timeout: 120_000 },
  async () => {
    const worker = await startWorker()
    const endless = await room.upload(world.alice, folder, 'endless.pdf', bytes(endlessPdf()))
    await vi.waitFor(async () => expect(await statusOf(endless.id)).toBe('Processing'), WAIT)
    const fine = await room.upload(world.alice, folder, 'fine.pdf', bytes(samplePdf([{}])))
    await vi.waitFor(async () => expect(await statusOf(fine.id)).toBe('Ready'), WAIT)
    expect(await statusOf(endless.id)).toBe('Processing')
    // A document is Ready a moment before its job ends.
    const job = service.services.db.selectFrom('jobs').select(['attempts']).where('kind', '=', 'ingest')
    await vi.waitFor(async () => expect(await job.execute()).toEqual([{ attempts: 1 }]), WAIT)

    const children = await childrenOf(worker.child.pid ?? 0)
    expect(children.length).toBeGreaterThan(0)
    await worker.end('SIGKILL')
    const left = async () => (await readdir('/proc')).filter((name) => children.includes(Number(name)))
    await vi.waitFor(async () => expect(await left()).toEqual([]), WAIT)

    // The next worker takes the job when its lease has expired.
    expect(await job.execute()).toEqual([{ attempts: 1 }])
    await sql`update jobs set leased_until = now() where kind = 'ingest'`.execute(service.services.db)
    await startWorker()
    await vi.waitFor(async () => expect(await job.execute()).toEqual([{ attempts: 2 }]), WAIT)
  },
)

test.runIf(isLinux)(
  'K6: a document becomes ready despite a hundred hostile ones of others, in its workspace and in another',
  { timeout: 300_000 },
  async () => {
    for (const { child, end } of workers) if (child.exitCode === null && child.signalCode === null) await end('SIGKILL')
    const { db } = service.services
    await sql`delete from jobs where kind = 'ingest'`.execute(db)
    const elsewhere = await createRoom(world)
    await room.grant(folder, 'upload')
    await addMember(world.alice, room.workspace_id, room.group_id, world.wendy)
    const piles: [Room, Person, number][] = [
      [room, world.bob, folder],
      [elsewhere, world.alice, await elsewhere.folder('Finance')],
    ]
    for (const [at, [where, who, into]] of piles.entries()) {
      for (let number = 0; number < 100; number++) {
        const content = Buffer.concat([endlessPdf(), Buffer.from(`%${at} ${number}`)])
        await where.upload(who, into, `endless ${number}.pdf`, bytes(content))
      }
    }
    const begun = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from jobs where kind = 'ingest' and attempts > 0`.execute(db)
      return rows[0]?.count ?? 0
    }
    await startWorker()
    // All lanes are taken.
    await vi.waitFor(async () => expect(await begun()).toBeGreaterThanOrEqual(3), WAIT)
    const before = await begun()
    const honest = await room.upload(world.wendy, folder, 'honest.pdf', bytes(samplePdf([{}])))
    await vi.waitFor(async () => expect(await statusOf(honest.id)).toBe('Ready'), { ...WAIT, timeout: 200_000 })
    // The jobs of the other lanes continue meanwhile, each with some seconds of processor time.
    expect((await begun()) - before).toBeLessThan(20)
  },
)
