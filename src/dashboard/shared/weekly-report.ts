import { api } from '../../contract/index.ts'
import { messageOf } from '../api/failures.ts'
import { read, useAction } from '../api/query.ts'
import { useToasts } from '../ui/toasts/toasts.tsx'

export const notificationsQuery = () => read(api.notifications.get)

/** Returns a function that chooses whether the weekly report of a workspace is mailed to the user. */
export function useWeeklyReport() {
  const toasts = useToasts()
  const set = useAction(api.notifications.setWeeklyReport, {
    optimistic: ({ params, body: { weekly_report } }, foresee) =>
      foresee(notificationsQuery(), ({ workspaces, ...rest }) => ({
        ...rest,
        workspaces: workspaces.map((each) => (each.workspace_id === params.id ? { ...each, weekly_report } : each)),
      })),
  })
  return (id: number, weekly_report: boolean, onSuccess?: () => void) =>
    set.mutate(
      { params: { id }, body: { weekly_report } },
      { onError: (error) => toasts.failed(messageOf(error)), ...(onSuccess && { onSuccess }) },
    )
}
