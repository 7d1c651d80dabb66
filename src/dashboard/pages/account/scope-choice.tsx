import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import { styled } from '@mui/material/styles'
import { type Scope, SCOPES, scopeNames } from '../../../contract/scopes.ts'

interface ScopeChoiceProps {
  chosen: readonly Scope[]
  onChange: (chosen: Scope[]) => void
}

/** What a key may do: never more than its owner may. */
export function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  const toggle = (scope: Scope, on: boolean) =>
    onChange(scopeNames.filter((each) => (each === scope ? on : chosen.includes(each))))
  return (
    <FormControl component="fieldset">
      <FormLabel component="legend" sx={{ fontSize: '0.8125rem', fontWeight: 600, mb: 0.5 }}>
        It may
      </FormLabel>
      <Grid>
        {scopeNames.map((scope) => (
          <FormControlLabel
            key={scope}
            label={SCOPES[scope]}
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
