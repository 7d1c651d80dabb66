import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import { flagName } from '../../../shared/who/flag-name.ts'
import { flagLabel } from '../changes/describe-change.ts'
import type { GridGroup } from './grid-row.tsx'

/** Two rows that stick to the top: the groups, and the rights of each group. */
export function GridHead({ groups }: { groups: readonly GridGroup[] }) {
  return (
    <div role="rowgroup" className="head">
      <div role="row" className="row groups" aria-rowindex={1}>
        <div role="columnheader" className="folder" aria-label={t`Folder`} />
        {groups.map((group) => (
          <div role="columnheader" className="group last" key={group.id} aria-colspan={FLAGS.length} title={group.name}>
            <span className="name">{group.name}</span>
            {group.locked && <Lock size={13} strokeWidth={2} aria-label={group.locked} />}
          </div>
        ))}
      </div>
      <div role="row" className="row" aria-rowindex={2}>
        <div role="columnheader" className="folder">
          <Trans>Folder</Trans>
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
