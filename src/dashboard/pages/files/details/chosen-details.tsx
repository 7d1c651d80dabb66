import { sealedWords, unsealableWords } from '../../../shared/sealed-copies/sealed-words.ts'
import { actionsAt, isSealedFile, isWithoutPages, type Action } from '../actions.ts'
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
  const isSealed = offered.some(({ id }) => id === 'downloadSealed')
  const isWithheld = isSealedFile(situation, chosen) && chosen.some(isWithoutPages)
  const actions = (
    <DetailsActions
      note={isSealed ? sealedWords() : isWithheld ? unsealableWords() : undefined}
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
