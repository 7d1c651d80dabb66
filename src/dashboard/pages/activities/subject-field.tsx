import { t } from '@lingui/core/macro'
import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useReading } from '../../api/query.ts'
import { usePaused } from '../../shared/frame/use-file-search.ts'
import { nameOfFile, nameOfFolder, pathAbove } from '../../shared/listing/entries.ts'

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

/** Finds one file, folder or group by name. */
export function SubjectField({ workspaceId, type, onPick }: SubjectFieldProps) {
  const [text, setText] = useState('')
  const typed = text.trim()
  const q = usePaused(typed)
  const { options, isFetching, error } = useFound(workspaceId, type, q)
  const labels = { Asset: t`File`, Folder: t`Folder`, Group: t`Group` }
  return (
    <Autocomplete
      options={options}
      loading={isFetching || q !== typed}
      loadingText={t`Searching…`}
      noOptionsText={error ? messageOf(error) : typed === '' ? t`Type a name` : t`Nothing is called that`}
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

interface Found {
  options: Option[]
  isFetching: boolean
  error: Error | null
}

function useFound(workspace_id: number, type: SubjectType, q: string): Found {
  const query = { workspace_id, q, page: 1, per_page: 25 } as const
  const files = useReading({ ...read(api.files.search, { query }), enabled: type === 'Asset' && q !== '' })
  const folders = useReading({ ...read(api.folders.search, { query }), enabled: type === 'Folder' && q !== '' })
  const groups = useReading({ ...read(api.groups.list, { query: { workspace_id } }), enabled: type === 'Group' })
  const matching = groups.data?.filter(({ name }) => name.toLocaleLowerCase().includes(q.toLocaleLowerCase()))
  const options = {
    Asset:
      (q && files.data?.map((file) => ({ id: file.id, name: nameOfFile(file), place: file.numbered_folder_path }))) ||
      [],
    Folder:
      (q &&
        folders.data?.map((folder) => ({
          id: folder.id,
          name: nameOfFolder(folder),
          place: pathAbove(folder.numbered_path),
        }))) ||
      [],
    Group: matching ?? [],
  }
  const { isFetching, error } = { Asset: files, Folder: folders, Group: groups }[type]
  return { options: options[type], isFetching, error }
}
