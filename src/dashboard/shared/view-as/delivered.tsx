import { Trans } from '@lingui/react/macro'
import { useReading } from '../../api/query.ts'
import type { FileEntry } from '../listing/entries.ts'
import type { Reader } from '../listing/folder-query.ts'
import { downloadWords, handlingQuery } from './handling.ts'

interface DeliveredProps {
  workspaceId: number
  reader: Reader
  file: FileEntry['source']
}

/** Says what a download would give, in place of a button that gives it. */
export function Delivered({ workspaceId, reader, file }: DeliveredProps) {
  const { data } = useReading(handlingQuery(workspaceId, file.id, reader))
  const words = data && downloadWords(file, data)
  return (
    words && (
      <>
        {' '}
        <Trans>Download: {words}.</Trans>
      </>
    )
  )
}
