import { useReading } from '../../../api/query.ts'
import { welcomeQuery } from '../../../shared/welcome-query.ts'
import { actionsAt, type Action } from '../actions.ts'
import type { Entry, FolderContent } from '../../../shared/listing/entries.ts'
import { useRoomCommands } from '../room-commands.tsx'
import { useRoomAddress } from '../room-listing.tsx'
import type { OpenMenu } from '../room-menu.tsx'
import { DetailsActions, OrderButtons } from './details-actions.tsx'
import { Details } from './details.tsx'

interface ChosenDetailsProps {
  chosen: readonly Entry[]
  content: FolderContent
  situation: Parameters<typeof actionsAt>[1]
  onMenu: OpenMenu
}

export function ChosenDetails({ chosen, content, situation, onMenu }: ChosenDetailsProps) {
  const { workspace } = useRoomAddress()
  const { commands } = useRoomCommands()
  const run = (action: Action) => action.run(commands, chosen)
  const offered = actionsAt('details', situation, chosen)
  const mayDownload = offered.some(({ id }) => id === 'download')
  const isReadersFile = !workspace.admin && mayDownload && chosen.length === 1 && chosen[0]?.kind === 'file'
  const { data: welcome } = useReading({ ...welcomeQuery(workspace.id), enabled: isReadersFile })
  const actions = (
    <DetailsActions
      sealed={isReadersFile && welcome?.protection?.sealed === 'all'}
      actions={offered}
      onRun={run}
      onMenu={(at) => onMenu(at, chosen[0])}
    />
  )
  const order = <OrderButtons actions={actionsAt('order', situation, chosen)} onRun={run} />
  return (
    <Details
      workspace={workspace}
      content={content}
      chosen={chosen}
      actions={actions}
      order={order}
      onWho={() => commands.ask('who', chosen)}
    />
  )
}
