import { plural, t } from '@lingui/core/macro'
import { Layers } from 'lucide-react'
import { memo, type CSSProperties } from 'react'
import { Link } from 'react-router-dom'
import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import { withoutNumber } from '../../../../contract/outline/outline.ts'
import { DraftChip } from '../../../shared/listing/draft-chip.tsx'
import { SIZES } from '../../../theme.ts'
import { number } from '../../../ui/words/format.ts'
import { cellLabel, stagedLabel } from '../changes/describe-change.ts'
import { type FolderNode, ROOT } from '../sheet/folder-tree.ts'
import type { CellState } from '../sheet/rights.ts'
import { CHEVRON, EYE, FOLDER, WHO } from './row-icons.tsx'

const INDENT = 18

export interface GridGroup {
  id: number
  name: string
  isDraft: boolean
  /** Why none of the group's rights can be changed; undefined if they can. */
  locked: string | undefined
  /** "6 people, 3 not invited"; "" where the caller may not know. */
  people: string
  /** "Watermark, sealed"; "" for groups that are exempt. */
  protection: string
  /** When its access ends or ended; undefined without an end. */
  end: { words: string; isNear: boolean } | undefined
}

interface GridRowProps {
  node: FolderNode
  /** 1-based, counting the head. */
  rowIndex: number
  top: number
  siblings: number
  /** Its number: "2.3". */
  outline: string
  /** "Corporate, Finance". */
  path: string
  /** Undefined if there is nothing to expand. */
  expanded: boolean | undefined
  loading: boolean
  /** It is a draft or in one, and its rights do not apply yet. */
  draft: boolean
  /** Files in it and below; undefined where they are not counted. */
  documents: number | undefined
  groups: readonly GridGroup[]
  /** `statesOf` all cells: a single primitive, so that an unchanged row is not drawn again. */
  states: string
  /** Leads to the folder as the group of the cell under the pointer sees it; "" in other rows. */
  viewAs: string
  viewedGroup: number | undefined
  /** Column with the roving tab stop. 0 is the folder; -1 means that the stop is in another row. */
  stop: number
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { node, groups, stop } = props
  const states = props.states.split(' ')
  const style: CSSProperties = { transform: `translateY(${props.top}px)` }
  return (
    <div
      role="row"
      className={`row${stop >= 0 ? ' at' : ''}${node.id === ROOT ? ' top' : ''}`}
      data-folder={node.id}
      style={style}
      aria-rowindex={props.rowIndex}
      aria-level={node.depth + 1}
      aria-posinset={node.position}
      aria-setsize={props.siblings}
      aria-expanded={props.expanded}
      aria-busy={props.loading || undefined}
    >
      <FolderCell {...props} />
      {groups.map((group, at) =>
        FLAGS.map((flag, place) => {
          const column = at * FLAGS.length + place
          const told = states[column] ?? ''
          const isStaged = told.endsWith('*')
          const [state = 'off', count] = told.replace('*', '').split(':') as [CellState, string?]
          return (
            <div role="gridcell" key={column} className={place === FLAGS.length - 1 ? 'right last' : 'right'}>
              <span
                role="checkbox"
                className={`box ${state}${group.locked ? ' locked' : ''}${isStaged ? ' staged' : ''}`}
                data-column={column + 1}
                tabIndex={stop === column + 1 ? 0 : -1}
                aria-checked={state === 'mixed' ? 'mixed' : state !== 'off'}
                aria-disabled={group.locked ? true : undefined}
                aria-label={
                  isStaged ? stagedLabel(flag, group.name, props.path) : cellLabel(flag, group.name, props.path)
                }
              />
              {place === FLAGS.length - 1 && group.id === props.viewedGroup && (
                <ViewAs to={props.viewAs} name={group.name} />
              )}
              {count && (
                <small aria-hidden>
                  {count.split('/')[0]}/<wbr />
                  {count.split('/')[1]}
                </small>
              )}
            </div>
          )
        }),
      )}
    </div>
  )
})

/** Out of the tab order, which is the grid's: the menu of a cell leads to the same page. */
function ViewAs({ to, name }: { to: string; name: string }) {
  const label = t`View as ${name}`
  return (
    <Link className="seen" tabIndex={-1} to={to} aria-label={label} title={label}>
      {EYE}
    </Link>
  )
}

function FolderCell({ node, outline, expanded, loading, draft, documents, stop }: GridRowProps) {
  const { name } = node
  return (
    <div
      role="rowheader"
      className="folder"
      data-column={0}
      tabIndex={stop === 0 ? 0 : -1}
      title={name}
      style={{ paddingLeft: 10 + Math.max(node.depth - 1, 0) * INDENT, height: SIZES.gridRow - 1 }}
    >
      {node.id !== ROOT && <span className="chevron">{expanded !== undefined && CHEVRON}</span>}
      {node.id === ROOT ? <Layers size={16} aria-hidden /> : FOLDER}
      <span className={draft ? 'name drafted' : 'name'}>
        {node.id !== ROOT && <span className="outline">{outline} </span>}
        {withoutNumber(name, outline)}
        {loading && <span className="outline"> …</span>}
      </span>
      {draft && (
        <DraftChip className="chip" title={t`These rights apply once the folder is published.`}>
          {t({ message: 'Draft', context: 'folder' })}
        </DraftChip>
      )}
      <button
        type="button"
        className="who"
        tabIndex={-1}
        aria-label={t`Who can see ${name}?`}
        title={t`Who can see this? (Ctrl+I)`}
      >
        {WHO}
      </button>
      {documents !== undefined && (
        <small className="documents">
          {number(documents)}
          <span className="unit"> {plural({ documents }, { one: 'document', other: 'documents' })}</span>
        </small>
      )}
    </div>
  )
}
