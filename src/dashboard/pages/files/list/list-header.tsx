import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { FolderTree, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { UploadButton } from '../../../shared/uploads/upload-button.tsx'
import { UNPRINTED } from '../../../ui/print.ts'
import { SearchField } from '../../../ui/fields/search-field.tsx'
import { TWO_LINES } from '../../../ui/words/two-lines.ts'
import { UNSEEN } from '../../../ui/visually-hidden.tsx'
import type { Action } from '../actions.ts'

interface ListHeaderProps {
  title: string
  /** The number with which the title begins; empty if it has none. */
  number: string
  crumbs: ReactNode
  workspaceId: number
  folderId: number
  mayUpload: boolean
  filter: string
  onFilter: (text: string) => void
  actions: readonly Action[]
  onRun: (action: Action) => void
  /** Open the tree or the details; undefined where they are not folded away. */
  onTree: (() => void) | undefined
  onDetails: (() => void) | undefined
}

/** The location, the filter, and the actions that add to the folder. */
export function ListHeader(props: ListHeaderProps) {
  const { title, number, onTree, onDetails } = props
  return (
    <Header>
      {onTree && (
        <IconButton aria-label={t`Folders`} atStart onClick={onTree}>
          <FolderTree size={20} />
        </IconButton>
      )}
      <Where>
        {props.crumbs}
        <Typography variant="h1" title={title}>
          {number && <span className="outline">{number}</span>}
          {title.slice(number.length)}
        </Typography>
      </Where>
      <Tools className={UNPRINTED}>
        <SearchField label={t`Filter this folder`} value={props.filter} onChange={props.onFilter} width={180} />
        {props.actions.map((action) => (
          <Tool key={action.id} action={action} onRun={props.onRun} />
        ))}
        {props.mayUpload && <UploadButton workspaceId={props.workspaceId} folderId={props.folderId} />}
        {onDetails && (
          <IconButton aria-label={t`Details`} onClick={onDetails}>
            <Info size={20} />
          </IconButton>
        )}
      </Tools>
    </Header>
  )
}

function Tool({ action, onRun }: { action: Action; onRun: (action: Action) => void }) {
  const { icon: Icon } = action
  const label = i18n._(action.label)
  return (
    <Button variant="outlined" title={label} startIcon={<Icon size={16} />} onClick={() => onRun(action)}>
      <span className="words">{label}</span>
    </Button>
  )
}

const Header = styled('header')(({ theme }) => ({
  containerType: 'inline-size',
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
  minHeight: 62,
  boxSizing: 'border-box',
  padding: '10px 16px',
  [theme.breakpoints.down('sm')]: { padding: '10px 12px 8px' },
}))

const Where = styled('div')(({ theme }) => ({
  flex: '1 1 160px',
  minWidth: 0,
  h1: TWO_LINES,
  '.outline': { marginRight: 4, color: theme.vars.palette.text.secondary, fontWeight: 400 },
}))

const Tools = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  // The height of the buttons beside it.
  '.MuiInputBase-root': { height: 30 },
  // Icons alone leave the title its width.
  '@container (max-width: 720px)': {
    '.outlined': { minWidth: 0, padding: 6 },
    '.outlined .start': { margin: 0 },
    '.words': UNSEEN,
  },
  [theme.breakpoints.down('sm')]: {
    flexBasis: '100%',
    '> :first-of-type:not(button)': { flex: '1 1 0', minWidth: 0, input: { minWidth: 0 } },
  },
}))
