import { i18n } from '@lingui/core'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { timeZone } from '../../../ui/words/time-zone.ts'

/** Gets the index as a PDF, in the language and the time zone of the dashboard. */
export async function readPdf(workspaceId: number, signal: AbortSignal): Promise<Blob> {
  const query = {
    language: i18n.locale === 'de' ? ('de' as const) : ('en' as const),
    time_zone: timeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
  const pieces = await call(api.workspaces.printIndex, { params: { id: workspaceId }, query }, signal)
  return new Blob(pieces.map(bytesOf), { type: 'application/pdf' })
}

const bytesOf = (piece: string) => Uint8Array.from(atob(piece), (character) => character.charCodeAt(0))
