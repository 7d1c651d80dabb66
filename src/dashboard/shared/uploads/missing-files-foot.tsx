import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useRef, useState, type ChangeEvent } from 'react'
import { TrayFoot } from '../../ui/tray.tsx'
import { findAgain, matching } from './missing-files.ts'
import type { Upload } from './upload.ts'
import type { UploadQueue } from './upload-queue.ts'

/** Goes on with what a reload left unfinished: the browser finds the files again, or the person chooses them. */
export function MissingFiles({ missing, queue }: { missing: readonly Upload[]; queue: UploadQueue }) {
  const input = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState('')
  const goOn = async () => {
    const found = queue.supply(await findAgain(missing))
    if (found < missing.length) input.current?.click()
  }
  const onChosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(currentTarget.files ?? [])]
    const others = chosen.length - queue.supply(matching(missing, chosen))
    setNote(others > 0 ? notAmong(others) : '')
    currentTarget.value = ''
  }
  return (
    <TrayFoot>
      <Typography variant="caption" color="textSecondary" component="p" sx={{ px: 1, pb: 0.5 }} aria-live="polite">
        {note || t`The page was closed before these were uploaded. What has arrived of them is kept for a day.`}
      </Typography>
      <Button onClick={() => void goOn()}>{t`Go on`}</Button>
      <Button onClick={() => input.current?.click()}>{t`Choose the files again`}</Button>
      <Button onClick={() => queue.cancel(...missing.map(({ id }) => id))}>{t`Forget them`}</Button>
      <input ref={input} type="file" multiple hidden aria-label={t`The same files again`} onChange={onChosen} />
    </TrayFoot>
  )
}

const notAmong = (others: number) =>
  plural(others, {
    one: '# file not among these, or changed since',
    other: '# files not among these, or changed since',
  })
