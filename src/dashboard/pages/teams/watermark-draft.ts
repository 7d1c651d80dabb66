import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'

export type Watermark = Reply<typeof api.watermarks.get>
export type Look = Omit<Watermark, 'id' | 'watermark_id' | 'team_id' | 'created_at' | 'updated_at'>

export const watermarksQuery = (teamId: number) => read(api.teams.listWatermarkSettings, { params: { id: teamId } })

export const LINES = [
  { key: 'display_time', label: 'Time' },
  { key: 'display_user_name', label: 'Name' },
  { key: 'display_ip_address', label: 'IP address' },
  { key: 'display_user_email', label: 'E-mail address' },
  { key: 'display_workspace_name', label: 'Workspace' },
] as const

/** Without what only the service knows. */
export function lookOf(watermark: Watermark): Look {
  const { id: _, watermark_id: _same, team_id: _team, created_at: _made, updated_at: _changed, ...look } = watermark
  return look
}

export const VPOSITIONS = ['top', 'center', 'bottom'] as const
export const HPOSITIONS = ['left', 'center', 'right'] as const

const VERTICALLY = { top: 'Top', center: 'Middle', bottom: 'Bottom' }

export function placeName({ vposition, hposition }: Pick<Look, 'vposition' | 'hposition'>): string {
  return `${VERTICALLY[vposition]} ${hposition}`
}

/** "“Draft”, time, name": what a placement says. */
export function contentOf(look: Look): string {
  const lines = LINES.filter(({ key }) => look[key]).map(({ label }) => label.toLowerCase())
  const text = look.custom_text.trim().split('\n')[0]
  return [...(text ? [`“${text}”`] : []), ...lines].join(', ').replace('ip address', 'IP address') || 'e-mail address'
}

/** Of several at one height only the newest is drawn. */
export function isDrawn(watermark: Watermark, all: readonly Watermark[]): boolean {
  return !all.some((other) => other.vposition === watermark.vposition && other.id > watermark.id)
}

/** All placements as they would be with the one that is being edited. */
export function withDraft(
  all: readonly Watermark[],
  draft: { id: number | undefined; look: Look } | undefined,
): Look[] {
  if (!draft) return all.map(lookOf)
  if (draft.id === undefined) return [...all.map(lookOf), draft.look]
  return all.map((each) => (each.id === draft.id ? draft.look : lookOf(each)))
}

export const isLookValid = ({ color }: Look): boolean => /^#[0-9a-f]{6}$/i.test(color)
