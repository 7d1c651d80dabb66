import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Eye, Lock } from 'lucide-react'
import { Link } from 'react-router-dom'
import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import { paths } from '../../../paths.ts'
import { DraftChip } from '../../../shared/listing/draft-chip.tsx'
import { flagName } from '../../../shared/who/flag-name.ts'
import { flagLabel } from '../changes/describe-change.ts'
import type { GridGroup } from './grid-row.tsx'

interface GridHeadProps {
  workspaceId: number
  groups: readonly GridGroup[]
  /** Only admins may see what a group sees. */
  isAdmin: boolean
}

/** Two rows that stick to the top: the groups, and the rights of each group. */
export function GridHead({ workspaceId, groups, isAdmin }: GridHeadProps) {
  return (
    <div role="rowgroup" className="head">
      <div role="row" className="row groups" aria-rowindex={1}>
        <div role="columnheader" className="folder" aria-label={t`Folder`} />
        {groups.map((group) => (
          <div role="columnheader" className="group last" key={group.id} aria-colspan={FLAGS.length} title={group.name}>
            <span>
              <span className="name">{group.name}</span>
              {group.isDraft && <DraftChip>{t({ message: 'Draft', context: 'group' })}</DraftChip>}
              {group.locked && <Lock size={13} strokeWidth={2} aria-label={group.locked} />}
              {isAdmin && <ViewAs workspaceId={workspaceId} group={group} />}
            </span>
            <small>{group.people}</small>
            <Terms group={group} />
          </div>
        ))}
      </div>
      <div role="row" className="row" aria-rowindex={2}>
        <div role="columnheader" className="folder">
          <Trans>Folder</Trans>
          {isAdmin && <span className="documents">{t`Documents`}</span>}
        </div>
        {groups.map((group) =>
          FLAGS.map((flag) => (
            <div
              role="columnheader"
              key={`${group.id} ${flag}`}
              className={flag === FLAGS.at(-1) ? 'right last' : 'right'}
              aria-label={flagLabel(flag, group.name)}
              title={flagName(flag)}
            >
              <span>{flagName(flag)}</span>
            </div>
          )),
        )}
      </div>
    </div>
  )
}

/** How the group is protected, and until when; an end that is near stands out. */
function Terms({ group: { protection, end } }: { group: GridGroup }) {
  const words = [protection, end?.words].filter(Boolean).join(' · ')
  return (
    <small title={words}>
      {protection}
      {protection !== '' && end && ' · '}
      {end && <span className={end.isNear ? 'near' : undefined}>{end.words}</span>}
    </small>
  )
}

/** Out of the tab order, which is the grid's: the menu of a cell leads to the same page. */
function ViewAs({ workspaceId, group: { id, name } }: { workspaceId: number; group: GridGroup }) {
  const label = t`View as ${name}`
  return (
    <Link className="who" tabIndex={-1} to={paths.viewAs(workspaceId, { group: id })} aria-label={label} title={label}>
      <Eye size={15} aria-hidden />
    </Link>
  )
}
