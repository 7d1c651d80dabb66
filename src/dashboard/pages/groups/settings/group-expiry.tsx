import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { calendarDate } from '../../../ui/words/format.ts'
import { SwitchRow } from '../../../ui/fields/switch-row.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { DateSetting } from './date-setting.tsx'
import { ExpiryEffect, type Phase } from './expiry-effect.tsx'
import type { GroupInfo } from '../group-info.ts'
import { ReturnAccessDialog } from '../members/return-access-dialog.tsx'
import type { useGroupSecurity } from './use-group-security.ts'
import { utcDay } from './utc-days.ts'

interface GroupExpiryProps {
  group: GroupInfo
  locked: boolean
  security: ReturnType<typeof useGroupSecurity>
}

/**
 * Sets the day from which a group grants nothing, and says who is affected. The switch is on only while a day is stored:
 * pressing it opens the choice of the day. Asks before it gives ended access back.
 */
export function GroupExpiry({ group, locked, security }: GroupExpiryProps) {
  const end = group.expire_workspace_access_at
  const inForce = group.expire_workspace_access === 'true'
  const [choosing, setChoosing] = useState(false)
  const [returning, setReturning] = useState(false)
  const remove = useRemoveExpiry(group, security)
  const change = (on: boolean) => {
    if (inForce && group.expired) return setReturning(true)
    if (inForce) remove()
    setChoosing(on && !choosing)
  }
  const set = (day: string, onDone: () => void) =>
    security.setExpiry(day, () => {
      setChoosing(false)
      onDone()
    })
  const phaseOf = (day: string): Phase => {
    if (!group.expired) return 'ends'
    return day === end ? 'ended' : 'returns'
  }
  return (
    <div>
      <SwitchRow
        label={t`Access ends`}
        text={expiryText(group)}
        checked={inForce}
        disabled={locked}
        onChange={change}
      />
      {(inForce || choosing) && !locked && (
        <DateSetting
          label={t`Ends on`}
          value={end}
          proposal={utcDay(30)}
          min={utcDay(1)}
          tooEarly={t`Tomorrow or later`}
          renderEffect={(day) => <ExpiryEffect group={group} day={day} phase={phaseOf(day)} />}
          onSet={set}
          onCancel={() => setChoosing(false)}
        />
      )}
      {returning && (
        <ReturnAccessDialog
          group={group}
          onReturn={() => (setReturning(false), remove())}
          onClose={() => setReturning(false)}
        />
      )}
    </div>
  )
}

/** Offers to undo while the API still accepts the day. */
function useRemoveExpiry(group: GroupInfo, security: GroupExpiryProps['security']) {
  const toasts = useToasts()
  const { name, expired, expire_workspace_access_at: end } = group
  const done = () =>
    expired
      ? toasts.done(t`${name} has access again`)
      : toasts.done(
          t`${name} keeps access, without an end`,
          end === null ? undefined : () => security.undoRemovedExpiry(end),
        )
  return () => security.removeExpiry(done)
}

/** Speaks of the group, because members of several groups may keep access through another one. */
function expiryText({ expired, expire_workspace_access_at }: GroupInfo): string {
  if (expire_workspace_access_at === null)
    return t`From the start of a day (UTC) the group grants nothing; its rights are kept.`
  const day = calendarDate(expire_workspace_access_at)
  return expired
    ? t`The access of this group ended on ${day}. Its rights are kept.`
    : t`The access of this group ends on ${day}, 00:00 UTC. Its rights are kept.`
}
