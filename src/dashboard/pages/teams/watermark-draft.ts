import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'

export type Watermark = Reply<typeof api.watermarks.get>
export type Look = Omit<Watermark, 'id' | 'watermark_id' | 'team_id' | 'created_at' | 'updated_at'>

export const watermarksQuery = (teamId: number) => read(api.teams.listWatermarkSettings, { params: { id: teamId } })

export const LINES = [
  { key: 'display_time', label: msg`Time`, inSentence: msg({ message: 'time', context: 'on a watermark' }) },
  { key: 'display_user_name', label: msg`Name`, inSentence: msg({ message: 'name', context: 'on a watermark' }) },
  {
    key: 'display_ip_address',
    label: msg`IP address`,
    inSentence: msg({ message: 'IP address', context: 'on a watermark' }),
  },
  {
    key: 'display_user_email',
    label: msg`E-mail address`,
    inSentence: msg({ message: 'e-mail address', context: 'on a watermark' }),
  },
  {
    key: 'display_workspace_name',
    label: msg`Workspace`,
    inSentence: msg({ message: 'workspace', context: 'on a watermark' }),
  },
] as const

/** Drawn if nothing else is chosen. */
const FALLBACK = msg({ message: 'e-mail address', context: 'on a watermark' })

/** Drops the fields that only the service sets. */
export function lookOf(watermark: Watermark): Look {
  const { id: _, watermark_id: _same, team_id: _team, created_at: _made, updated_at: _changed, ...look } = watermark
  return look
}

export const VPOSITIONS = ['top', 'center', 'bottom'] as const
export const HPOSITIONS = ['left', 'center', 'right'] as const

const PLACES = {
  top: { left: msg`Top left`, center: msg`Top center`, right: msg`Top right` },
  center: { left: msg`Middle left`, center: msg`Middle center`, right: msg`Middle right` },
  bottom: { left: msg`Bottom left`, center: msg`Bottom center`, right: msg`Bottom right` },
}

export const placeName = ({ vposition, hposition }: Pick<Look, 'vposition' | 'hposition'>): string =>
  i18n._(PLACES[vposition][hposition])

/** Returns the content of a placement: "“Draft”, time, name". */
export function contentOf(look: Look): string {
  const lines = LINES.filter(({ key }) => look[key]).map(({ inSentence }) => i18n._(inSentence))
  const name = look.custom_text.trim().split('\n')[0]
  const parts = [...(name ? [t`“${name}”`] : []), ...lines]
  return parts.join(', ') || i18n._(FALLBACK)
}

/** Whether the placement is drawn: of several at one height, only the newest is. */
export function isDrawn(watermark: Watermark, all: readonly Watermark[]): boolean {
  return !all.some((other) => other.vposition === watermark.vposition && other.id > watermark.id)
}

/** Returns all placements, including the draft of the one that is being edited. */
export function withDraft(
  all: readonly Watermark[],
  draft: { id: number | undefined; look: Look } | undefined,
): Look[] {
  if (!draft) return all.map(lookOf)
  if (draft.id === undefined) return [...all.map(lookOf), draft.look]
  return all.map((each) => (each.id === draft.id ? draft.look : lookOf(each)))
}

/** Returns the fields of `after` that differ from `before`. */
export function changeOf(before: Look, after: Look): Partial<Look> {
  const keys = Object.keys(before) as (keyof Look)[]
  return Object.fromEntries(keys.filter((key) => before[key] !== after[key]).map((key) => [key, after[key]]))
}

export const isLookValid = ({ color }: Look): boolean => /^#[0-9a-f]{6}$/i.test(color)
