import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { onOurOrigin } from '../on-our-origin.ts'

/** Lets the browser download the content of an expiring URL. */
export function save({ expiring_url, file_name }: Reply<typeof api.downloads.getFile>) {
  const link = document.createElement('a')
  link.href = onOurOrigin(expiring_url)
  link.download = file_name
  document.body.append(link)
  link.click()
  link.remove()
}
