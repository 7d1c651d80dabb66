import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import { styled } from '@mui/material/styles'
import { type Scope, scopeNames } from '../../../contract/scopes.ts'

/** The contract's descriptions of the scopes, repeated as messages for the translation catalogue. */
const LABELS: Record<Scope, MessageDescriptor> = {
  'files:read': msg`List, search and read files`,
  'files:write': msg`Upload, change, copy, move, delete and restore files`,
  'folders:read': msg`List and read folders`,
  'folders:write': msg`Create, change, copy, move and delete folders`,
  'groups:read': msg`Read groups and their members`,
  'groups:write': msg`Create, change and delete groups, add and remove their members`,
  'permissions:read': msg`Read folder permissions`,
  'permissions:write': msg`Grant and revoke folder permissions`,
  'downloads:write': msg`Download files and zips`,
  'activities:read': msg`Read the activities of a workspace`,
  'questions:read': msg`Read questions and answers`,
  'questions:write': msg`Ask, answer and publish, set who may ask`,
  'watermarks:read': msg`Read watermark settings`,
  'watermarks:write': msg`Create, change and delete watermark settings`,
  'teams:read': msg`Read teams and their members`,
  'teams:write': msg`Create and change teams, add and remove their members`,
  'workspaces:read': msg`Read workspaces and their members`,
  'workspaces:write': msg`Create and change workspaces, switch their API access`,
  'organization:read': msg`Read the organization and its users`,
  'organization:write': msg`Change the organization and its admins`,
  'users:write': msg`Create, remind and delete users`,
}

interface ScopeChoiceProps {
  chosen: readonly Scope[]
  onChange: (chosen: Scope[]) => void
}

/** Chooses the scopes of a key. A key can never do more than its owner. */
export function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  const toggle = (scope: Scope, on: boolean) =>
    onChange(scopeNames.filter((each) => (each === scope ? on : chosen.includes(each))))
  return (
    <FormControl component="fieldset">
      <FormLabel component="legend" sx={{ fontSize: '0.8125rem', fontWeight: 600, mb: 0.5 }}>
        <Trans>It may</Trans>
      </FormLabel>
      <Grid>
        {scopeNames.map((scope) => (
          <FormControlLabel
            key={scope}
            label={i18n._(LABELS[scope])}
            control={
              <Checkbox
                size="small"
                checked={chosen.includes(scope)}
                onChange={(_event, on) => toggle(scope, on)}
                sx={{ py: 0.25 }}
              />
            }
            sx={{ alignItems: 'flex-start', mr: 0 }}
          />
        ))}
      </Grid>
    </FormControl>
  )
}

const Grid = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: '4px 16px',
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: '1fr' },
}))
