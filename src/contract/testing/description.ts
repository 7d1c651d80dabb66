/**
 * The declarations of the published description of version 1, from its tables. A type is `int`, `string`, `boolean`,
 * `date`, `object`, `int[]`, `string[]` or choices (`grant|revoke`); `!` means required, `=` a default. `?` marks a
 * field that may be null although the description declares it (decisions, sections 6 and 11).
 */

interface Described {
  /** Method and path. */
  call: string
  /** `place name:type`, nested names with dots. */
  takes?: string[]
  /** The description does not show the rest of the input (notes B and C). */
  takesMore?: true
  success: 200 | 201 | 204
  /** Fields of the reply, or of each element of a list. */
  gives?: Record<string, string>
  /** `bare`, or the property that contains the list. */
  list?: 'bare' | string
}

const fields = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(/\s+/).map((each) => each.split(':') as [string, string]))

const TIMES = 'created_at:string updated_at:string'
const FILE_COMPACT = fields(
  `id:int title:string file_name:string file_size:string file_content_type:string index:int ${TIMES}`,
)
const FILE_MAPPED = {
  ...FILE_COMPACT,
  ...fields('folder_id:int pages:int version:int infected:boolean? viewer_image:object'),
  ...fields('viewer_image.status:string viewer_image.page_number:int viewer_image.expiring_url:string'),
  ...fields('viewer_image.expiring_thumbnail_url:string'),
}
const FILE_FOUND = fields(
  `id:int title:string file_name:string file_content_type:string index:int folder_id:int folder_name:string ${TIMES}`,
)
const ACTIVITY = fields(
  'id:int user_id:int user_name:string workspace_id:int verb:string message:string subject_type:string? subject_id:int? created_at:string',
)
/** The description declares each id field as one integer; there may be several ids. */
const DOWNLOAD = fields('id:int user_id:int file_ids:int[] folder_ids:int[] status:string created_at:string')
const EXPIRING_URL = fields('expiring_url:string file_name:string')
const FOLDER_META = fields(
  `id:int name:string path:string owner_type:string owner_id:int ${TIMES} index:int last_updated_user_id:int parent_path:string parent_id:int id_tree:int`,
)
const GROUP = fields(
  'id:int name:string workspace_id:int drm_enabled:boolean drm_expires_after:string? expire_workspace_access:string expire_workspace_access_at:string? watermarked:boolean file_managing_abilities:boolean',
)
const USER = fields(
  'id:int first_name:string last_name:string email:string time_zone:string jti:string user_token:string',
)
const ORGANIZATION = fields(
  `id:int name:string description:string location:string billing_email:string url:string support_number:string support_email:string support_website:string ${TIMES}`,
)
const SUPPORT = fields(`support_number:string support_email:string support_website:string ${TIMES}`)
const PERMISSION = fields(
  'id:int id_tree:int name:string view:boolean download:boolean upload:boolean position:int index:int is_mixed_view:boolean is_mixed_download:boolean is_mixed_upload:boolean',
)

const ID = 'path id:int!'
const IN_WORKSPACE = 'query workspace_id:int!'
const WORKSPACE = 'body workspace_id:int!'
const GROUP_OBJECT = 'body group:object!'
const INTO = 'body destination_folder_id:int!'
const PER_PAGE = 'per_page:25|50|75|100'

export const DESCRIPTION: Described[] = [
  // Files
  {
    call: 'GET /files/search',
    takes: [IN_WORKSPACE, 'query q:string!', 'query page:int=1', `query ${PER_PAGE}=25`],
    success: 200,
    list: 'bare',
    gives: FILE_FOUND,
  },
  {
    // Note A: the three parameters come in the query.
    call: 'PUT /files/upload',
    takes: [IN_WORKSPACE, 'query folder_id:int!', 'query file_name:string!'],
    success: 200,
    gives: FILE_COMPACT,
  },
  {
    call: 'POST /files/info/batch',
    takes: [WORKSPACE, 'body file_ids:string[]!'],
    success: 201,
    list: 'bare',
    gives: FILE_COMPACT,
  },
  { call: 'GET /files/{id}', takes: [ID, IN_WORKSPACE, 'query page_number:int=1'], success: 200, gives: FILE_MAPPED },
  {
    call: 'PUT /files/{id}',
    takes: [ID, WORKSPACE, 'body file:object!', 'body file.title:string', 'body file.index:int'],
    success: 200,
    gives: FILE_MAPPED,
  },
  { call: 'DELETE /files/{id}', takes: [ID, IN_WORKSPACE], success: 200, gives: fields('id:int deleted:string') },
  {
    call: 'POST /files/{id}/copy',
    takes: [ID, WORKSPACE, INTO],
    success: 201,
    gives: fields('message:string success:string'),
  },
  {
    call: 'POST /files/{id}/move',
    takes: [ID, WORKSPACE, INTO],
    success: 201,
    gives: fields('message:string success:string'),
  },

  // Activities
  {
    call: 'GET /activities/workspace/{workspace_id}',
    takes: ['path workspace_id:int!', 'query user_id:int', 'query page:int', `query ${PER_PAGE}=100`],
    success: 200,
    list: 'events',
    gives: ACTIVITY,
  },

  // Downloads
  {
    call: 'POST /downloads',
    takes: [WORKSPACE, 'body download:object!', 'body download.folder_ids:int[]', 'body download.file_ids:int[]'],
    success: 201,
    gives: DOWNLOAD,
  },
  {
    call: 'GET /downloads/status/{workspace_id}',
    takes: ['path workspace_id:int!'],
    success: 200,
    list: 'downloads',
    gives: DOWNLOAD,
  },
  { call: 'GET /downloads/{id}', takes: [ID, IN_WORKSPACE], success: 200, gives: EXPIRING_URL },
  { call: 'DELETE /downloads/{id}', takes: [ID, IN_WORKSPACE], success: 200, gives: fields('id:int status:string') },
  {
    call: 'GET /downloads/file/{file_id}',
    takes: ['path file_id:int!', IN_WORKSPACE],
    success: 200,
    gives: EXPIRING_URL,
  },

  // Folders
  {
    call: 'POST /folders',
    takes: ['body workspace_id:string!', 'body name:string!', 'body parent_id:int=0'],
    success: 201,
    gives: FOLDER_META,
  },
  {
    call: 'GET /folders/{id}',
    takes: [ID, 'query workspace_id:string!'],
    success: 200,
    gives: {
      folder: 'object',
      ...within('folder', FOLDER_META),
      ...within('immediate_subfolders[]', FOLDER_META),
      ...within('immediate_subfiles[]', FILE_COMPACT),
    },
  },
  {
    call: 'PUT /folders/{id}',
    takes: [ID, 'body workspace_id:string!', 'body folder:object!', 'body folder.name:string', 'body folder.index:int'],
    success: 200,
    gives: FOLDER_META,
  },
  {
    call: 'DELETE /folders/{id}',
    takes: [ID, 'query workspace_id:string!'],
    success: 200,
    gives: fields('id:int deleted:int'),
  },
  {
    call: 'POST /folders/{id}/copy',
    takes: [ID, 'body workspace_id:string!', INTO],
    success: 201,
    gives: fields('message:string success:int'),
  },
  {
    call: 'POST /folders/{id}/move',
    takes: [ID, 'body workspace_id:string!', INTO],
    success: 201,
    gives: fields('message:string success:int'),
  },

  // Groups
  {
    call: 'POST /groups',
    takes: [
      GROUP_OBJECT,
      'body group.name:string!',
      'body group.workspace_id:int!',
      'body group.file_managing_abilities:boolean=false',
    ],
    success: 201,
    gives: GROUP,
  },
  { call: 'GET /groups', takes: [IN_WORKSPACE], success: 200, list: 'bare', gives: GROUP },
  { call: 'GET /groups/{id}', takes: [ID, IN_WORKSPACE], success: 200, gives: GROUP },
  {
    // The default `false` applies to new groups: an update keeps absent values (decisions, section 4).
    call: 'PUT /groups/{id}',
    takes: [ID, WORKSPACE, GROUP_OBJECT, 'body group.name:string', 'body group.file_managing_abilities:boolean'],
    success: 200,
    gives: GROUP,
  },
  { call: 'DELETE /groups/{id}', takes: [ID, IN_WORKSPACE], success: 200, gives: fields('id:int name:string') },
  {
    call: 'PUT /groups/{id}/drm',
    takes: [ID, WORKSPACE, GROUP_OBJECT, 'body group.drm_enabled:string!', 'body group.drm_expires_after:date'],
    success: 200,
    gives: GROUP,
  },
  { call: 'PUT /groups/{id}/disable_drm_expiration', takes: [ID, WORKSPACE], success: 200, gives: GROUP },
  {
    call: 'PUT /groups/{id}/watermarking',
    takes: [ID, WORKSPACE, GROUP_OBJECT, 'body group.watermarking:boolean!'],
    success: 200,
    gives: GROUP,
  },
  {
    call: 'PUT /groups/{id}/enable_expire_access',
    takes: [ID, WORKSPACE, GROUP_OBJECT, 'body group.expire_workspace_access_at:date!'],
    success: 200,
    gives: GROUP,
  },
  { call: 'PUT /groups/{id}/disable_expire_access', takes: [ID, WORKSPACE], success: 200, gives: GROUP },
  { call: 'GET /groups/{id}/memberships', takes: [ID, IN_WORKSPACE], success: 200, list: 'bare', gives: USER },
  {
    call: 'POST /groups/{id}/memberships',
    takes: [ID, 'body workspace_id:int', 'body user_id:int', 'body email:string', 'body send_email:boolean=true'],
    success: 201,
  },
  { call: 'DELETE /groups/{id}/memberships', takes: [ID, IN_WORKSPACE, 'query user_id:int!'], success: 204 },

  // Organization
  { call: 'GET /organization', success: 200, gives: ORGANIZATION },
  {
    call: 'PUT /organization',
    takes: ['name', 'description', 'location', 'billing_email', 'url'].map((name) => `body ${name}:string`),
    success: 200,
    gives: ORGANIZATION,
  },
  {
    call: 'PUT /organization/support_information',
    takes: ['body phone_number:string', 'body email:string', 'body website:string'],
    success: 200,
    gives: SUPPORT,
  },
  {
    call: 'GET /organization/memberships',
    success: 200,
    list: 'memberships',
    gives: { ...USER, organization_admin: 'boolean' },
  },
  {
    call: 'POST /organization/memberships',
    takes: ['body user_id:int!'],
    success: 201,
    gives: fields('user_id:int created_at:string'),
  },
  { call: 'DELETE /organization/memberships', takes: ['query user_id:int!'], success: 204 },

  // Permissions
  {
    call: 'GET /permissions/folders/{id}',
    takes: [ID, IN_WORKSPACE, 'query group_id:int!'],
    success: 200,
    list: 'bare',
    gives: PERMISSION,
  },
  {
    // `set` is from the getting-started guide.
    call: 'PUT /permissions/folders/{id}',
    takes: [
      ID,
      WORKSPACE,
      'body group_id:int!',
      'body verb:grant|revoke|set!',
      'body folder_action:view|download|upload!',
    ],
    success: 200,
  },

  // Teams
  { call: 'GET /teams', success: 200, list: 'bare', gives: fields('id:int name:string') },
  {
    call: 'POST /teams',
    takes: ['body team:object!', 'body team.name:string!'],
    takesMore: true,
    success: 201,
    gives: fields('id:int name:string team_owner_id:int'),
  },
  { call: 'GET /teams/{id}', takes: [ID], success: 200, gives: fields('id:int name:string') },
  { call: 'PUT /teams/{id}', takes: [ID], takesMore: true, success: 200, gives: fields('id:int name:string') },
  {
    call: 'GET /teams/{id}/memberships',
    takes: [ID],
    success: 200,
    list: 'memberships',
    gives: { user: 'object', ...within('user', USER) },
  },
  { call: 'POST /teams/{id}/memberships', takes: [ID], takesMore: true, success: 201, gives: { user: 'object' } },
  { call: 'DELETE /teams/{id}/memberships', takes: [ID, 'query user_id:int!'], success: 204 },
  {
    call: 'GET /teams/{id}/watermark_settings',
    takes: [ID],
    success: 200,
    list: 'bare',
    gives: fields('id:int watermark_id:int team_id:int'),
  },

  // Users
  { call: 'POST /users', takesMore: true, success: 201, gives: USER },
  {
    call: 'DELETE /users',
    takes: ['query user:object!', 'query user.id:int!'],
    success: 200,
    gives: fields('status:int message:string'),
  },
  { call: 'GET /users/me', success: 200, gives: USER },
  { call: 'PUT /users/me', takesMore: true, success: 200, gives: USER },
  { call: 'POST /users/{id}/remind', takes: [ID], takesMore: true, success: 201, gives: USER },

  // Personal API keys
  { call: 'GET /user/api_keys', success: 200 },
  { call: 'POST /user/api_keys', takesMore: true, success: 201 },
  { call: 'GET /user/api_keys/available_scopes', success: 200 },
  { call: 'PATCH /user/api_keys/{id}', takes: [ID], takesMore: true, success: 200 },
  { call: 'POST /user/api_keys/{id}/rotate', takes: [ID], success: 201 },

  // Custom watermarks
  { call: 'POST /watermark', takesMore: true, success: 201, gives: fields('id:int watermark_id:int') },
  { call: 'GET /watermark/{id}', takes: [ID], success: 200, gives: fields('id:int watermark_id:int') },
  {
    call: 'PUT /watermark/{id}',
    takes: [ID],
    takesMore: true,
    success: 200,
    gives: fields('id:int watermark_id:int'),
  },
  { call: 'DELETE /watermark/{id}', takes: [ID], success: 200, gives: fields('status:int message:string') },

  // Workspaces
  {
    call: 'POST /workspaces',
    takes: ['body workspace:object!', 'body workspace.name:string!', 'body workspace.team_id:int!'],
    takesMore: true,
    success: 201,
    gives: fields('id:int name:string team_id:int'),
  },
  {
    call: 'GET /workspaces',
    takes: ['query team_id:int!'],
    success: 200,
    list: 'workspaces',
    gives: fields('id:int name:string team_id:int'),
  },
  { call: 'GET /workspaces/{id}', takes: [ID], success: 200, gives: fields('id:int name:string team_id:int') },
  {
    call: 'PUT /workspaces/{id}',
    takes: [ID],
    takesMore: true,
    success: 200,
    gives: fields('id:int name:string team_id:int'),
  },
  {
    call: 'GET /workspaces/{id}/memberships',
    takes: [ID],
    success: 200,
    list: 'bare',
    gives: fields('id:int workspace_id:int user:object'),
  },
  { call: 'GET /workspaces/{id}/api_access', takes: [ID], success: 200 },
  { call: 'POST /workspaces/{id}/api_access/enable', takes: [ID], success: 201 },
  { call: 'POST /workspaces/{id}/api_access/disable', takes: [ID], success: 201 },
  { call: 'GET /workspaces/{id}/api_access/members', takes: [ID], success: 200 },
]

function within(name: string, inner: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(inner).map(([key, type]) => [`${name}.${key}`, type]))
}
