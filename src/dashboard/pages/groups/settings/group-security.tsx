import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import { useWorkspace } from '../../../shared/workspace.ts'
import { calendarDate } from '../../../ui/words/format.ts'
import { Note } from '../../../ui/states/note.tsx'
import { SwitchRow } from '../../../ui/fields/switch-row.tsx'
import { abilitiesText } from './abilities.ts'
import { DateSetting } from './date-setting.tsx'
import { PdfDeliveryChoice } from '../../../shared/pdf-delivery-choice.tsx'
import { GroupExpiry } from './group-expiry.tsx'
import { GroupWatermark } from './group-watermark.tsx'
import type { GroupInfo } from '../group-info.ts'
import { TextLayerChoice } from './text-layer-choice.tsx'
import { useGroupSecurity } from './use-group-security.ts'
import { utcDay } from './utc-days.ts'
import { isAdminGroup } from '../../../../contract/rules.ts'

type Security = ReturnType<typeof useGroupSecurity>

interface GroupSecurityProps {
  group: GroupInfo
  /** Members who are not admins see the settings that apply to them but cannot change them. */
  locked: boolean
}

export function GroupSecurity({ group, locked }: GroupSecurityProps) {
  const { name } = group
  const security = useGroupSecurity(group)
  const { team_rules: rules } = useWorkspace()
  const isRefused = rules?.watermarking === false && !group.watermarked
  if (isAdminGroup(group)) {
    return (
      <Note icon={Lock}>{t`${name} have every right. DRM, watermarks and an end of access do not apply to them.`}</Note>
    )
  }
  return (
    <>
      <Drm group={group} locked={locked} security={security} />
      <SwitchRow
        label={t`Watermark`}
        text={[t`Every page carries the reader’s mark, on screen and in downloads.`, isRefused && refusedText()]
          .filter(Boolean)
          .join(' ')}
        checked={group.watermarked}
        disabled={locked || isRefused}
        onChange={security.switchWatermark}
      />
      {group.watermarked && !locked && (
        <PdfDeliveryChoice
          label={t`PDFs are downloaded as`}
          value={group.pdf_delivery}
          refused={rules?.page_pictures === false ? refusedText() : undefined}
          onChange={security.setPdfDelivery}
        />
      )}
      {group.watermarked && !locked && <GroupWatermark group={group} />}
      <TextLayerChoice value={group.text_layer} locked={locked} onChange={security.setTextLayer} />
      <GroupExpiry group={group} locked={locked} security={security} />
      <SwitchRow
        label={t`Members manage files`}
        text={abilitiesText()}
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
  const isRefused = useWorkspace().team_rules?.drm_enabled === false && !group.drm_enabled
  return (
    <div>
      <SwitchRow
        label={t`DRM`}
        text={[drmText(), locked && drmEndText(group), isRefused && refusedText()].filter(Boolean).join(' ')}
        checked={group.drm_enabled}
        disabled={locked || isRefused}
        onChange={security.switchDrm}
      />
      {group.drm_enabled && !locked && (
        <DateSetting
          label={t`Opens until`}
          value={group.drm_expires_after}
          min={utcDay()}
          tooEarly={t`Today or later`}
          onSet={security.setLastDay}
          onRemove={security.removeLastDay}
        />
      )}
    </div>
  )
}

const refusedText = () => t`The team does not allow it.`

const drmText = () =>
  t`Downloads are sealed: they open only for signed-in members, until you stop it. Every page carries the reader’s mark, on screen and in sealed copies.`

function drmEndText({ drm_expires_after }: GroupInfo): string {
  if (drm_expires_after === null) return ''
  const day = calendarDate(drm_expires_after)
  return t`Until ${day}.`
}
