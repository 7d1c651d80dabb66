import { t } from '@lingui/core/macro'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import type { ClipboardEvent } from 'react'
import { nameOf } from '../people.ts'
import { PersonChip } from '../person-chip.tsx'
import { emailsIn } from './add-people.ts'
import { type Addressable, type Addressees, emailsOf } from './addressable.ts'

interface PeopleFieldProps {
  label: string
  help?: string
  people: readonly Addressable[]
  /** Whose members cannot be added again. */
  groupId: number | undefined
  value: Addressees
  onChange: (value: Addressees) => void
  autoFocus?: boolean
  readOnly?: boolean
}

const PROPOSALS = 20

/** Collects people as chips with their state: found by name, typed, or pasted as they stand in a mail or a spreadsheet. */
export function PeopleField({ label, help, people, groupId, value, onChange, autoFocus, readOnly }: PeopleFieldProps) {
  const { chosen, text } = value
  const known = new Map(people.map((person) => [person.email.toLowerCase(), person]))
  const take = (more: string) => onChange({ chosen: emailsOf({ chosen, text: more }), text: '' })
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text')
    if (emailsIn(pasted).length < 2) return
    event.preventDefault()
    take(`${text}\n${pasted}`)
  }
  return (
    <Autocomplete<Addressable, true, true, true>
      multiple
      freeSolo
      fullWidth
      disableClearable
      size="small"
      readOnly={readOnly ?? false}
      options={people}
      value={[...chosen]}
      inputValue={text}
      onInputChange={(_event, typed, reason) => {
        if (reason !== 'input') return
        if (isComplete(typed)) take(typed)
        else onChange({ chosen, text: typed })
      }}
      onChange={(_event, next) => onChange({ chosen: next.flatMap(addressesOf), text: '' })}
      getOptionLabel={(option) => (typeof option === 'string' ? option : option.email)}
      filterOptions={(all, { inputValue }) =>
        all.filter((one) => isProposed(one, inputValue, value)).slice(0, PROPOSALS)
      }
      getOptionDisabled={({ groupIds }) => groupId !== undefined && groupIds.includes(groupId)}
      renderOption={({ key, ...props }, person) => (
        <Box component="li" key={key} {...props} sx={{ display: 'flex', gap: 1.5, '& > div': { flex: 1 } }}>
          <PersonChip person={person} size={24} />
          <Typography variant="caption" color="textSecondary" sx={{ maxWidth: '40%', textAlign: 'right' }}>
            {stateOf(person, groupId)}
          </Typography>
        </Box>
      )}
      renderValue={(emails, itemProps) =>
        emails.flatMap(addressesOf).map((email, index) => {
          const { key, ...props } = itemProps({ index })
          return (
            <Address key={key} email={email} person={known.get(email.toLowerCase())} groupId={groupId} {...props} />
          )
        })
      }
      renderInput={(params) => (
        <TextField {...params} label={label} helperText={help} autoFocus={autoFocus ?? false} onPaste={paste} />
      )}
      sx={{ '.MuiInputBase-root': { maxHeight: 208, overflowY: 'auto' } }}
    />
  )
}

interface AddressProps {
  email: string
  person: Addressable | undefined
  groupId: number | undefined
}

/** Passes on what the field needs to remove the chip by mouse and keyboard. */
function Address({ email, person, groupId, ...props }: AddressProps) {
  const isWrong = !email.includes('@')
  const state = isWrong ? t`No e-mail address` : stateOf(person, groupId)
  const isNew = !isWrong && person?.state === undefined
  return (
    <Chip
      {...props}
      size="small"
      variant="outlined"
      color={isWrong ? 'error' : 'default'}
      title={email}
      label={`${person ? nameOf(person) : email} · ${state}`}
      sx={isNew ? { borderStyle: 'dashed' } : {}}
    />
  )
}

function stateOf(person: Addressable | undefined, groupId: number | undefined): string {
  if (person?.state === undefined) return t`new here`
  if (groupId !== undefined && person.groupIds.includes(groupId)) return t`already in the group`
  if (person.state === 'arrived') return t`in this workspace`
  return person.state === 'invited' ? t`invited` : t`not invited yet`
}

const addressesOf = (each: string | Addressable) => (typeof each === 'string' ? emailsIn(each) : [each.email])

/** Whether an address is followed by what separates it from the next. */
const isComplete = (text: string) => /@[^\s@]*[,;\s>]$/.test(text)

function isProposed({ email, first_name, last_name }: Addressable, text: string, { chosen }: Addressees): boolean {
  const words = `${first_name} ${last_name} ${email}`.toLowerCase()
  return words.includes(text.trim().toLowerCase()) && !chosen.some((each) => each.toLowerCase() === email.toLowerCase())
}
