import type { Activity } from '../audit/activities.ts'
import { type Changes, created, type Named, naming, removed } from '../audit/audit.ts'

type Done = 'added' | 'removed'

interface Of {
  name: string
  is_draft: boolean
}

/** Whoever is added to a draft waits for it. */
export const groupMembershipAct = (
  done: Done,
  id: number | null,
  user: Named,
  { name: group, is_draft }: Of,
): Activity => ({
  act: is_draft ? `waiting_member_${done}` : `group_member_${done}`,
  ...naming(user, { group }),
  subject_id: id,
  changes: userChange(done, user),
})

export const membershipAct = (done: Done, id: number | null, user: Named): Activity => ({
  act: `member_${done}`,
  ...naming(user),
  subject_id: id,
  changes: userChange(done, user),
})

const userChange = (done: Done, { id: user_id }: Named): Changes =>
  done === 'added' ? created({ user_id }) : removed({ user_id })
