import { t } from '@lingui/core/macro'
import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../../../contract/index.ts'
import { read, useReading } from '../../../../api/query.ts'
import { usePaused } from '../../../../shared/frame/use-file-search.ts'
import { numberedName } from '../../../../shared/listing/entries.ts'
import { useWorkspaceId } from '../../../../shared/workspace.ts'

export interface Found {
  id: number
  name: string
  outline: string
  number_length?: number
}

interface FinderProps {
  what: 'file' | 'folder'
  label: string
  /** What the field shows as chosen; without it the field empties itself. */
  value?: Found | null
  onFound: (found: Found) => void
}

/** A field that finds a file by title and text, or a folder by name. */
export function Finder({ what, label, value = null, onFound }: FinderProps) {
  const workspace_id = useWorkspaceId()
  const [text, setText] = useState('')
  const q = usePaused(text.trim())
  const asking = { enabled: q !== '', placeholderData: keepPreviousData }
  const files = useReading({
    ...read(api.files.search, { query: { workspace_id, q } }),
    ...asking,
    enabled: asking.enabled && what === 'file',
  })
  const folders = useReading({
    ...read(api.folders.search, { query: { workspace_id, q } }),
    ...asking,
    enabled: asking.enabled && what === 'folder',
  })
  const found: Found[] =
    what === 'file' ? (files.data ?? []).map(({ title, ...file }) => ({ ...file, name: title })) : (folders.data ?? [])
  return (
    <Autocomplete
      size="small"
      options={q === '' ? [] : found}
      value={value}
      inputValue={text}
      filterOptions={(all) => all}
      blurOnSelect
      getOptionKey={({ id }) => id}
      getOptionLabel={({ name, outline, number_length }) => numberedName(outline, name, number_length)}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      noOptionsText={q === '' ? t`Type a part of the name` : t`Nothing found`}
      onInputChange={(_event, typed) => setText(typed)}
      onChange={(_event, chosen) => {
        if (!chosen) return
        onFound(chosen)
        if (what === 'file') setText('')
      }}
      renderInput={(params) => <TextField {...params} label={label} />}
    />
  )
}
