import type { Api } from '../../contract/index.ts'
import type { Handlers } from '../http/context.ts'
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

/** A handler for every endpoint of the contract; the compiler rejects a missing one. */
export const endpoints: { [Section in keyof Api]: Handlers<Api[Section]> } = {
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
