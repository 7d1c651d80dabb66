import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followWorkspace } from './follow-workspace.ts'
import { createReader } from './read-again.ts'

/** Keeps the screen up to date with the workspace, whoever changes it. An id of -1 stands for no workspace. */
export function useLiveWorkspace(workspaceId: number): void {
  const client = useQueryClient()
  useEffect(() => {
    if (workspaceId < 0 || typeof EventSource === 'undefined') return undefined
    const reader = createReader(client)
    const leave = followWorkspace(workspaceId, { onChange: reader.change, onGap: reader.everything })
    return () => {
      leave()
      reader.stop()
    }
  }, [client, workspaceId])
}
