import type { Api } from '../../contract/index.ts'
import { enterWorkspace } from '../access/enter.ts'
import { openForPlainDownload } from '../access/plain-download.ts'
import type { Handlers } from '../http/context.ts'
import { record } from '../store/activities.ts'
import { getFile } from '../store/files.ts'

/** Life of an expiring URL (decisions, section 7). */
const URL_SECONDS = 15 * 60

export const downloads: Handlers<Api['downloads']> = {
  getFile: async ({ db, actor, services }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const file = await openForPlainDownload(db, workspace, params.file_id)
    const { title, version } = await getFile(db, file)

    const message = `downloaded the file: ${title}`
    await record(db, workspace, { verb: 'downloaded', message, subject_type: 'Asset', subject_id: file.id })

    const { organization_id, id: workspace_id } = workspace
    const expires = Math.floor(actor.now.getTime() / 1000) + URL_SECONDS
    const claim = {
      action: 'download',
      organization_id,
      workspace_id,
      user_id: actor.id,
      file_id: file.id,
      version,
      expires,
    } as const
    return { expiring_url: services.contentUrls.make(claim), file_name: title }
  },
}
