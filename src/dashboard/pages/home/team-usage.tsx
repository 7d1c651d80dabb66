import { plural, t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'
import { bytes, number } from '../../ui/words/format.ts'

/** Milliseconds for which what a team stores is not counted again. */
const FRESH = 300_000

/** How much of its limits a team uses; only its members may know. */
export function TeamUsage({ teamId }: { teamId: number }) {
  const { data } = useReading({ ...read(api.teams.usage, { params: { id: teamId } }), staleTime: FRESH })
  if (!data) return null
  const [used, allowed] = [number(data.workspaces), number(data.allowed_workspaces)]
  const files = plural(data.file_versions, { one: '# stored version', other: '# stored versions' })
  const size = bytes(data.bytes)
  return t`${used} of ${allowed} workspaces · ${files}, ${size}`
}
