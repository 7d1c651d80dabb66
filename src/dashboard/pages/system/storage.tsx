import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { FREE_SHARE } from '../../../contract/endpoints/installation/system.ts'
import { bytes } from '../../ui/words/format.ts'
import { Time } from '../../ui/words/time.tsx'
import { type Fact, Facts } from './facts.tsx'
import type { SystemInfo } from './system-page.tsx'

export function Storage({ storage, examination }: Pick<SystemInfo, 'storage' | 'examination'>) {
  const { free, total } = storage
  const content = examination?.content
  const facts: Fact[] = [
    { name: t`Place`, value: storage.kind === 'bucket' ? t`A bucket` : t`A folder` },
    { name: t`Content`, value: content ? amountOf(content) : t`Not counted yet` },
    ...(free !== null && total !== null
      ? [{ name: t`Free on its disk`, value: t`${bytes(free)} of ${bytes(total)}` }]
      : []),
  ]
  return (
    <>
      <Facts facts={facts} />
      {free !== null && total !== null && (
        <LinearProgress
          variant="determinate"
          value={total === 0 ? 0 : Math.round(100 * (1 - free / total))}
          color={free < total * FREE_SHARE ? 'warning' : 'primary'}
          aria-label={t`Used space of the disk`}
          sx={{ my: 1, height: 6, borderRadius: 3 }}
        />
      )}
      <Typography variant="caption" color="textSecondary" component="p" sx={{ mt: 1 }}>
        {content && examination?.ended_at ? (
          <Trans>
            Content of all versions of all files, also deleted ones that can be restored. Counted{' '}
            <Time at={examination.ended_at} relative />.
          </Trans>
        ) : (
          <Trans>An examination counts the content.</Trans>
        )}
      </Typography>
    </>
  )
}

function amountOf({ files, bytes: size }: { files: number; bytes: number }): string {
  return `${plural(files, { one: '# file', other: '# files' })}, ${bytes(size)}`
}
