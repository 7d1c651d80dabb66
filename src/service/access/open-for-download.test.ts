import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { recallActor } from '../auth/recall-actor.ts'
import type { Db } from '../db/pool.ts'
import { bytesOf, type UnmarkedImage } from '../documents/pages/page-images.ts'
import { findVersion } from '../store/files/file-versions.ts'
import { findStampedFile } from '../store/downloads/stamped-files.ts'
import { createRoom } from '../testing/room.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createWorld, type World } from '../testing/world.ts'
import { enterWorkspace } from './enter/workspace.ts'
import { openForDownload, openForPlainDownload } from './open-for-download.ts'
import type { DownloadableFile, MarkedFile, PlainFile, ReadableFile, UnmarkedPages } from './scopes.ts'

declare const db: Db
declare const readable: ReadableFile
declare const downloadable: DownloadableFile
declare const marked: MarkedFile
declare const plain: PlainFile
declare const pages: UnmarkedPages
declare const image: UnmarkedImage

// Nothing here runs. `npm run check` compiles this file, where a missing expected error is an error.
void [
  () => findVersion(db, plain, 1),
  // @ts-expect-error the right to view a file does not give its bytes
  () => findVersion(db, readable, 1),
  // @ts-expect-error the right to download says nothing about DRM and watermark
  () => findVersion(db, downloadable, 1),
  // @ts-expect-error the original of a watermarked file stays here
  () => findVersion(db, marked, 1),
  // @ts-expect-error only access/open-for-download.ts decides that a file is plain
  (file: DownloadableFile): PlainFile => file,
  (): Buffer => bytesOf(image, pages),
  // @ts-expect-error a page image has no bytes without the permission to see it unmarked
  (): Buffer => image,
  // @ts-expect-error the right to view a file says nothing about its watermark
  (): Buffer => bytesOf(image, readable),
  () => findStampedFile(db, marked, 1),
  // @ts-expect-error a stamped copy has a way of delivery, which the rule decides
  () => findStampedFile(db, plain, 1),
]

let service: TestService
let world: World
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
})
afterAll(() => service.close())

test('K5: a file is opened as plain or as marked by the protection of its groups, and under DRM in neither way', async () => {
  const { workspace_id, group_id, ...room } = await createRoom(world)
  const folder = await room.folder('Finance')
  await room.grant(folder, 'download')
  const { id } = await room.upload(world.alice, folder, 'plan.txt')
  const { services } = service
  const opened = async (open: typeof openForDownload | typeof openForPlainDownload) => {
    const known = { id: world.bob.id, organization_id: 1, personal_key_id: null }
    const actor = await recallActor(services.db, known, { ip: '', now: new Date() })
    return open(services.db, await enterWorkspace(services.db, actor!, workspace_id), id)
  }
  const params = { id: group_id }

  expect(await opened(openForDownload)).toMatchObject({ as: 'plain', file: { id } })
  const watermark = { watermarking: true, pdf_delivery: 'pictures' as const }
  await world.alice.call(api.groups.setWatermarking, { params, body: { workspace_id, group: watermark } })
  expect(await opened(openForDownload)).toMatchObject({ as: 'marked', file: { id, pdf_delivery: 'pictures' } })
  await expect(opened(openForPlainDownload)).rejects.toMatchObject({ status: 403 })
  await world.alice.call(api.groups.setDrm, { params, body: { workspace_id, group: { drm_enabled: true } } })
  await expect(opened(openForDownload)).rejects.toMatchObject({ status: 403 })
})
