import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useRef, useState, type ChangeEvent } from 'react'
import { TrayFoot } from '../../../ui/toasts/tray.tsx'
import { findAgain, matching } from './missing-files.ts'
import { DIRECTORY, type Upload } from '../upload.ts'
import type { UploadQueue } from '../upload-queue.ts'

/** Continues uploads that a reload interrupted: the browser finds the files again, or the user chooses them. */
export function MissingFiles({ missing, queue }: { missing: readonly Upload[]; queue: UploadQueue }) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState('')
  const inFolders = missing.some(({ path }) => path.length > 0)
  const loose = missing.some(({ path }) => path.length === 0)
  const findable = missing.some(({ handle }) => handle !== undefined)
  const goOn = async () => {
    const found = queue.supply(await findAgain(missing))
    setNote(found === 0 ? t`The browser did not find them again. Choose them yourself.` : '')
  }
  const onChosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(currentTarget.files ?? [])]
    const others = chosen.length - queue.supply(matching(missing, chosen))
    setNote(others > 0 ? notAmong(others) : '')
    currentTarget.value = ''
  }
  const input = { type: 'file', multiple: true, hidden: true, onChange: onChosen } as const
  return (
    <TrayFoot>
      <Typography variant="caption" color="textSecondary" component="p" sx={{ px: 1, pb: 0.5 }} aria-live="polite">
        {note || t`The page was closed before these were uploaded. What has arrived of them is kept for a day.`}
      </Typography>
      {findable && <Button onClick={() => void goOn()}>{t`Go on`}</Button>}
      {loose && <Button onClick={() => files.current?.click()}>{t`Choose the files again`}</Button>}
      {inFolders && <Button onClick={() => folder.current?.click()}>{t`Choose the folder again`}</Button>}
      <Button onClick={() => queue.cancel(missing.map(({ id }) => id))}>{t`Forget them`}</Button>
      <input {...input} ref={files} aria-label={t`The same files again`} />
      <input {...input} ref={folder} aria-label={t`The same folder again`} {...DIRECTORY} />
    </TrayFoot>
  )
}

const notAmong = (others: number) =>
  plural(others, {
    one: '# file not among these, or changed since',
    other: '# files not among these, or changed since',
  })
