/** Scopes of personal API keys; each endpoint names the one it takes (decisions, section 10). */
export const SCOPES = {
  'files:read': 'List, search and read files',
  'files:write': 'Upload, change, copy, move, delete and restore files',
  'folders:read': 'List and read folders',
  'folders:write': 'Create, change, copy, move and delete folders',
  'groups:read': 'Read groups and their members',
  'groups:write': 'Create, change and delete groups, add and remove their members',
  'permissions:read': 'Read folder permissions',
  'permissions:write': 'Grant and revoke folder permissions',
  'downloads:write': 'Download files and zips',
  'activities:read': 'Read the activities of a workspace',
  'questions:read': 'Read questions and answers',
  'questions:write': 'Ask, answer and publish, set who may ask, pass questions to experts and reply as one',
  'watermarks:read': 'Read watermark settings',
  'watermarks:write': 'Create, change and delete watermark settings',
  'teams:read': 'Read teams and their members',
  'teams:write': 'Create and change teams, add and remove their members',
  'workspaces:read': 'Read workspaces and their members',
  'workspaces:write': 'Create and change workspaces, switch their API access',
  'organization:read': 'Read the organization and its users',
  'organization:write': 'Change the organization and its admins',
  'users:write': 'Create, remind and delete users',
} as const

export type Scope = keyof typeof SCOPES

export const scopeNames = Object.keys(SCOPES) as [Scope, ...Scope[]]
