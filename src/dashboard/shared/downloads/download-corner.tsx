import { lazy, Suspense } from 'react'
import { useMe } from '../session.ts'
import { useWorkspaceId } from '../workspace.ts'
import { useTrayMemory } from './tray-memory.ts'

const DownloadsTray = lazy(async () => ({ default: (await import('./downloads-tray.tsx')).DownloadsTray }))

/** The tray's place in the frame; its code is loaded when it first opens. */
export function DownloadCorner() {
  const workspaceId = useWorkspaceId()
  const { openIn } = useTrayMemory(useMe().id)
  return <Suspense>{openIn === workspaceId && <DownloadsTray workspaceId={workspaceId} />}</Suspense>
}
