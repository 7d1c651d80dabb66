import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { MAX_CHANGES } from '../../../../contract/endpoints/permissions.ts'
import { call } from '../../../api/client.ts'
import { messageOf } from '../../../api/failures.ts'
import { number } from '../../../ui/words/format.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { type Effect, EffectsTable } from '../changes/effects-table.tsx'
import type { Inverse } from '../changes/inverse.ts'
import type { Change } from './permissions-file.ts'

const PROBLEMS_SHOWN = 5

interface ImportDialogProps {
  workspaceId: number
  onDone: (effects: number, inverse: Inverse) => void
  onClose: () => void
}

interface Plan {
  name: string
  changes: Change[]
  problems: string[]
  effects: Effect[]
}

/** Imports rights from a file. Shows what would change before anything does. */
export function ImportDialog({ workspaceId, onDone, onClose }: ImportDialogProps) {
  const [plan, setPlan] = useState<Plan>()
  const [error, setError] = useState<string>()
  const [pending, setPending] = useState(false)
  const [onlyValid, setOnlyValid] = useState(false)
  const working = async (work: () => Promise<void>) => {
    setPending(true)
    setError(undefined)
    await work().catch((failure: unknown) => setError(messageOf(failure)))
    setPending(false)
  }
  const choose = (file: File) => {
    setOnlyValid(false)
    return working(async () => setPlan(await planOf(workspaceId, file)))
  }
  const apply = () =>
    working(async () => {
      const body = { workspace_id: workspaceId, changes: plan?.changes ?? [] }
      const { effects, inverse } = await call(api.permissions.change, { body })
      onDone(effects.length, inverse)
    })
  const effects = plan?.effects ?? []
  const isHeld = plan !== undefined && plan.problems.length > 0 && !onlyValid
  return (
    <FormDialog
      open
      title={t`Import permissions`}
      submit={
        effects.length > 0
          ? plural({ changes: effects.length }, { one: 'Make # change', other: 'Make # changes' })
          : t`Make the changes`
      }
      pending={pending}
      disabled={effects.length === 0 || isHeld}
      unsaved={effects.length > 0}
      error={error}
      maxWidth="md"
      onSubmit={() => void apply()}
      onClose={onClose}
    >
      <Typography>
        <Trans>
          Export the permissions, change “yes” and “no” in a spreadsheet, and choose the file here. Nothing changes
          before you have seen what would. A file with a line for each folder and a column for each group is understood,
          too, and folders may be named by their paths or numbers instead of their ids.
        </Trans>
      </Typography>
      <FileButton name={plan?.name} onChoose={(file) => void choose(file)} />
      {plan && <Summary plan={plan} isHeld={isHeld} />}
      {plan && plan.problems.length > 0 && effects.length > 0 && (
        <FormControlLabel
          control={<Checkbox checked={onlyValid} onChange={(event) => setOnlyValid(event.target.checked)} />}
          label={t`Import only the valid lines`}
        />
      )}
      {effects.length > 0 && <EffectsTable label={t`What would change`} effects={effects} />}
    </FormDialog>
  )
}

async function planOf(workspace_id: number, file: File): Promise<Plan> {
  const [text, matrix, { readPermissions }] = await Promise.all([
    textOf(file),
    call(api.permissions.matrix, { query: { workspace_id } }),
    import('./permissions-file.ts'),
  ])
  const { changes, problems } = readPermissions(text, matrix)
  if (changes.length > MAX_CHANGES) {
    const asked = number(changes.length)
    const most = number(MAX_CHANGES)
    const tooMany = t`The file asks for ${asked} changes; ${most} can be made at once. Take it in in parts.`
    return { name: file.name, changes: [], problems: [tooMany, ...problems], effects: [] }
  }
  if (changes.length === 0) return { name: file.name, changes, problems, effects: [] }
  const { effects } = await call(api.permissions.change, { body: { workspace_id, changes, dry_run: true } })
  return { name: file.name, changes, problems, effects }
}

/** Most spreadsheets write UTF-8. "Unicode text" is UTF-16, which begins with a byte order mark. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)
}

function FileButton({ name, onChoose }: { name: string | undefined; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <Button variant="outlined" startIcon={<FileUp size={16} />} onClick={() => input.current?.click()}>
        {name ?? t`Choose a CSV file`}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={t`CSV file`}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // Lets the user choose the same file again after correcting it.
          target.value = ''
          if (file) onChoose(file)
        }}
      />
    </div>
  )
}

function Summary({ plan: { effects, problems }, isHeld }: { plan: Plan; isHeld: boolean }) {
  const more = problems.length - PROBLEMS_SHOWN
  return (
    <div role="status">
      <Typography sx={{ fontWeight: 580 }}>
        {isHeld && effects.length > 0
          ? t`Nothing is imported, because not all lines are valid.`
          : effects.length === 0
            ? t`Nothing would change.`
            : plural(
                { changes: effects.length },
                { one: '# change would be made.', other: '# changes would be made.' },
              )}
      </Typography>
      {problems.slice(0, PROBLEMS_SHOWN).map((problem) => (
        <Typography key={problem} color="error">
          {problem}
        </Typography>
      ))}
      {more > 0 && (
        <Typography color="error">
          {plural(more, {
            one: 'and # more line that is not valid',
            other: 'and # more lines that are not valid',
          })}
        </Typography>
      )}
    </div>
  )
}
