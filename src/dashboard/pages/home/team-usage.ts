import { plural, t } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { bytes, number } from '../../ui/words/format.ts'
import type { Space } from './spaces.ts'

type Usage = Reply<typeof api.teams.usage>
/** What is stored in one workspace; null until it is known. */
export type Stored = Usage['administered'][number] | null

/** Milliseconds for which what a team stores is not counted again. */
const FRESH = 300_000

/** What a team stores, which its owners are shown. Undefined until it is read. */
export const useTeamUsage = ({ id, owner }: Space['team']): Usage | undefined =>
  useReading({ ...read(api.teams.usage, { params: { id } }), staleTime: FRESH, enabled: owner }).data

/** How much of its limits a team uses. */
export function usageWords({ workspaces, allowed_workspaces, file_versions, bytes: stored }: Usage): string {
  const [used, allowed] = [number(workspaces), number(allowed_workspaces)]
  const files = plural(file_versions, { one: '# stored version', other: '# stored versions' })
  const size = bytes(stored)
  return t`${used} of ${allowed} workspaces · ${files}, ${size}`
}

export function storedWords({ documents, bytes: stored }: NonNullable<Stored>): string {
  const size = bytes(stored)
  return plural(documents, { one: `# document · ${size} stored`, other: `# documents · ${size} stored` })
}
