import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { bytes, shortDate } from '../../../ui/words/format.ts'
import { useQuestion } from './conflict-question.ts'
import type { Answer, Choice, Conflict, Facts } from './conflicts.ts'

/** Asks what to do with uploads whose names are taken, before any file is sent. */
export function ConflictDialog() {
  const question = useQuestion()
  return question ? <Asking key={question.id} {...question} /> : null
}

export function Asking({ conflict, answer }: { conflict: Conflict; answer: (answer: Answer) => void }) {
  const { name, folders, sides, others } = conflict
  const titleId = useId()
  const [forAll, setForAll] = useState(false)
  const folder = folders.join(' / ')
  const choose = (choice: Choice) => answer({ choice, forAll })
  return (
    <Dialog open onClose={() => choose('skip')} maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t`“${name}” is already there`}</DialogTitle>
      <DialogContent>
        {folder && <Typography color="textSecondary">{t`In the folder ${folder}`}</Typography>}
        {sides ? <Both {...conflict} {...sides} /> : <FolderWords />}
        {others > 0 && (
          <FormControlLabel
            sx={{ mt: 1 }}
            control={<Checkbox checked={forAll} onChange={(event) => setForAll(event.target.checked)} />}
            label={
              sides
                ? plural(others, {
                    one: 'Do the same for the other # file whose name is taken',
                    other: 'Do the same for the other # files whose names are taken',
                  })
                : plural(others, {
                    one: 'Do the same for the other # folder whose name is taken',
                    other: 'Do the same for the other # folders whose names are taken',
                  })
            }
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={() => choose('skip')}>{t`Skip`}</Button>
        {sides ? (
          <>
            <Button onClick={() => choose('both')}>{t`Keep both`}</Button>
            <Button variant="contained" autoFocus onClick={() => choose('version')}>
              <Trans>New version</Trans>
            </Button>
          </>
        ) : (
          <Button variant="contained" autoFocus onClick={() => choose('both')}>{t`Keep both`}</Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function Both({ isUpload, arriving, there }: Pick<Conflict, 'isUpload'> & NonNullable<Conflict['sides']>) {
  const { version } = there
  return (
    <>
      <Sides>
        <dt>{t`The file there`}</dt>
        <dd>{factsInWords(there, t`Version ${version}`)}</dd>
        <dt>{isUpload ? t`Your file` : t`The arriving file`}</dt>
        <dd>{factsInWords(arriving)}</dd>
      </Sides>
      <Typography>
        {isUpload ? (
          <Trans>As a new version yours takes the place of the file that is there, whose earlier versions stay.</Trans>
        ) : (
          <Trans>
            As a new version the arriving file takes the place of the file that is there, whose earlier versions stay.
          </Trans>
        )}
      </Typography>
    </>
  )
}

const FolderWords = () => (
  <Typography sx={{ mt: 1 }}>
    <Trans>Folders are not merged. If both are kept, the arriving folder gets another name.</Trans>
  </Typography>
)

/** Returns "Version 2 · 12 kB · changed 20 Nov, 09:00". */
function factsInWords({ size, changed: timestamp }: Facts, version?: string) {
  const changed = timestamp && shortDate(timestamp)
  return [version, bytes(size), changed && t`changed ${changed}`].filter(Boolean).join(' · ')
}

const Sides = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: '4px 16px',
  margin: '12px 0',
  dt: { color: theme.vars.palette.text.secondary },
  dd: { margin: 0 },
}))
