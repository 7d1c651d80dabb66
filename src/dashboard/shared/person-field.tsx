import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import type { Person } from './people.ts'
import { PersonChip } from './person-chip.tsx'

interface PersonFieldProps<P extends Person> {
  label: string
  /** The proposals; the user can type any other e-mail address. */
  people: readonly P[]
  text: string
  onChange: (text: string) => void
}

const PROPOSALS = 20

/** A field for an e-mail address, typed or found by name. */
export function PersonField<P extends Person>({ label, people, text, onChange }: PersonFieldProps<P>) {
  return (
    <Autocomplete
      freeSolo
      fullWidth
      size="small"
      options={people}
      inputValue={text}
      onInputChange={(_event, value) => onChange(value)}
      getOptionLabel={(option) => (typeof option === 'string' ? option : option.email)}
      filterOptions={(all, { inputValue }) => all.filter((person) => matches(person, inputValue)).slice(0, PROPOSALS)}
      renderOption={({ key, ...props }, person) => (
        <li key={key} {...props}>
          <PersonChip person={person} size={24} />
        </li>
      )}
      renderInput={(params) => <TextField {...params} label={label} />}
    />
  )
}

function matches({ first_name, last_name, email }: Person, text: string): boolean {
  return `${first_name} ${last_name} ${email}`.toLowerCase().includes(text.trim().toLowerCase())
}
