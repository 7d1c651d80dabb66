import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { ShieldCheck } from 'lucide-react'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import type { Transfer } from '../../../shared/listing/bulk-words.ts'
import { isFolder, type Entry } from '../../../shared/listing/entries.ts'
import { ForeseenList } from '../../../shared/who/foreseen-list.tsx'
import { changesNothing } from '../../../shared/who/foreseen-words.ts'
import type { Foreseen } from './use-foreseen-rights.ts'

interface RightsNoteProps {
  verb: Transfer
  entries: readonly Entry[]
  /** Name of the destination folder, once it is chosen. */
  to: string | undefined
  foreseen: Foreseen
}

/** Says who will see the moved or copied entries: the rule (decisions, section 5) and its effect. */
export function RightsNote({ verb, entries, to, foreseen: { rights, loading } }: RightsNoteProps) {
  return (
    <>
      <Typography color="textSecondary" component="div" sx={{ display: 'flex', gap: 1 }}>
        <ShieldCheck size={16} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
        <span>
          {ruleOf(verb, entries, to)}{' '}
          {rights && changesNothing(rights) && <Trans>Nobody gains or loses access by it.</Trans>}
        </span>
      </Typography>
      {loading && <SkeletonRows rows={2} height={44} columns="minmax(0, 1fr)" />}
      {rights && !changesNothing(rights) && <ForeseenList rights={rights} />}
    </>
  )
}

function ruleOf(verb: Transfer, entries: readonly Entry[], to: string | undefined): string {
  if (!entries.some(isFolder)) {
    return to === undefined
      ? t`Who may see the folder you choose may see what is put there.`
      : t`Who may see “${to}” may see what is put there.`
  }
  if (verb === 'copy') {
    return to === undefined
      ? t`The copy of a folder takes the rights of the folder you choose.`
      : t`The copy of a folder takes the rights of “${to}”.`
  }
  return to === undefined
    ? t`A moved folder takes the rights of the folder you choose; rights set on it or on folders inside it are dropped.`
    : t`A moved folder takes the rights of “${to}”; rights set on it or on folders inside it are dropped.`
}
