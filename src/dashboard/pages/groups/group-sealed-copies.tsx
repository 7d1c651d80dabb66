import { t } from '@lingui/core/macro'
import { useReading } from '../../api/query.ts'
import { copiesQuery } from '../../shared/sealed-copies/sealed-copies.ts'
import { SealedCopiesList } from '../../shared/sealed-copies/sealed-copies-list.tsx'
import { Part } from '../../ui/part.tsx'
import type { GroupInfo } from './group-info.ts'
import { isAdminGroup } from '../../../contract/rules.ts'

/** Shown if DRM is on or sealed copies exist: those stay in circulation after DRM is switched off. */
export function GroupSealedCopies({ group }: { group: GroupInfo }) {
  const { data } = useReading({
    ...copiesQuery(group.workspace_id, { group_id: group.id }, 25),
    enabled: !isAdminGroup(group),
  })
  if (isAdminGroup(group) || !(group.drm_enabled || data?.length)) return null
  return (
    <Part title={t`Sealed copies`}>
      <SealedCopiesList workspaceId={group.workspace_id} of={{ group_id: group.id }} />
    </Part>
  )
}
