import { t } from '@lingui/core/macro'
import type { Input } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction } from '../../../api/query.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'

type Place = Partial<Input<typeof api.questions.placeFaq>['body']>

/** Places a published answer among the FAQ, or takes it back from all who read it. */
export function useFaq(question_id: string) {
  const params = { workspace_id: useWorkspaceId(), question_id }
  const toasts = useToasts()
  const onError = (error: Error) => toasts.failed(messageOf(error))
  const place = useAction(api.questions.placeFaq)
  const move = useAction(api.questions.move, {
    onDone: () => toasts.done(t`Only admins read the answer now. It is among the draft answers.`),
  })
  return {
    pending: place.isPending || move.isPending,
    place: (body: Place) => place.mutate({ params, body }, { onError }),
    unpublish: () => move.mutate({ params, body: { step: 'reopen' } }, { onError }),
  }
}
