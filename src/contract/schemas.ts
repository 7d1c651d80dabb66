import * as z from 'zod/mini'
import * as activities from './endpoints/activities.ts'
import * as apiKeys from './endpoints/api-keys.ts'
import * as audit from './endpoints/audit.ts'
import * as brandings from './endpoints/deal/branding.ts'
import * as draftGroups from './endpoints/deal/draft-groups.ts'
import * as experts from './endpoints/deal/experts.ts'
import * as questions from './endpoints/deal/questions.ts'
import * as documents from './endpoints/documents.ts'
import * as downloads from './endpoints/downloads.ts'
import * as drafts from './endpoints/deal/drafts.ts'
import * as errors from './errors.ts'
import * as files from './endpoints/files.ts'
import * as folders from './endpoints/folders.ts'
import * as groups from './endpoints/groups.ts'
import * as news from './endpoints/deal/news.ts'
import * as notifications from './endpoints/deal/notifications.ts'
import * as organization from './endpoints/organization.ts'
import * as permissions from './endpoints/permissions.ts'
import * as sealedCopies from './endpoints/sealed-copies.ts'
import * as sessions from './endpoints/sessions.ts'
import * as signInCodes from './endpoints/sign-in-codes.ts'
import * as system from './endpoints/installation/system.ts'
import * as teams from './endpoints/teams.ts'
import * as terms from './endpoints/deal/terms.ts'
import * as templates from './endpoints/deal/templates.ts'
import * as trash from './endpoints/trash.ts'
import * as uploads from './endpoints/uploads.ts'
import * as users from './endpoints/users.ts'
import * as watermarks from './endpoints/watermarks.ts'
import * as workspaces from './endpoints/workspaces.ts'

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
  news,
  notifications,
  apiKeys,
  watermarks,
  workspaces,
  templates,
  drafts,
  draftGroups,
  audit,
  trash,
  documents,
  sessions,
  signInCodes,
  sealedCopies,
  uploads,
  system,
  terms,
  questions,
  experts,
  brandings,
]

/** The objects in replies, by name: the export `groupInfo` of a section becomes `GroupInfo`. */
export const namedSchemas: ReadonlyMap<string, z.ZodMiniType> = new Map(
  SECTIONS.flatMap((section) =>
    Object.entries(section)
      .filter((entry): entry is [string, z.ZodMiniObject] => entry[1] instanceof z.ZodMiniObject)
      .map(([name, schema]) => [name.charAt(0).toUpperCase() + name.slice(1), schema] as const),
  ),
)
