import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { DEFAULT_LOOK } from '../../../contract/endpoints/looks/default-look.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction, useRead } from '../../api/query.ts'
import { WatermarkPreview } from '../../shared/watermark-preview.tsx'
import { Note } from '../../ui/states/note.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { useUnsavedChanges } from '../../ui/dialogs/use-unsaved-changes.ts'
import type { TeamInfo } from './team-info.ts'
import {
  changeOf,
  isLookValid,
  type Look,
  lookOf,
  type Watermark,
  watermarksQuery,
  withDraft,
} from './watermark-draft.ts'
import { WatermarkForm } from './watermark-form.tsx'
import { WatermarkList } from './watermark-list.tsx'

interface Draft {
  /** Undefined for a new placement. */
  id: number | undefined
  look: Look
  /** The look at the beginning of the edit. */
  begun: Look
}

/** The picture follows a pause in dragging or typing of this length, in milliseconds. */
const PAUSE = 250

/** For members of the team: the placements of its watermark, drawn by the service as it will draw them on pages. */
export function WatermarkEditor({ team }: { team: TeamInfo }) {
  const watermarks = useRead(watermarksQuery(team.id))
  const [draft, setDraft] = useState<Draft>()
  const drawn = withDraft(watermarks, draft && isLookValid(draft.look) ? draft : undefined)
  const looks = useSettled(drawn, JSON.stringify(drawn), PAUSE)
  return (
    <Columns>
      <WatermarkPreview
        label={t`The watermark on a sample page, with you as the reader`}
        queryFor={(page) => read(api.watermarks.preview, { body: { team_id: team.id, watermarks: looks, ...page } })}
      />
      <div style={{ maxWidth: 640 }}>
        {draft ? (
          <DraftForm team={team} draft={draft} watermarks={watermarks} onChange={setDraft} />
        ) : (
          <Placements team={team} watermarks={watermarks} onDraft={setDraft} />
        )}
      </div>
    </Columns>
  )
}

interface DraftFormProps {
  team: TeamInfo
  draft: Draft
  watermarks: readonly Watermark[]
  onChange: (draft: Draft | undefined) => void
}

function DraftForm({ team, draft, watermarks, onChange }: DraftFormProps) {
  const { id, look, begun } = draft
  const toasts = useToasts()
  const onDone = () => {
    toasts.done(t`The watermark is saved`)
    onChange(undefined)
  }
  const create = useAction(api.watermarks.create, { onDone })
  const update = useAction(api.watermarks.update, { onDone })
  const stored = watermarks.find((each) => each.id === id)
  const error = create.error ?? update.error
  const change = changeOf(begun, look)
  const changed = Object.keys(change).length > 0
  useUnsavedChanges(changed)
  const save = () => {
    if (stored) update.mutate({ params: { id: stored.id }, body: change })
    else create.mutate({ body: { team_id: team.id, ...look } })
  }
  return (
    <WatermarkForm
      look={look}
      isNew={stored === undefined}
      changed={changed}
      pending={create.isPending || update.isPending}
      error={error ? messageOf(error) : undefined}
      meanwhile={id !== undefined && <Meanwhile stored={stored} begun={begun} onTake={onChange} />}
      onChange={(more) => onChange({ ...draft, look: { ...look, ...more } })}
      onSave={save}
      onCancel={() => onChange(undefined)}
    />
  )
}

interface MeanwhileProps {
  stored: Watermark | undefined
  begun: Look
  onTake: (draft: Draft) => void
}

/** Says what another user did to the placement meanwhile. Saving changes only the fields that this user changed. */
function Meanwhile({ stored, begun, onTake }: MeanwhileProps) {
  if (!stored) return <Note icon={UsersRound}>{t`Somebody deleted this placement meanwhile.`}</Note>
  const look = lookOf(stored)
  if (Object.keys(changeOf(begun, look)).length === 0) return null
  return (
    <Note icon={UsersRound}>
      <Trans>Somebody changed this placement meanwhile.</Trans>{' '}
      <Link component="button" type="button" onClick={() => onTake({ id: stored.id, look, begun: look })}>
        <Trans>Use that instead</Trans>
      </Link>
    </Note>
  )
}

interface PlacementsProps {
  team: TeamInfo
  watermarks: readonly Watermark[]
  onDraft: (draft: Draft) => void
}

function Placements({ team, watermarks, onDraft }: PlacementsProps) {
  const toasts = useToasts()
  const restore = useAction(api.watermarks.create)
  const remove = useAction(api.watermarks.remove)
  const begin = (id: number | undefined, look: Look) => onDraft({ id, look, begun: look })
  const removeOne = (watermark: Watermark) => {
    // A restored placement is the newest, and would hide the one that hid it.
    const isHidden = watermarks.some(({ id, vposition }) => id > watermark.id && vposition === watermark.vposition)
    // The list may be gone when the deletion is undone.
    const undo = () =>
      void restore
        .mutateAsync({ body: { team_id: team.id, ...lookOf(watermark) } })
        .catch((error: unknown) => toasts.failed(messageOf(error)))
    remove.mutate(
      { params: { id: watermark.id } },
      {
        onSuccess: () => toasts.done(t`The placement is deleted`, isHidden ? undefined : undo),
        onError: (error) => toasts.failed(messageOf(error)),
      },
    )
  }
  return (
    <WatermarkList
      watermarks={watermarks}
      onAdd={() => begin(undefined, { ...DEFAULT_LOOK, vposition: freeHeight(watermarks) })}
      onEdit={(watermark) => begin(watermark.id, lookOf(watermark))}
      onRemove={removeOne}
    />
  )
}

/** A new placement begins at a height where it hides no other. */
function freeHeight(watermarks: readonly Watermark[]): Look['vposition'] {
  const taken = new Set(watermarks.map(({ vposition }) => vposition))
  return (['center', 'bottom', 'top'] as const).find((vposition) => !taken.has(vposition)) ?? 'center'
}

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 340px) minmax(0, 1fr)',
  gap: 28,
  alignItems: 'start',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)', gap: 20 },
}))
