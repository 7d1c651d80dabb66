import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Time } from '../../../ui/words/time.tsx'
import type { Group, Version } from './issued.ts'

interface VersionsProps {
  workspaceId: number
  group: Group | undefined
  versions: readonly Version[]
  onRead: (version: Version) => void
}

export function Versions({ workspaceId, group, versions, onRead }: VersionsProps) {
  const [withdrawing, setWithdrawing] = useState<Version>()
  if (versions.length === 0) {
    return (
      <Typography color="textSecondary">
        {group
          ? t`None: the terms of the workspace, if there are any, bind the members of ${group.name}.`
          : t`None: members of groups without terms of their own enter without accepting anything.`}
      </Typography>
    )
  }
  return (
    <>
      <List>
        {versions.map((each) => (
          <VersionLine key={each.id} version={each} onRead={onRead} onWithdraw={setWithdrawing} />
        ))}
      </List>
      {withdrawing && (
        <WithdrawDialog
          workspaceId={workspaceId}
          group={group}
          version={withdrawing}
          onClose={() => setWithdrawing(undefined)}
        />
      )}
    </>
  )
}

interface LineProps {
  version: Version
  onRead: (version: Version) => void
  onWithdraw: (version: Version) => void
}

function VersionLine({ version: each, onRead, onWithdraw }: LineProps) {
  const { version, title, in_force, withdrawn_at, accepted, declined, pdf } = each
  const answers = [
    plural(accepted, { one: '# accepted', other: '# accepted' }),
    declined > 0 && plural(declined, { one: '# declined', other: '# declined' }),
  ]
  return (
    <li>
      <div style={{ minWidth: 0, flex: '1 1 180px' }}>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{t`${version} · ${title}`}</Typography>
        <Typography variant="caption" color="textSecondary">
          <Trans>
            Issued <Time at={each.issued_at} />
          </Trans>
          {' · '}
          {answers.filter(Boolean).join(' · ')}
          {pdf && ` · ${pdf.file_name}`}
        </Typography>
      </div>
      {in_force && <Chip size="small" color="success" variant="outlined" label={t`In force`} />}
      {withdrawn_at && <Chip size="small" variant="outlined" label={t`Withdrawn`} />}
      <Button onClick={() => onRead(each)} aria-label={t`Read version ${version}`}>
        <Trans>Read</Trans>
      </Button>
      {in_force && (
        <Button color="error" onClick={() => onWithdraw(each)}>
          <Trans>Withdraw</Trans>
        </Button>
      )}
    </li>
  )
}

interface WithdrawProps {
  workspaceId: number
  group: Group | undefined
  version: Version
  onClose: () => void
}

function WithdrawDialog({ workspaceId, group, version, onClose }: WithdrawProps) {
  const withdraw = useAction(api.terms.withdraw, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title={t`Withdraw version ${version.version}`}
      confirm={t`Withdraw`}
      pending={withdraw.isPending}
      error={withdraw.error ? messageOf(withdraw.error) : undefined}
      onConfirm={() => withdraw.mutate({ params: { id: workspaceId, terms_id: version.id } })}
      onClose={onClose}
    >
      {group
        ? t`The terms of the workspace, if there are any, then bind the members of ${group.name}. Answers stay in the record.`
        : t`Members of groups without terms of their own then enter without accepting anything, also those who declined. Answers stay in the record.`}
    </ConfirmDialog>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  li: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8, padding: '8px 0' },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))
