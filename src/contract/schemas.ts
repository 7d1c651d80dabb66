import * as z from 'zod/mini'
import * as activities from './activities.ts'
import * as apiKeys from './api-keys.ts'
import * as audit from './audit.ts'
import * as documents from './documents.ts'
import * as downloads from './downloads.ts'
import * as errors from './errors.ts'
import * as files from './files.ts'
import * as folders from './folders.ts'
import * as groups from './groups.ts'
import * as organization from './organization.ts'
import * as permissions from './permissions.ts'
import * as sealedCopies from './sealed-copies.ts'
import * as sessions from './sessions.ts'
import * as signInCodes from './sign-in-codes.ts'
import * as teams from './teams.ts'
import * as trash from './trash.ts'
import * as uploads from './uploads.ts'
import * as users from './users.ts'
import * as watermarks from './watermarks.ts'
import * as workspaces from './workspaces.ts'

const SECTIONS = [
  errors,
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
]

/** The objects in replies, by name: the export `groupInfo` of a section becomes `GroupInfo`. */
export const namedSchemas: ReadonlyMap<string, z.ZodMiniType> = new Map(
  SECTIONS.flatMap((section) =>
    Object.entries(section)
      .filter((entry): entry is [string, z.ZodMiniObject] => entry[1] instanceof z.ZodMiniObject)
      .map(([name, schema]) => [name.charAt(0).toUpperCase() + name.slice(1), schema] as const),
  ),
)
