import { t } from '@lingui/core/macro'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { saveBlob, saveCsv } from '../../../ui/words/csv.ts'
import { formatCsv } from './index-csv.ts'
import { readPdf } from './index-pdf.ts'
import { formatXlsx } from './index-xlsx.ts'
import { readIndex } from './read-index.ts'

type Save = (workspaceId: number, title: string, signal: AbortSignal) => Promise<() => void>

/** How each format is made; returns what saves it. */
const FORMATS = {
  async xlsx(workspaceId, title, signal) {
    const book = await formatXlsx(title, await readIndex(workspaceId, signal))
    return () => saveBlob(`${title}.xlsx`, book)
  },
  async pdf(workspaceId, title, signal) {
    const pdf = await readPdf(workspaceId, signal)
    return () => saveBlob(`${title}.pdf`, pdf)
  },
  async csv(workspaceId, title, signal) {
    const text = formatCsv(await readIndex(workspaceId, signal))
    return () => saveCsv(`${title}.csv`, text)
  },
} satisfies Record<string, Save>

type Format = keyof typeof FORMATS
const isFormat = (value: string): value is Format => value in FORMATS

interface IndexDialogProps {
  workspace: { id: number; name: string }
  onClose: () => void
}

/** Saves the numbers and names of everything that the user can see in the workspace, with links. */
export function IndexDialog({ workspace, onClose }: IndexDialogProps) {
  const [format, setFormat] = useState<Format>('xlsx')
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  const { name } = workspace
  const ending = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    ending.current = controller
    return () => controller.abort()
  }, [])
  const save = async () => {
    const { signal } = ending.current
    setPending(true)
    setError(undefined)
    try {
      const title = t`${name} index`
      const saveIt = await FORMATS[format](workspace.id, title, signal)
      if (signal.aborted) return
      saveIt()
      onClose()
    } catch (failure) {
      if (signal.aborted) return
      setError(messageOf(failure))
      setPending(false)
    }
  }
  return (
    <FormDialog
      open
      title={t`Export the index of ${name}`}
      submit={t`Export`}
      pending={pending}
      error={error}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Typography>{t`All folders and files that you can see here, with their numbers and links that open them.`}</Typography>
      <RadioGroup
        aria-label={t`Format`}
        value={format}
        onChange={(_event, value) => isFormat(value) && setFormat(value)}
      >
        <FormControlLabel value="xlsx" label={t`Excel (XLSX)`} control={<Radio size="small" />} />
        <FormControlLabel value="pdf" label={t`PDF`} control={<Radio size="small" />} />
        <FormControlLabel value="csv" label={t`Text (CSV)`} control={<Radio size="small" />} />
      </RadioGroup>
    </FormDialog>
  )
}
