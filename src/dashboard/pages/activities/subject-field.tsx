import { t } from '@lingui/core/macro'
import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useEffect, useState } from 'react'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'

export type SubjectType = 'Asset' | 'Folder' | 'Group'

interface SubjectFieldProps {
  workspaceId: number
  type: SubjectType
  onPick: (id: number) => void
}

interface Option {
  id: number
  name: string
  /** Where a file or folder is. */
  place?: string
}

const REST_MS = 200

/** Finds one file, folder or group by name. */
export function SubjectField({ workspaceId, type, onPick }: SubjectFieldProps) {
  const [text, setText] = useState('')
  const { options, isFetching } = useFound(workspaceId, type, useResting(text.trim()))
  const labels = { Asset: t`File`, Folder: t`Folder`, Group: t`Group` }
  return (
    <Autocomplete
      options={options}
      loading={isFetching}
      loadingText={t`Searching…`}
      noOptionsText={text.trim() === '' ? t`Type a name` : t`Nothing is called that`}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      filterOptions={(all) => all}
      slotProps={{ popper: { placement: 'bottom-start', style: { width: 'min(340px, 90vw)' } } }}
      value={null}
      inputValue={text}
      onInputChange={(_, value) => setText(value)}
      onChange={(_, option) => option && onPick(option.id)}
      renderOption={({ key, ...props }, { name, place }) => (
        <li key={key} {...props} style={{ display: 'grid', overflowWrap: 'anywhere' }}>
          {name}
          {place !== undefined && <small>{place}</small>}
        </li>
      )}
      renderInput={(params) => <TextField {...params} label={labels[type]} placeholder={t`Any`} />}
    />
  )
}

function useResting(text: string): string {
  const [resting, setResting] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setResting(text), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return resting
}

function useFound(workspace_id: number, type: SubjectType, q: string): { options: Option[]; isFetching: boolean } {
  const query = { workspace_id, q: q || ' ', page: 1, per_page: 25 } as const
  const files = useReading({ ...read(api.files.search, { query }), enabled: type === 'Asset' && q !== '' })
  const folders = useReading({ ...read(api.folders.search, { query }), enabled: type === 'Folder' && q !== '' })
  const groups = useReading({ ...read(api.groups.list, { query: { workspace_id } }), enabled: type === 'Group' })
  const matching = groups.data?.filter(({ name }) => name.toLocaleLowerCase().includes(q.toLocaleLowerCase()))
  const options = {
    Asset: (q && files.data?.map(({ id, title, folder_path }) => ({ id, name: title, place: folder_path }))) || [],
    Folder: (q && folders.data?.map(({ id, name, parent_path }) => ({ id, name, place: parent_path }))) || [],
    Group: matching ?? [],
  }
  return { options: options[type], isFetching: files.isFetching || folders.isFetching || groups.isFetching }
}
