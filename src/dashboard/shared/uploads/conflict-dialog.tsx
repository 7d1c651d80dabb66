import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { bytes, shortDate } from '../../ui/format.ts'
import { useQuestion } from './conflict-question.ts'
import type { Answer, Choice, Conflict } from './conflicts.ts'

/** Asks what becomes of files whose names are taken, before anything is sent. */
export function ConflictDialog() {
  const question = useQuestion()
  return question ? <Asking key={question.conflict.others} {...question} /> : null
}

function Asking({ conflict, answer }: { conflict: Conflict; answer: (answer: Answer) => void }) {
  const { file, others } = conflict
  const titleId = useId()
  const [forAll, setForAll] = useState(false)
  const { name } = file
  const size = bytes(file.size)
  const changed = shortDate(new Date(file.lastModified).toISOString())
  const choose = (choice: Choice) => answer({ choice, forAll })
  return (
    <Dialog open onClose={() => choose('skip')} maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t`“${name}” is already there`}</DialogTitle>
      <DialogContent>
        <Typography>
          <Trans>
            Yours has {size} and was changed {changed}. As a new version it takes the place of the file that is there,
            whose earlier versions stay.
          </Trans>
        </Typography>
        {others > 0 && (
          <FormControlLabel
            sx={{ mt: 1 }}
            control={<Checkbox checked={forAll} onChange={(event) => setForAll(event.target.checked)} />}
            label={plural(others, {
              one: 'Do the same for the other # file whose names are taken',
              other: 'Do the same for the other # files whose names are taken',
            })}
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={() => choose('skip')}>{t`Skip`}</Button>
        <Button onClick={() => choose('both')}>{t`Keep both`}</Button>
        <Button variant="contained" autoFocus onClick={() => choose('version')}>
          <Trans>New version</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}
