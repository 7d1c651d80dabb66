import { t } from '@lingui/core/macro'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { api } from '../../../contract/index.ts'
import { NUMBERINGS, type Numbering } from '../../../contract/endpoints/workspaces.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'

/** How the folders and files of the workspace are numbered. Choosing stores. */
export function NumberingChoice({ workspace }: { workspace: { id: number; numbering: Numbering | null } }) {
  const update = useAction(api.workspaces.update)
  const choose = (numbering: Numbering | undefined) =>
    numbering && update.mutate({ params: { id: workspace.id }, body: { workspace: { numbering } } })
  return (
    <>
      <RadioGroup
        aria-label={t`Numbers of folders and files`}
        value={workspace.numbering ?? 'fixed'}
        onChange={(_event, value) => choose(NUMBERINGS.find((each) => each === value))}
        sx={{ gap: 1.5 }}
      >
        <Choice
          value="fixed"
          disabled={update.isPending}
          label={t`The same for everyone`}
          text={t`A document has one number. Readers see from the numbers how many folders and files are hidden from them: after 2.1 and 2.3 they know that there is a 2.2.`}
        />
        <Choice
          value="per_reader"
          disabled={update.isPending}
          label={t`Counted for each reader`}
          text={t`Numbers count only what the reader may see, without gaps. A document can have another number for another reader. “View as” shows the numbers of a group or person.`}
        />
      </RadioGroup>
      {update.error && <FormError>{messageOf(update.error)}</FormError>}
    </>
  )
}

interface ChoiceProps {
  value: Numbering
  disabled: boolean
  label: string
  text: string
}

const Choice = ({ label, text, ...props }: ChoiceProps) => (
  <Line
    {...props}
    control={<Radio size="small" />}
    label={
      <>
        {label}
        <Typography variant="caption" color="textSecondary" component="span" sx={{ display: 'block' }}>
          {text}
        </Typography>
      </>
    }
  />
)

const Line = styled(FormControlLabel)({
  alignItems: 'flex-start',
  margin: 0,
  '.MuiRadio-root': { padding: '1px 9px 0 0' },
})
