import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'

interface SubjectFilterProps {
  workspaceId: number
  /** A subject type of the API: "Asset", "Folder" or "Group". */
  type: string
  id: number
  onClear: () => void
}

/** Names the one file, folder or group whose activities are shown. */
export function SubjectFilter({ workspaceId, type, id, onClear }: SubjectFilterProps) {
  const query = { workspace_id: workspaceId }
  const isOf = (each: string) => ({ enabled: type === each && id > 0 })
  const file = useReading({ ...read(api.files.get, { params: { id }, query }), ...isOf('Asset') })
  const folder = useReading({
    ...read(api.folders.get, { params: { id }, query: { ...query, page: 1, per_page: 25 } }),
    ...isOf('Folder'),
  })
  const group = useReading({ ...read(api.groups.get, { params: { id }, query }), ...isOf('Group') })
  const name = file.data?.title ?? folder.data?.folder.name ?? group.data?.name
  const isGone = file.isError || folder.isError || group.isError
  return <Chip label={name ?? (isGone ? t`Something that was deleted` : t`One of them`)} onDelete={onClear} />
}
