import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { api } from '../../contract/index.ts'
import { busy } from '../base/errors.ts'
import { readDocuments } from '../testing/jobs.ts'
import { createRoom } from '../testing/room.ts'
import { samplePdf } from '../testing/documents/sample-pdf.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'
import { createUserQueues } from './user-queues.ts'

describe('the queue of a user', () => {
  const reply = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse
  const settled = () => new Promise((done) => setImmediate(done))

  it('one user waits behind their own work, and nobody else does', async () => {
    const queues = createUserQueues({ atOnce: 2, maxWaiting: 10 })
    const begun: string[] = []
    const gates = new EventEmitter()
    const work = (name: string) => () => {
      begun.push(name)
      return once(gates, name)
    }
    const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => queues.run(name[0] ?? '', reply(), work(name)))
    await settled()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    gates.emit('a2')
    await settled()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
    for (const name of ['a1', 'a3', 'b1']) gates.emit(name)
    await settled()
    gates.emit('a4')
    await Promise.all(all)
  })

  it('K37: processes share the limit, also when another one joins and when it leaves', async () => {
    let processes = 1
    const queues = createUserQueues({ atOnce: 6, maxWaiting: 10 }, () => processes)
    const begun: string[] = []
    const gates = new EventEmitter()
    const all = 'abcdefghijk'.split('').map((name) =>
      queues.run('bob', reply(), () => {
        begun.push(name)
        return once(gates, name)
      }),
    )
    await settled()
    expect(begun.join('')).toBe('abcdef')
    processes = 2
    for (const name of 'abc') gates.emit(name)
    await settled()
    expect(begun.join('')).toBe('abcdef')
    gates.emit('d')
    await settled()
    expect(begun.join('')).toBe('abcdefg')
    processes = 1
    gates.emit('e')
    await settled()
    expect(begun.join('')).toBe('abcdefghijk')
    for (const name of 'fghijk') gates.emit(name)
    await Promise.all(all)
  })

  it('a failure ends the turn, too', async () => {
    const queues = createUserQueues({ atOnce: 1, maxWaiting: 1 })
    await expect(queues.run('a', reply(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await queues.run('a', reply(), async () => 'next')).toBe('next')
  })

  it('a request whose client has gone loses its place, and beyond a limit none is kept waiting', async () => {
    const queues = createUserQueues({ atOnce: 1, maxWaiting: 2 })
    const gate = new EventEmitter()
    const first = queues.run('a', reply(), () => once(gate, 'open'))
    const gone = reply()
    const lost = queues.run('a', gone, async () => 'lost')
    const kept = queues.run('a', reply(), async () => 'kept')
    await expect(queues.run('a', reply(), async () => '')).rejects.toMatchObject({ status: 429 })
    gone.emit('close')
    await expect(lost).rejects.toMatchObject({ status: 400 })
    gate.emit('open')
    expect(await kept).toBe('kept')
    await first
    const closed = Object.assign(reply(), { destroyed: true })
    await expect(queues.run('a', closed, async () => '')).rejects.toMatchObject({ status: 400 })
  })
})

describe('a pile of one person', () => {
  let service: TestService
  let world: World
  beforeAll(async () => {
    service = await startTestService()
    world = await createWorld(service)
  })
  afterAll(() => service.close())

  const patience = { timeout: 100_000 }

  it('K26: piles of previews keep no database connection from others', { timeout: 120_000 }, async () => {
    const gate = Promise.withResolvers<void>()
    onTestFinished(() => gate.resolve())
    const preview = vi.spyOn(service.services.marker, 'preview').mockImplementation(async () => {
      await gate.promise
      throw busy()
    })
    const body = { team_id: world.team_id }
    const piles = [world.alice, world.tina].flatMap((person) =>
      Array.from({ length: 20 }, () => person.statusOf(api.watermarks.preview, { body })),
    )
    await vi.waitFor(() => expect(preview.mock.calls.length).toBe(20), patience)
    expect((await world.bob.call(api.users.me, {})).id).toBe(world.bob.id)
    gate.resolve()
    expect(new Set(await Promise.all(piles))).toEqual(new Set([503]))
    preview.mockRestore()
  })

  it('K26: abandoned requests for a page are neither drawn nor kept', { timeout: 120_000 }, async () => {
    const room = await createRoom(world)
    const folder = await room.folder('Finance')
    const { id } = await room.upload(world.alice, folder, 'plan.pdf', new Uint8Array(samplePdf([{}])))
    await room.grant(folder, 'view')
    const { workspace_id, group_id } = room
    const marked = { workspace_id, group: { watermarking: true } }
    await world.alice.call(api.groups.setWatermarking, { params: { id: group_id }, body: marked })
    await readDocuments(service)
    const { viewer_image } = await world.bob.call(api.files.get, { params: { id }, query: { workspace_id } })
    expect(viewer_image).toMatchObject({ status: 'Ready', reason: '' })
    const page = service.url + new URL(viewer_image.expiring_url).pathname
    const gate = Promise.withResolvers<void>()
    onTestFinished(() => gate.resolve())
    const { mark } = service.services.marker
    const marking = vi.spyOn(service.services.marker, 'mark').mockImplementation(async (...asked) => {
      await gate.promise
      return mark(...asked)
    })
    const arrived = vi.spyOn(service.services.contentUrls, 'read')
    const client = new AbortController()
    // Some of its connections never carry a request. The service would wait a minute for them when it stops.
    const dispatcher = new Agent()
    onTestFinished(() => dispatcher.destroy())
    const flood = Array.from({ length: 40 }, () =>
      request(page, { dispatcher, signal: client.signal }).catch(() => 'gone'),
    )
    await vi.waitFor(() => expect(arrived.mock.calls.length).toBe(40), patience)
    await vi.waitFor(() => expect(marking.mock.calls.length).toBe(10), patience)
    client.abort()
    await Promise.all(flood)
    // A later request of the same person is behind the abandoned ones.
    const last = request(page, { dispatcher })
    await vi.waitFor(() => expect(arrived.mock.calls.length).toBe(41), patience)
    gate.resolve()
    const { statusCode, body } = await last
    expect(statusCode).toBe(200)
    await body.dump()
    expect(marking.mock.calls.length).toBe(11)
    marking.mockRestore()
    arrived.mockRestore()
  })
})
