import { plural, t } from '@lingui/core/macro'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { MAX_FORESEEN } from '../../../../contract/endpoints/permissions.ts'
import { ApiFailure, messageOf } from '../../../api/failures.ts'
import { read, useReading } from '../../../api/query.ts'
import type { Named } from '../../../shared/names-of.ts'
import type { SeenWorkspace } from '../../../shared/view-as/seen-by.ts'
import { NotRead } from '../../../ui/states/not-read.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { Fact, Facts } from '../details/facts.tsx'
import { Section, Titled } from '../details/section.tsx'
import { useRested } from '../details/use-rested.ts'

type Foreseen = Reply<typeof api.permissions.downloadAs>

interface SeenZipProps {
  workspace: SeenWorkspace
  chosen: readonly Pick<Named, 'kind' | 'id'>[]
}

/** What the reader would get if they downloaded folders and files together. Nothing is made. */
export function SeenZip({ workspace, chosen }: SeenZipProps) {
  return (
    <Section aria-label={t`What they get`}>
      <Titled title={t`What they get`} />
      {chosen.length > MAX_FORESEEN ? (
        t`Choose fewer lines to see what a download of them would give.`
      ) : (
        <Zip workspace={workspace} chosen={chosen} />
      )}
    </Section>
  )
}

function Zip({ workspace: { id, seenAs }, chosen }: SeenZipProps) {
  const idsOf = (kind: Named['kind']) => chosen.filter((each) => each.kind === kind).map((each) => each.id)
  const query = { workspace_id: id, ...seenAs, folder_ids: idsOf('folder'), file_ids: idsOf('file') }
  const { data, error, refetch } = useReading({ ...read(api.permissions.downloadAs, { query }), enabled: useRested() })
  const refusal = error instanceof ApiFailure ? refusalWords(error.code) : undefined
  if (error && !refusal) return <NotRead reason={messageOf(error)} onRetry={() => void refetch()} />
  if (!data && !error) return <SkeletonRows rows={1} height={44} columns="minmax(0, 1fr)" />
  const leftOut = data && leftOutWords(data)
  return (
    <Facts sx={{ borderTop: 0, paddingTop: 0 }}>
      <Fact label={t`Download`}>{data ? zipWords(data) : refusal}</Fact>
      {leftOut && <Fact label={t`Left out`}>{leftOut}</Fact>}
    </Facts>
  )
}

function refusalWords(code: number): string | undefined {
  if (code === 403) return t`Not permitted, or not for all of it`
  if (code === 422) return t`None: a virus was found in one of the files`
  return code === 409 ? t`None until all of the files are checked for viruses` : undefined
}

function zipWords({ original, marked, sealed }: Foreseen): string {
  const parts = [
    original > 0 && plural(original, { one: '# original file', other: '# original files' }),
    marked > 0 && plural(marked, { one: '# copy with their watermark', other: '# copies with their watermark' }),
    sealed > 0 && plural(sealed, { one: '# sealed copy', other: '# sealed copies' }),
  ].filter((part) => part !== false)
  const files = parts.join(', ')
  return files === '' ? t`No files` : t`A zip with ${files}`
}

function leftOutWords({ left_out }: Foreseen): string {
  const { folders, infected, not_scanned, unmarkable, unsealable } = left_out
  return [
    folders > 0 &&
      plural(folders, { one: '# folder that they may not download', other: '# folders that they may not download' }),
    infected > 0 && plural(infected, { one: '# file with a virus', other: '# files with a virus' }),
    not_scanned > 0 &&
      plural(not_scanned, {
        one: '# file that is not checked for viruses yet',
        other: '# files that are not checked for viruses yet',
      }),
    unmarkable > 0 &&
      plural(unmarkable, {
        one: '# file that cannot carry their watermark',
        other: '# files that cannot carry their watermark',
      }),
    unsealable > 0 &&
      plural(unsealable, { one: '# file that cannot be sealed', other: '# files that cannot be sealed' }),
  ]
    .filter(Boolean)
    .join(', ')
}
