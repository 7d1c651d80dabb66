import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FileWarning, FileX2, ShieldAlert } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { FileIcon, FolderIcon } from '../../../shared/file-icon.tsx'
import { countWords } from '../../../shared/names-of.ts'
import { bytes, number, shortDate } from '../../../ui/words/format.ts'
import { isFolder, type Entry, type FileCompact, type FolderEntry } from '../../../shared/listing/entries.ts'

export interface RowState {
  selected: boolean
  active: boolean
  /** Whether the line is being dragged, or dragged over. */
  drag: 'dragged' | 'target' | undefined
}

/** The column between name and date. */
export type Columns = 'protected' | 'with-pages' | false

interface ListRowProps extends RowState {
  entry: Entry
  domId: string
  rowIndex: number
  top: number
  touch: boolean
  columns: Columns
  /** How the line is protected; undefined until that is known. */
  protection: ReactNode
  /** How much a folder holds; undefined if that is not known. */
  holds: string | undefined
  draggable: boolean
  unread: boolean
  /** Replaces the name while it is being changed. */
  nameField?: ReactNode
}

export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { entry, domId, rowIndex, top, touch } = props
  const { name } = entry
  return (
    <div
      id={domId}
      role="row"
      data-key={entry.key}
      aria-rowindex={rowIndex}
      aria-selected={props.selected}
      className={classesOf(props)}
      draggable={props.draggable && props.nameField === undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" className="icon">
        <span className="check" />
        <span className="outline">{entry.outline}</span>
        {isFolder(entry) ? <FolderIcon /> : <FileIcon kind={entry.source.kind} />}
      </div>
      <div role="gridcell" className="name">
        {props.nameField ?? <Name entry={entry} />}
        {props.unread && <span className="unseen">{isFolder(entry) ? t`Has unread documents` : t`Unread`}</span>}
        {touch && !props.nameField && <span className="facts">{factsOf(entry)}</span>}
      </div>
      {!touch && <Facts {...props} />}
      <div role="gridcell">
        <button
          type="button"
          className="more"
          tabIndex={-1}
          data-more
          aria-label={t`Actions for ${name}`}
          aria-haspopup="menu"
        />
      </div>
    </div>
  )
})

function classesOf({ entry, active, drag, unread }: ListRowProps): string {
  const isPassage = isFolder(entry) && (entry.source.path_node || entry.source.draft)
  return ['row line', active && 'active', unread && 'unread', drag, isPassage && 'passage'].filter(Boolean).join(' ')
}

function Name({ entry }: { entry: Entry }) {
  return (
    <>
      <span className="title" title={entry.name}>
        {entry.label}
      </span>
      {isFolder(entry) ? (
        entry.source.draft && <span className="state draft">{t({ message: 'Draft', context: 'folder' })}</span>
      ) : (
        <State file={entry.source} />
      )}
    </>
  )
}

/** Shown only for a file that cannot be viewed, or not yet. */
function State({ file: { infected, damaged, viewer_status } }: { file: FileCompact }) {
  if (infected) {
    return (
      <span className="state warning">
        <ShieldAlert size={14} aria-hidden />
        <Trans>Infected</Trans>
      </span>
    )
  }
  if (damaged) {
    return (
      <span className="state warning">
        <FileWarning size={14} aria-hidden />
        <Trans>Damaged</Trans>
      </span>
    )
  }
  if (viewer_status === 'Failed') {
    return (
      <span className="state warning">
        <FileX2 size={14} aria-hidden />
        <Trans>No preview</Trans>
      </span>
    )
  }
  return viewer_status === 'Processing' ? <span className="state">{t`Being read…`}</span> : null
}

function Facts({ entry, columns, protection, holds }: ListRowProps) {
  const file = isFolder(entry) ? undefined : entry.source
  return (
    <>
      {columns === 'protected' && (
        <div role="gridcell" className="guard">
          {protection}
        </div>
      )}
      {columns === 'with-pages' && (
        <div role="gridcell" className="number">
          {file && file.pages > 0 ? number(file.pages) : ''}
        </div>
      )}
      <div role="gridcell" className="date">
        {entry.source.updated_at && shortDate(entry.source.updated_at)}
      </div>
      <div role="gridcell" className="number">
        {file ? bytes(file.file_size) : holds}
      </div>
    </>
  )
}

/** The columns in one line, for touch screens. */
function factsOf(entry: Entry): string {
  const changed = entry.source.updated_at && shortDate(entry.source.updated_at)
  if (isFolder(entry)) return [foldersIn(entry), changed].filter(Boolean).join(' · ')
  const { file_size, pages } = entry.source
  return [bytes(file_size), pages > 0 && plural(pages, { one: '# page', other: '# pages' }), changed]
    .filter(Boolean)
    .join(' · ')
}

const foldersIn = ({ source }: FolderEntry) => source.children > 0 && countWords({ folders: source.children, files: 0 })
