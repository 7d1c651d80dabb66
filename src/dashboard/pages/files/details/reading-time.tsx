import { plural } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { duration } from '../../../ui/words/duration.ts'

const DAYS = 30
const DAY_MS = 86_400_000
const FRESH_MS = 30_000

const firstDay = () => new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10)

/** For how long a file was read in the last 30 days; leads to where it is told page by page. */
export function ReadingTime({ workspaceId, id }: { workspaceId: number; id: number }) {
  const query = { workspace_id: workspaceId, from: firstDay() }
  const { data } = useReading({ ...read(api.engagement.file, { params: { id }, query }), staleTime: FRESH_MS })
  if (!data || data.readers === 0) return null
  const time = duration(data.ms)
  return (
    <Link to={paths.engagement(workspaceId, { file: id, days: DAYS })}>
      {plural(data.readers, { one: `Read for ${time} by # person`, other: `Read for ${time} by # people` })}
    </Link>
  )
}
