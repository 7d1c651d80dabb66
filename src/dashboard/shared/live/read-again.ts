import type { QueryClient } from '@tanstack/react-query'
import { activities } from '../../../contract/endpoints/activities.ts'
import { refresh } from '../../api/query.ts'
import type { Change } from './follow-workspace.ts'

/** Changes within this time are read together. */
const SETTLE_MS = 150
/** Minimum time between two readings in a busy room. */
const REST_MS = 1000
/** The same for the user's own changes, such as an upload of thousands of files, which reads again by itself. */
const OWN_REST_MS = 3000
/** An action of this page reads again by itself; its event arrives within this time. */
const ECHO_MS = 3000

/**
 * Reads the queries on the screen again after changes elsewhere: soon, but never during an action of this page. The
 * action reads again when it is done, and an earlier reply would undo its optimistic update.
 */
export function createReader(client: QueryClient) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = 0
  let actedAt = Number.NEGATIVE_INFINITY
  let all = false

  const unsubscribe = client.getMutationCache().subscribe(({ type }) => {
    if (type === 'updated') actedAt = Date.now()
  })

  function soon(everything: boolean, rest = REST_MS): void {
    all ||= everything
    timer ??= setTimeout(run, Math.max(SETTLE_MS, readAt + rest - Date.now()))
  }

  function run(): void {
    timer = undefined
    if (client.isMutating() > 0) return soon(false)
    readAt = Date.now()
    // An act that only reads is visible only in the activities.
    void (all ? refresh(client) : client.invalidateQueries({ predicate: ofActivities }))
    all = false
  }

  return {
    change({ kinds, own }: Change): void {
      const echo = own && (client.isMutating() > 0 || Date.now() - actedAt < ECHO_MS)
      soon(!echo && kinds.some((kind) => kind !== 'activities'), own ? OWN_REST_MS : REST_MS)
    },
    everything: () => soon(true),
    stop(): void {
      clearTimeout(timer)
      unsubscribe()
    },
  }
}

const PATHS = Object.values(activities).map(({ method, path }) => `${method} ${path}`)

const ofActivities = ({ queryKey: [endpoint] }: { queryKey: readonly unknown[] }) => PATHS.includes(String(endpoint))
