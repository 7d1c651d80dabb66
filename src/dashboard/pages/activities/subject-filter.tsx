import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { nameOfFile, nameOfFolder } from '../../shared/listing/entries.ts'

interface SubjectFilterProps {
  workspaceId: number
  admin: boolean
  /** A subject type of the API: "Asset", "Folder" or "Group". */
  type: string
  id: number
  onClear: () => void
}

/** Names the one file, folder or group whose activities are shown. */
export function SubjectFilter({ workspaceId, admin, type, id, onClear }: SubjectFilterProps) {
  const query = { workspace_id: workspaceId }
  const isOf = (each: string) => ({ enabled: type === each && id > 0 })
  const file = useReading({ ...read(api.files.get, { params: { id }, query }), ...isOf('Asset') })
  const folder = useReading({
    ...read(api.folders.get, { params: { id }, query: { ...query, page: 1, per_page: 25 } }),
    ...isOf('Folder'),
  })
  const group = useReading({ ...read(api.groups.get, { params: { id }, query }), ...isOf('Group') })
  const name =
    (file.data && nameOfFile(file.data)) ?? (folder.data && nameOfFolder(folder.data.folder)) ?? group.data?.name
  const isGone = file.isError || folder.isError || group.isError
  return (
    <>
      <Chip label={name ?? (isGone ? t`Something that was deleted` : t`One of them`)} onDelete={onClear} />
      {folder.data && <Reach>{t`What happened with the folder and everything below it.`}</Reach>}
      {group.data && admin && (
        <Reach>{t`What happened with the group and its access, and everything its present members did.`}</Reach>
      )}
    </>
  )
}

/** Tells in a row of its own what a filter covers. */
const Reach = styled('small')(({ theme }) => ({
  gridColumn: '1 / -1',
  order: 1,
  color: theme.vars.palette.text.secondary,
}))
