import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'

/** Valid objects of the API for component tests; a test sets only the fields that it is about. */

const times = { created_at: '2026-01-05T08:00:00.000Z', updated_at: '2026-01-05T08:00:00.000Z' }

export const workspace = (more: Partial<Reply<Api['workspaces']['get']>> = {}): Reply<Api['workspaces']['get']> => ({
  id: 5,
  name: 'Project Harbour',
  team_id: 2,
  admin: true,
  team_member: true,
  terms_await: false,
  numbering: 'fixed',
  measures_reading: true,
  reading_kept_days: 365,
  team_rules: { drm_enabled: true, watermarking: true, page_pictures: true, suppress_emails: false },
  look: null,
  ...times,
  ...more,
})

export const team = (more: Partial<Reply<Api['teams']['get']>> = {}): Reply<Api['teams']['get']> => ({
  id: 2,
  name: 'Deal team',
  team_owner_id: 1,
  creator_id: 1,
  allowed_workspaces: 100,
  allowed_admins: 10,
  drm_enabled: true,
  watermarking: true,
  page_pictures: true,
  pdf_delivery: 'woven',
  suppress_emails: false,
  owner: true,
  member: true,
  ...times,
  ...more,
})

/** The beginning of an image is enough, because no test draws it. */
export const preview: Reply<Api['watermarks']['preview']> = {
  content_type: 'image/jpeg',
  image: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsK',
  width: 720,
  height: 1018,
}

export const group = (more: Partial<Reply<Api['groups']['get']>> = {}): Reply<Api['groups']['get']> => ({
  id: 7,
  name: 'Bidders',
  workspace_id: 5,
  drm_enabled: false,
  drm_expires_after: null,
  expire_workspace_access: 'false',
  expire_workspace_access_at: null,
  watermarked: false,
  pdf_delivery: 'woven',
  file_managing_abilities: false,
  text_layer: 'with_download',
  kind: 'custom',
  members_count: 2,
  uninvited_count: 0,
  is_draft: false,
  expired: false,
  ...times,
  ...more,
})

type Member = Reply<Api['workspaces']['listMembers']>[number]

export const member = ({
  user,
  ...more
}: Partial<Omit<Member, 'user'>> & { user?: Partial<Member['user']> } = {}): Member => ({
  id: 11,
  workspace_id: 5,
  user: {
    id: 21,
    first_name: 'Bob',
    last_name: 'Brown',
    email: 'bob@example.com',
    time_zone: 'UTC',
    company: '',
    title: '',
    ...user,
  },
  groups: [{ id: 7, name: 'Bidders' }],
  admin: false,
  mail_refused: false,
  team_member: false,
  status: 'active',
  invitation_state: 'arrived',
  marked_name: null,
  name_changed_at: null,
  joined_at: '2026-01-06T08:00:00.000Z',
  last_active_at: '2026-02-01T08:00:00.000Z',
  ...times,
  ...more,
})

export const welcome = (
  more: Partial<Reply<Api['workspaces']['getWelcome']>> = {},
): Reply<Api['workspaces']['getWelcome']> => ({
  description: '',
  expectation: '',
  text: '',
  contact: null,
  contact_note: '',
  contacts: [],
  groups: ['Bidders'],
  previous_visit_at: null,
  access_ends_at: null,
  protection: { documents: true, marked: 'none', downloads: true, sealed: 'none' },
  reading: null,
  terms: [],
  new_since: '2026-01-05T08:00:00.000Z',
  new_files: [],
  new_files_count: 0,
  ...more,
})

const nothingSet = {
  display_name: null,
  accent_light: null,
  accent_dark: null,
  sender_name: null,
  replies: null,
  invitation_language: null,
  subject_en: null,
  text_en: null,
  subject_de: null,
  text_de: null,
  logo_light: null,
  logo_dark: null,
}

export const branding = (more: Partial<Reply<Api['brandings']['get']>> = {}): Reply<Api['brandings']['get']> => ({
  ...nothingSet,
  inherited: nothingSet,
  ...more,
})

type Activity = Reply<Api['activities']['list']>['events'][number]

export const activity = (more: Partial<Activity> = {}): Activity => ({
  id: 1,
  user_id: 21,
  user_name: 'Bob Brown',
  workspace_id: 5,
  verb: 'viewed',
  message: 'viewed the file: Lease.pdf',
  subject_type: 'Asset',
  subject_id: 90,
  created_at: '2026-02-01T08:00:00.000Z',
  act: null,
  params: {},
  ...more,
})

type FeedEvent = Reply<Api['activities']['feed']>['events'][number]

export const feedEvent = (more: Partial<FeedEvent> = {}): FeedEvent => ({ ...activity(), zip: null, times: 1, ...more })

/** The reason of a document that has pages. */
export const NO_REASON = { reason: '', reason_code: null, reason_params: {} } as const
