import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { paths } from '../../paths.ts'

type Activity = Reply<typeof api.activities.list>['events'][number]

/** Returns the address of an activity's subject; undefined if the subject has no page or was deleted. */
export function placeOf({ workspace_id, verb, subject_type, subject_id: id }: Activity): string | undefined {
  if (id === null || verb === 'deleted') return undefined
  switch (subject_type) {
    case 'Asset':
      return paths.view(workspace_id, id)
    case 'Folder':
      return paths.files(workspace_id, id)
    case 'Group':
      return paths.group(workspace_id, id)
    default:
      return undefined
  }
}
