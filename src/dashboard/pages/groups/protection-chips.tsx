import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import { Clock, Droplets, FilePen, ShieldCheck, type LucideIcon } from 'lucide-react'
import { calendarDate } from '../../ui/words/format.ts'
import type { GroupInfo } from './group-info.ts'
import { isAdminGroup } from '../../../contract/rules.ts'

export function ProtectionChips({ group }: { group: GroupInfo }) {
  if (isAdminGroup(group)) return null
  const { drm_enabled, drm_expires_after, expire_workspace_access_at, watermarked, file_managing_abilities } = group
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.75, my: 0.5 }}>
      {drm_enabled && <Mark icon={ShieldCheck} label={drmText(drm_expires_after)} />}
      {watermarked && <Mark icon={Droplets} label={t`Watermark`} />}
      {expire_workspace_access_at && (
        <Mark
          icon={Clock}
          tone={group.expired ? 'error' : 'default'}
          label={expiryText(group.expired, expire_workspace_access_at)}
        />
      )}
      {file_managing_abilities && <Mark icon={FilePen} label={t`Manages files`} />}
    </Stack>
  )
}

function drmText(lastDay: string | null): string {
  if (lastDay === null) return t`DRM`
  const day = calendarDate(lastDay)
  return t`DRM to ${day}`
}

function expiryText(expired: boolean, at: string): string {
  const day = calendarDate(at)
  return expired ? t`Ended ${day}` : t`Ends ${day}`
}

function Mark({
  icon: Icon,
  label,
  tone = 'default',
}: {
  icon: LucideIcon
  label: string
  tone?: 'default' | 'error'
}) {
  return <Chip size="small" variant="outlined" color={tone} icon={<Icon size={13} />} label={label} />
}
