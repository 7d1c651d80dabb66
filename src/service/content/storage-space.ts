import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { contentPlace } from '../base/blob-place.ts'
import type { Config } from '../base/config.ts'
import { viewFolder } from '../blobs/view-storage.ts'

export async function storageSpace(config: Config): Promise<Reply<Api['system']['get']>['storage']> {
  const place = contentPlace(config)
  if (!('folder' in place)) return { kind: 'bucket', free: null, total: null }
  const space = await viewFolder(place.folder)
    .space()
    .catch(() => undefined)
  return { kind: 'folder', free: space?.free ?? null, total: space?.total ?? null }
}
