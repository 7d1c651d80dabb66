import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'

/** What questions are to a member of the workspace; undefined to admins, who see and answer all. */
export function useQuestions(workspace: { id: number; admin: boolean } | undefined) {
  const { id = -1, admin = true } = workspace ?? {}
  return useReading({ ...read(api.questions.getSettings, { params: { workspace_id: id } }), enabled: !admin }).data
}
