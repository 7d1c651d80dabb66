import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useCallback } from 'react'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useFilterText } from '../../shared/listing/use-filter-text.ts'
import type { TrashKind } from './trash-view.ts'
import { useTrashUrl } from './use-trash-url.ts'

const KINDS: [TrashKind, MessageDescriptor][] = [
  ['all', msg`All`],
  ['folder', msg`Folders`],
  ['file', msg`Files`],
]

/** Filters by folder or file, and by words in names, places and names of users who deleted items. */
export function TrashFilter({ disabled }: { disabled: boolean }) {
  const { q, kind, change } = useTrashUrl()
  const write = useCallback((text: string) => change({ q: text }), [change])
  const [text, setText] = useFilterText(q, write, 0)
  if (disabled && q === '' && kind === 'all') return null
  return (
    <>
      <SearchField label={t`Filter by name, folder or person`} value={text} onChange={setText} width={280} />
      <ToggleButtonGroup
        size="small"
        exclusive
        aria-label={t`Show`}
        value={kind}
        onChange={(_, chosen: TrashKind | null) => chosen && change({ kind: chosen })}
        sx={{ '.MuiToggleButton-root': { height: 32, px: 1.5, textTransform: 'none', fontSize: '0.8125rem' } }}
      >
        {KINDS.map(([each, label]) => (
          <ToggleButton key={each} value={each}>
            {i18n._(label)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </>
  )
}
