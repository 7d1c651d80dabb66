import type { AnyEndpoint, Call } from '../../../contract/endpoint.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { type GroupInfo, groupQuery, groupsQuery } from './group-info.ts'

/** Runs one action on a group. The result is shown at once, and taken back with the reason if the action is refused. */
export function useGroupAction<E extends AnyEndpoint>(
  endpoint: E,
  { id, workspace_id }: GroupInfo,
  outcome: (call: Call<E>) => Partial<GroupInfo>,
) {
  const toasts = useToasts()
  const action = useAction(endpoint, {
    optimistic: (call, foresee) => {
      const changed = (before: GroupInfo) => (before.id === id ? { ...before, ...outcome(call) } : before)
      foresee(groupQuery(workspace_id, id), changed)
      foresee(groupsQuery(workspace_id), (before) => before.map(changed))
    },
  })
  return (call: Call<E>, onDone?: () => void) =>
    action.mutate(call, { onSuccess: () => onDone?.(), onError: (error) => toasts.failed(messageOf(error)) })
}
