import { Lock } from 'lucide-react'
import { useState } from 'react'
import { calendarDate, count } from '../../ui/format.ts'
import { Note } from '../../ui/note.tsx'
import { SwitchRow } from '../../ui/switch-row.tsx'
import { ABILITIES_TEXT } from './abilities.ts'
import { DateSetting } from './date-setting.tsx'
import { GroupWatermark } from './group-watermark.tsx'
import { type GroupInfo, isOfAdmins } from './group-info.ts'
import { useGroupSecurity } from './use-group-security.ts'
import { utcDay } from './utc-days.ts'

type Security = ReturnType<typeof useGroupSecurity>

interface GroupSecurityProps {
  group: GroupInfo
  /** Plain members see what holds for them and change nothing. */
  locked: boolean
}

export function GroupSecurity({ group, locked }: GroupSecurityProps) {
  const security = useGroupSecurity(group)
  if (isOfAdmins(group)) {
    return (
      <Note icon={Lock}>{group.name} have every right. DRM, watermarks and an end of access do not apply to them.</Note>
    )
  }
  return (
    <>
      <Drm group={group} locked={locked} security={security} />
      <SwitchRow
        label="Watermark"
        text="Every page carries the reader’s name, e-mail address and the time, on screen and in downloads."
        checked={group.watermarked}
        disabled={locked}
        onChange={security.switchWatermark}
      />
      {group.watermarked && !locked && <GroupWatermark group={group} />}
      <Expiry group={group} locked={locked} security={security} />
      <SwitchRow
        label="Members manage files"
        text={ABILITIES_TEXT}
        checked={group.file_managing_abilities}
        disabled={locked}
        onChange={security.switchAbilities}
      />
    </>
  )
}

interface SettingProps extends GroupSecurityProps {
  security: Security
}

function Drm({ group, locked, security }: SettingProps) {
  return (
    <div>
      <SwitchRow
        label="DRM"
        text={`Downloads are sealed: they open only for signed-in members, until you stop it.${locked && group.drm_expires_after ? ` Until ${calendarDate(group.drm_expires_after)}.` : ''}`}
        checked={group.drm_enabled}
        disabled={locked}
        onChange={security.switchDrm}
      />
      {group.drm_enabled && !locked && (
        <DateSetting
          key={group.drm_expires_after}
          label="Opens until"
          value={group.drm_expires_after}
          min={utcDay()}
          tooEarly="Today or later"
          onSet={security.setLastDay}
          onRemove={security.removeLastDay}
        />
      )}
    </div>
  )
}

function Expiry({ group, locked, security }: SettingProps) {
  const inForce = group.expire_workspace_access === 'true'
  const [choosing, setChoosing] = useState(false)
  const change = (on: boolean) => {
    if (inForce) security.removeExpiry()
    setChoosing(on)
  }
  return (
    <div>
      <SwitchRow
        label="Access ends"
        text={expiryText(group)}
        checked={inForce || choosing}
        disabled={locked}
        onChange={change}
      />
      {(inForce || choosing) && !locked && (
        <DateSetting
          key={group.expire_workspace_access_at}
          label="Ends on"
          value={group.expire_workspace_access_at}
          proposal={utcDay(30)}
          min={utcDay(1)}
          tooEarly="Tomorrow or later"
          onSet={security.setExpiry}
        />
      )}
    </div>
  )
}

function expiryText({ expired, expire_workspace_access_at, members_count }: GroupInfo): string {
  const whose = members_count === null ? 'The access of this group' : `The access of ${count(members_count, 'member')}`
  if (expire_workspace_access_at === '')
    return 'From the start of a day (UTC) the group grants nothing; its rights are kept.'
  const day = calendarDate(expire_workspace_access_at)
  return expired
    ? `${whose} ended on ${day}. Its rights are kept.`
    : `${whose} ends on ${day}, 00:00 UTC. Its rights are kept.`
}
