import { lazy, type ReactNode, Suspense } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { useQuestions } from '../../../shared/frame/use-questions.ts'
import type { FileEntry } from '../../../shared/listing/entries.ts'
import { withTexts } from '../../../ui/words/language.ts'
import { useUnread } from '../use-unread.ts'
import { FileFacts, FileHead } from './file-facts.tsx'
import { FileSealedCopies } from './file-sealed-copies.tsx'
import { Preview } from './preview.tsx'
import { useRested } from './use-rested.ts'

const QuestionsOn = lazy(
  withTexts('deal', async () => ({ default: (await import('../../../shared/asking/questions-on.tsx')).QuestionsOn })),
)

/** While a preview is being made, the file is read again at this interval (milliseconds), at most this many times. */
const ASK_EVERY = 4000
const ASK_TIMES = 30

interface FileDetailsProps {
  workspaceId: number
  entry: FileEntry
  folderPath: string
  /** Whether the user administers the workspace. */
  admin: boolean
  actions: ReactNode
  order: ReactNode
  /** The groups that may enter the file's folder. */
  access: ReactNode
  activity: ReactNode
  versions: ReactNode
}

export function FileDetails(props: FileDetailsProps) {
  const { workspaceId, entry, folderPath, admin, actions, order, access, activity, versions } = props
  const { source } = entry
  const rested = useRested()
  const hasQuestions = useQuestions({ id: workspaceId, admin })?.shown ?? admin
  const { data, refetch } = useReading({
    ...read(api.files.get, { params: { id: entry.id }, query: { workspace_id: workspaceId } }),
    enabled: rested,
    refetchInterval: ({ state }) => isComing(state.data) && state.dataUpdateCount < ASK_TIMES && ASK_EVERY,
  })
  return (
    <>
      <Preview
        id={entry.id}
        name={source.file_name}
        infected={source.infected === true}
        kind={source.kind}
        image={data?.viewer_image}
        to={paths.view(workspaceId, entry.id)}
        renew={() => refetch({ throwOnError: true })}
      />
      <FileHead entry={entry} unread={useUnread().has(entry.key)} />
      {actions}
      {access}
      {activity}
      {versions}
      <FileFacts entry={entry} folderPath={folderPath} admin={admin} order={order} sha256={data?.sha256} />
      {rested && hasQuestions && (
        <Suspense>
          <QuestionsOn workspaceId={workspaceId} fileId={entry.id} />
        </Suspense>
      )}
      <FileSealedCopies workspaceId={workspaceId} fileId={entry.id} enabled={rested} />
    </>
  )
}

const isComing = (file: Reply<typeof api.files.get> | undefined) =>
  file?.viewer_image.status === 'Pending' || file?.viewer_image.status === 'Processing'
