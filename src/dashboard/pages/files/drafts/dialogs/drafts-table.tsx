import { plural, t } from '@lingui/core/macro'
import Checkbox from '@mui/material/Checkbox'
import { styled } from '@mui/material/styles'
import type { Reply } from '../../../../../contract/endpoint.ts'
import type { api } from '../../../../../contract/index.ts'
import { useScreen } from '../../../../shared/listing/use-screen.ts'
import { countWords } from '../../../../shared/names-of.ts'

type Drafts = Reply<typeof api.drafts.list>
type Draft = Drafts['drafts'][number]
type Group = Drafts['groups'][number]

interface DraftsTableProps extends Drafts {
  chosen: ReadonlySet<number>
  onChoose: (chosen: ReadonlySet<number>) => void
}

/** Drafts by groups: the right that each group will have. On phones, each draft names its groups below it. */
export function DraftsTable({ drafts, groups, chosen, onChoose }: DraftsTableProps) {
  const { phone } = useScreen()
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  const columns = phone ? [] : groups
  return (
    // A region that scrolls must be reachable by keyboard.
    <Frame role="region" aria-label={t`Who will see what`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Becomes visible`}</th>
            {columns.map((group) => (
              <th key={group.id} scope="col">
                {group.name}
                <span className="quiet">{peopleIn(group)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drafts.map((draft) => (
            <tr key={draft.folder_id}>
              <th scope="row">
                <DraftCell draft={draft} chosen={chosen.has(draft.folder_id)} onToggle={toggle} />
                {phone && groups.map((group) => <GroupLine key={group.id} group={group} draft={draft} />)}
              </th>
              {columns.map((group) => (
                <td key={group.id}>{rightWords(draft, group)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Frame>
  )
}

interface DraftCellProps {
  draft: Draft
  chosen: boolean
  onToggle: (id: number) => void
}

function DraftCell({ draft, chosen, onToggle }: DraftCellProps) {
  const { folder_id, numbered_path, name, in_draft } = draft
  return (
    <label>
      <Checkbox size="small" checked={chosen} onChange={() => onToggle(folder_id)} sx={{ p: 0.5 }} />
      <span title={numbered_path}>
        {name}
        <span className="quiet">
          {countWords({ folders: draft.folders_count + 1, files: draft.files_count })}
          {in_draft && ` · ${t`in another draft`}`}
        </span>
      </span>
    </label>
  )
}

const GroupLine = ({ group, draft }: { group: Group; draft: Draft }) => (
  <span className="group">
    {group.name}: {rightWords(draft, group)} <span className="quiet">{peopleIn(group)}</span>
  </span>
)

const peopleIn = ({ members_count, is_draft }: Group) =>
  is_draft ? t`draft group` : plural(members_count, { one: '# person', other: '# people' })

function rightWords({ rights }: Draft, { id }: Group): string {
  const right = rights.find(({ group_id }) => group_id === id)
  if (!right) return t`No access`
  const most = right.upload
    ? t({ message: 'Upload', context: 'right' })
    : right.download
      ? t({ message: 'Download', context: 'right' })
      : right.view
        ? t({ message: 'View', context: 'right' })
        : t`No access`
  return right.differs_below ? t`${most}, differs inside` : most
}

const Frame = styled('div')(({ theme }) => ({
  overflow: 'auto',
  maxHeight: '50vh',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  table: { width: '100%', borderCollapse: 'collapse', fontSize: '0.875rem' },
  'th, td': { padding: '6px 12px', textAlign: 'left', verticalAlign: 'top', fontWeight: 400 },
  thead: {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    // Opaque, because the rows scroll below it.
    background: `linear-gradient(${theme.vars.palette.selection.row}, ${theme.vars.palette.selection.row}), ${theme.vars.palette.background.paper}`,
    th: { fontWeight: 600 },
  },
  'tbody tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  'tbody td': { whiteSpace: 'nowrap', paddingTop: 10 },
  label: { display: 'flex', alignItems: 'flex-start', gap: 6, cursor: 'pointer', paddingTop: 1 },
  'label > span:last-of-type': { paddingTop: 3, overflowWrap: 'anywhere' },
  '.quiet': { display: 'block', fontSize: '0.75rem', fontWeight: 400, color: theme.vars.palette.text.secondary },
  '.group': { display: 'block', paddingLeft: 34, paddingTop: 2 },
  '.group .quiet': { display: 'inline' },
}))
