import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { bytes, count, shortDate } from '../../ui/format.ts'
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
  const choose = (choice: Choice) => answer({ choice, forAll })
  return (
    <Dialog open onClose={() => choose('skip')} maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>“{file.name}” is already there</DialogTitle>
      <DialogContent>
        <Typography>
          Yours has {bytes(file.size)} and was changed {shortDate(new Date(file.lastModified).toISOString())}. As a new
          version it takes the place of the file that is there, whose earlier versions stay.
        </Typography>
        {others > 0 && (
          <FormControlLabel
            sx={{ mt: 1 }}
            control={<Checkbox checked={forAll} onChange={(event) => setForAll(event.target.checked)} />}
            label={`Do the same for the other ${count(others, 'file')} whose names are taken`}
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={() => choose('skip')}>Skip</Button>
        <Button onClick={() => choose('both')}>Keep both</Button>
        <Button variant="contained" autoFocus onClick={() => choose('version')}>
          New version
        </Button>
      </DialogActions>
    </Dialog>
  )
}
