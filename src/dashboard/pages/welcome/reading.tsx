import { plural, t } from '@lingui/core/macro'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { Part } from '../../ui/part.tsx'
import { number } from '../../ui/words/format.ts'
import type { Welcome } from './welcome-page.tsx'

/** How many of the documents the reader has opened. Renders nothing where they are not counted, or there are none. */
export function Reading({ reading }: { reading: Welcome['reading'] }) {
  if (!reading || reading.viewable === 0) return null
  const { viewable, opened } = reading
  const left = viewable - opened
  const [done, all] = [number(opened), number(viewable)]
  return (
    <Part
      title={t`Your reading`}
      action={
        <Typography variant="caption" color="textSecondary">
          {t`${done} of ${all} opened`}
        </Typography>
      }
    >
      <LinearProgress
        variant="determinate"
        value={(100 * opened) / viewable}
        aria-hidden
        sx={{ height: 6, borderRadius: 3, mb: 1 }}
      />
      <Typography color="textSecondary">
        {plural(left, {
          0: 'You have opened every document here.',
          one: '# document not opened yet',
          other: '# documents not opened yet',
        })}
      </Typography>
    </Part>
  )
}
