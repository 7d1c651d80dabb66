import { activities } from './activities.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { documents } from './documents.ts'
import { downloads } from './downloads.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { folders } from './folders.ts'
import { groups } from './groups.ts'
import { organization } from './organization.ts'
import { permissions } from './permissions.ts'
import { sealedCopies } from './sealed-copies.ts'
import { sessions } from './sessions.ts'
import { signInCodes } from './sign-in-codes.ts'
import { teams } from './teams.ts'
import { trash } from './trash.ts'
import { uploads } from './uploads.ts'
import { users } from './users.ts'
import { watermarks } from './watermarks.ts'
import { workspaces } from './workspaces.ts'

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
  apiKeys,
  watermarks,
  workspaces,
  audit,
  trash,
  documents,
  sessions,
  signInCodes,
  sealedCopies,
  uploads,
  events,
}

export type Api = typeof api
