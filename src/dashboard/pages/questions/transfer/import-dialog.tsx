import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { Download, FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { MOST_IMPORTED } from '../../../../contract/endpoints/deal/questions.ts'
import { api } from '../../../../contract/index.ts'
import { urlOf } from '../../../../contract/url.ts'
import { messageOf } from '../../../api/failures.ts'
import { refresh } from '../../../api/query.ts'
import { newId } from '../../../shared/new-id.ts'
import { put } from '../../../shared/uploads/send/put.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { saveBlob } from '../../../ui/words/csv.ts'
import { number } from '../../../ui/words/format.ts'
import { readWorkbook } from '../../../ui/words/read-workbook.ts'
import type { Settings } from '../questions.ts'
import { formatTemplate, type Reading, readQuestions } from './read-questions.ts'

/** Lines that are not valid and are named; the others are counted. */
const SHOWN = 20

interface Plan extends Reading {
  name: string
  /** An answer may be lost, so the import keeps its id when it is sent again. */
  import_id: string
}

/** Imports the questions of a workbook. Says which lines are not valid before anything is stored. */
export function ImportDialog({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const workspace_id = useWorkspaceId()
  const toasts = useToasts()
  const [plan, setPlan] = useState<Plan>()
  const [onlyValid, setOnlyValid] = useState(false)
  const add = useMutation({
    mutationFn: (sent: Plan) => sendLines(workspace_id, sent),
    onSuccess: ({ imported }) => {
      toasts.done(plural(imported, { one: '# question was imported.', other: '# questions were imported.' }))
      onClose()
    },
    onSettled: () => refresh(),
  })
  const choose = async (file: File) => {
    setOnlyValid(false)
    setPlan({ name: file.name, import_id: newId(), ...(await planOf(file, settings)) })
  }
  const { valid = [], problems = [] } = plan ?? {}
  const isHeld = problems.length > 0 && !onlyValid
  return (
    <FormDialog
      open
      title={t`Import questions`}
      submit={plural(valid.length, { one: 'Import # question', other: 'Import # questions' })}
      maxWidth="sm"
      pending={add.isPending}
      disabled={valid.length === 0 || isHeld}
      unsaved={valid.length > 0}
      error={add.error ? messageOf(add.error) : undefined}
      onSubmit={() => plan && add.mutate(plan)}
      onClose={onClose}
    >
      <Typography>
        <Trans>
          Each line of the workbook is a question of a group, which its members see as asked by you. The limits of the
          groups do not hold for an import, and its questions do not count toward them.
        </Trans>
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <FileButton name={plan?.name} onChoose={(file) => void choose(file)} />
        <Button startIcon={<Download size={16} />} onClick={() => void saveTemplate(settings)}>
          <Trans>Empty workbook</Trans>
        </Button>
      </Box>
      {plan && <Found plan={plan} isHeld={isHeld} />}
      {problems.length > 0 && valid.length > 0 && (
        <FormControlLabel
          control={<Checkbox checked={onlyValid} onChange={(event) => setOnlyValid(event.target.checked)} />}
          label={t`Import only the valid lines`}
        />
      )}
    </FormDialog>
  )
}

/** The lines may be far longer together than a JSON body may be. */
function sendLines(workspace_id: number, { import_id, valid }: Plan) {
  const body = new Blob(valid.map((each) => `${JSON.stringify(each)}\n`))
  const url = urlOf(api.questions.importLines, { params: { workspace_id }, query: { import_id } })
  return put<Reply<typeof api.questions.importLines>>({
    url,
    body,
    onProgress: () => {},
    signal: new AbortController().signal,
  })
}

async function saveTemplate(settings: Settings): Promise<void> {
  saveBlob(t`Questions to import` + '.xlsx', await formatTemplate(settings))
}

async function planOf(file: File, settings: Settings): Promise<Reading> {
  const rows = await readWorkbook(file)
  if (!rows) return { valid: [], problems: [t`This file is no workbook (XLSX), or has more than 10 MB.`] }
  const reading = readQuestions(rows, settings)
  const most = number(MOST_IMPORTED)
  if (reading.valid.length > MOST_IMPORTED)
    return { valid: [], problems: [t`At most ${most} questions can be imported at once.`] }
  return reading
}

function FileButton({ name, onChoose }: { name: string | undefined; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant="outlined" startIcon={<FileUp size={16} />} onClick={() => input.current?.click()}>
        {name ?? t`Choose a workbook (XLSX)`}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".xlsx"
        hidden
        aria-label={t`Workbook`}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // Lets the user choose the same file again after correcting it.
          target.value = ''
          if (file) onChoose(file)
        }}
      />
    </>
  )
}

function Found({ plan: { valid, problems }, isHeld }: { plan: Plan; isHeld: boolean }) {
  const more = problems.length - SHOWN
  const found = plural(valid.length, { one: '# question was read.', other: '# questions were read.' })
  return (
    <div role="status">
      <Typography sx={{ fontWeight: 580 }}>
        {isHeld && valid.length > 0 ? t`Nothing is imported, because not all lines are valid.` : found}
      </Typography>
      {problems.slice(0, SHOWN).map((problem) => (
        <Typography key={problem} color="error" sx={{ overflowWrap: 'anywhere' }}>
          {problem}
        </Typography>
      ))}
      {more > 0 && (
        <Typography color="error">
          {plural(more, { one: 'and # more line that is not valid', other: 'and # more lines that are not valid' })}
        </Typography>
      )}
    </div>
  )
}
