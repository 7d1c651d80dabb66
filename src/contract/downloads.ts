import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id } from './fields.ts'

export const expiringUrl = z.object({ expiring_url: z.string(), file_name: z.string() })

export const downloads = {
  getFile: endpoint({
    method: 'GET',
    path: '/downloads/file/{file_id}',
    summary: 'An expiring URL of one file, without DRM',
    scope: 'downloads:write',
    params: { file_id: id() },
    query: { workspace_id: id() },
    success: 200,
    reply: expiringUrl,
  }),
}
