import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../contract/index.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

const { watermarks } = api
const create = (look: object = {}) =>
  world.alice.call(watermarks.create, { body: { team_id: world.team_id, custom_text: 'Confidential', ...look } })
const refusalOf = async (look: object) => (await world.alice.refused(watermarks.create, refusedCall(look))).code
const refusedCall = (look: object) => ({ body: { team_id: world.team_id, custom_text: 'x', ...look } })

describe('a new watermark', () => {
  it('has the default settings', async () => {
    const { id, watermark_id, created_at, updated_at, ...look } = await create()
    expect(watermark_id).toBe(id)
    expect(updated_at).toBe(created_at)
    expect(look).toEqual({
      team_id: world.team_id,
      custom_text: 'Confidential',
      color: '#333333',
      opacity: 0.5,
      font_size: 18,
      rotation: 0,
      hposition: 'center',
      vposition: 'center',
      display_user_name: true,
      display_user_email: true,
      display_ip_address: true,
      display_time: true,
      display_workspace_name: false,
    })
  })

  it('may be sent as a form', async () => {
    const response = await world.alice.fetch('/api/v1/watermark', {
      method: 'POST',
      body: `team_id=${world.team_id}&custom_text=Top+secret&opacity=0.25&rotation=-45&display_time=0`,
    })
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({
      custom_text: 'Top secret',
      opacity: 0.25,
      rotation: -45,
      display_time: false,
    })
  })

  it.each([
    { color: 'red' },
    { opacity: 1.01 },
    { opacity: -0.1 },
    { font_size: 5 },
    { font_size: 145 },
    { rotation: 91 },
    { rotation: 0.5 },
    { hposition: 'top' },
    { vposition: 'left' },
    { custom_text: 'x'.repeat(501) },
    { custom_text: 'a\u202eb' },
  ])('is refused with %o', async (look) => expect(await refusalOf(look)).toBe(422))

  it.each([{ opacity: 'half' }, { opacity: '1e-1' }, { font_size: 12.5 }, { custom_text: null }])(
    'is malformed with %o',
    async (look) => expect(await refusalOf(look)).toBe(400),
  )
})

describe('a watermark', () => {
  it('keeps its team, and fields that an update omits', async () => {
    const { updated_at: _, ...before } = await create({ color: '#FF0000', vposition: 'top' })
    const params = { id: before.id }
    const body = { display_time: false, opacity: 1, team_id: 999_999 }
    const { updated_at: __, ...after } = await world.alice.call(watermarks.update, { params, body })
    expect(after).toEqual({ ...before, display_time: false, opacity: 1 })
    expect(await world.tina.call(watermarks.get, { params })).toMatchObject(after)
  })

  it('is gone after it is deleted', async () => {
    const params = { id: (await create()).id }
    expect(await world.alice.call(watermarks.remove, { params })).toMatchObject({ status: 200 })
    expect(await world.alice.statusOf(watermarks.get, { params })).toBe(404)
    expect(await world.alice.statusOf(watermarks.remove, { params })).toBe(404)
  })

  it('is listed among the settings of its team', async () => {
    const first = await create({ custom_text: 'One' })
    const second = await create({ custom_text: 'Two' })
    const list = await world.tina.call(api.teams.listWatermarkSettings, { params: { id: world.team_id } })
    expect(list.slice(-2)).toEqual([first, second])
  })

  it('B10: of another team cannot be found by its id', async () => {
    const { id: team_id } = await world.olivia.call(api.teams.create, { body: { team: { name: 'Elsewhere' } } })
    const { id } = await world.olivia.call(watermarks.create, { body: { team_id, custom_text: '' } })
    const absent = await world.alice.refused(watermarks.get, { params: { id: 999_999 } })
    const hidden = await world.alice.refused(watermarks.get, { params: { id } })
    expect({ ...hidden, request_id: '' }).toEqual({ ...absent, request_id: '' })
    expect(await world.alice.statusOf(watermarks.update, { params: { id }, body: { opacity: 0 } })).toBe(404)
    expect(await world.alice.statusOf(watermarks.remove, { params: { id } })).toBe(404)
    expect((await world.olivia.call(watermarks.get, { params: { id } })).opacity).toBe(0.5)
  })
})
