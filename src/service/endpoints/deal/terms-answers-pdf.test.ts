import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { openRenderer, type Renderer } from '../../documents/render.ts'
import { acceptTerms, issuePdfTerms, issueTerms } from '../../testing/deal/terms.ts'
import { samplePdf } from '../../testing/documents/sample-pdf.ts'
import { createRoom } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let renderer: Renderer
let folder: string
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  renderer = openRenderer({ size: 1 })
  folder = await mkdtemp(join(tmpdir(), 'answers-'))
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true })
  await service.close()
})

async function printed(id: number, language: 'en' | 'de'): Promise<string> {
  const query = { language, time_zone: 'Europe/Berlin' }
  const pieces = await world.alice.call(api.terms.printAnswers, { params: { id }, query })
  const path = join(folder, `${id} ${language}.pdf`)
  await writeFile(path, Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))))
  const texts = await renderer.text({ path, type: 'application/pdf' }, 1)
  return texts.join(' ').replaceAll(/[\s\u00a0]+/g, ' ')
}

it('names the PDF that was accepted, and the hash of its bytes', async () => {
  const { workspace_id: id } = await createRoom(world)
  const pdf = samplePdf([{}])
  await acceptTerms(world.bob, id, await issuePdfTerms(world.alice, id, pdf, { file_name: 'NDA.pdf' }))
  const text = (await printed(id, 'en')).replaceAll(' ', '')
  expect(text).toContain('NDA.pdf')
  expect(text).toContain(createHash('sha256').update(pdf).digest('hex').slice(0, 12))
})

it('prints who answered which version, when and from where, in the language of the reader', async () => {
  const { workspace_id: id } = await createRoom(world)
  const terms_id = await issueTerms(world.alice, id, { title: 'Geheimhaltung', asks_name: true })
  const print = (language: 'en' | 'de') => printed(id, language)
  expect(await print('en')).toMatch(/Answers to the terms of Room .*Bob Tester .*Awaited/)
  await acceptTerms(world.bob, id, terms_id, 'Bob <b>Tester</b>')
  const german = await print('de')
  expect(german).toMatch(/Antworten auf die Bedingungen von Room .*Unternehmen/)
  expect(german).toContain('Angenommen')
  expect(german).not.toContain('Ausstehend')
  expect(german.replaceAll(' ', '')).toContain('<b>Tester</b>')
})
