import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { bytes } from '../../ui/words/format.ts'
import { Time } from '../../ui/words/time.tsx'
import type { SystemInfo } from './system-page.tsx'

type Backup = SystemInfo['backups'][number]

export function Backups({ backups }: Pick<SystemInfo, 'backups'>) {
  if (backups.length === 0) {
    return (
      <Typography color="textSecondary">
        <Trans>
          No backup is recorded. The operator of the machine makes one with <code>npm run backup -- FOLDER</code>.
        </Trans>
      </Typography>
    )
  }
  return (
    <List aria-label={t`Backups`}>
      {backups.map((backup) => (
        <Row key={backup.begun_at} backup={backup} />
      ))}
    </List>
  )
}

function Row({ backup }: { backup: Backup }) {
  const { ended_at, target, failure, damaged } = backup
  return (
    <li>
      <Typography component="p" color={failure === null ? undefined : 'error'}>
        <Time at={ended_at} />
        {failure !== null && <> · {t`failed`}</>}
      </Typography>
      <Typography color="textSecondary" component="p" lang={failure === null ? undefined : 'en'}>
        {failure ?? summaryOf(backup)}
      </Typography>
      {damaged > 0 && (
        <Typography color="error" component="p">
          {plural(damaged, {
            one: '# file differs from what was uploaded.',
            other: '# files differ from what was uploaded.',
          })}
        </Typography>
      )}
      <Typography variant="caption" color="textSecondary" component="p">
        <Trans>
          In <span translate="no">{target}</span>
        </Trans>
      </Typography>
    </li>
  )
}

function summaryOf({ files, bytes: size, new_bytes, database_bytes }: Backup): string {
  const content = plural(files, { one: '# file', other: '# files' })
  const database = database_bytes === null ? t`without the database` : t`database ${bytes(database_bytes)}`
  return t`${content} (${bytes(size)}, ${bytes(new_bytes)} of it new), ${database}`
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  li: { padding: '8px 0', overflowWrap: 'anywhere' },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))
