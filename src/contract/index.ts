import { activities } from './endpoints/activities.ts'
import { apiKeys } from './endpoints/api-keys.ts'
import { audit } from './endpoints/audit.ts'
import { brandings } from './endpoints/deal/branding.ts'
import { draftGroups } from './endpoints/deal/draft-groups.ts'
import { drafts } from './endpoints/deal/drafts.ts'
import { engagement } from './endpoints/deal/engagement.ts'
import { experts } from './endpoints/deal/experts.ts'
import { questions } from './endpoints/deal/questions.ts'
import { documents } from './endpoints/documents.ts'
import { downloads } from './endpoints/downloads.ts'
import { events } from './endpoints/events.ts'
import { files } from './endpoints/files.ts'
import { folders } from './endpoints/folders.ts'
import { groups } from './endpoints/groups.ts'
import { news } from './endpoints/deal/news.ts'
import { notifications } from './endpoints/deal/notifications.ts'
import { organization } from './endpoints/organization.ts'
import { permissions } from './endpoints/permissions.ts'
import { sealedCopies } from './endpoints/sealed-copies.ts'
import { sessions } from './endpoints/sessions.ts'
import { signInCodes } from './endpoints/sign-in-codes.ts'
import { system } from './endpoints/installation/system.ts'
import { stagedRights } from './endpoints/deal/staged-rights.ts'
import { teams } from './endpoints/teams.ts'
import { terms } from './endpoints/deal/terms.ts'
import { templates } from './endpoints/deal/templates.ts'
import { trash } from './endpoints/trash.ts'
import { uploads } from './endpoints/uploads.ts'
import { users } from './endpoints/users.ts'
import { watermarks } from './endpoints/watermarks.ts'
import { workspaces } from './endpoints/workspaces.ts'

/** The whole API by section, in the order of the API description. */
export const api = {
  files,
  activities,
  downloads,
  folders,
  groups,
  organization,
  permissions,
  teams,
  users,
  news,
  notifications,
  apiKeys,
  watermarks,
  workspaces,
  templates,
  drafts,
  draftGroups,
  stagedRights,
  audit,
  trash,
  documents,
  sessions,
  signInCodes,
  sealedCopies,
  uploads,
  events,
  system,
  engagement,
  terms,
  questions,
  experts,
  brandings,
}

export type Api = typeof api
