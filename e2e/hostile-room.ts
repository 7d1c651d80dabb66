import { randomBytes } from 'node:crypto'
import { api, type Client } from '../src/client/index.ts'
import { samplePdf } from '../src/service/testing/documents/sample-pdf.ts'
import { asAdmin, clientOf, makeRoom, type Room } from './room.ts'

// A room in which every text that a user can write is an attack on its readers.

/** The CSS class of every injected element; the dashboard itself never uses it. */
export const MARKER = 'hostile-marker'

/** Names the field, so that a finding shows its source. Contains no slash, which file names must not have. */
export const attack = (field: string): string =>
  `${field} <img class=${MARKER} src=x onerror=alert(1)>"'><svg class=${MARKER} onload=alert(1)>` +
  `&lt;b class=${MARKER}&gt;<a class=${MARKER} href=javascript:alert(1)>{{1+1}}`

export const FORMULA = '=1+1;=HYPERLINK("http:evil.test")'
/** A shorter attack for first and last names, which appear together. */
const personAttack = (field: string): string => `${field} <img class=${MARKER} src=x onerror=alert(1)>`

/** The free-text fields of the contract that this room fills, as "<operation> <field>" of the OpenAPI document. */
export const FILLED = new Set([
  'files_upload query:file_name',
  'files_update body.file.title',
  'folders_create body.name',
  'folders_update body.folder.name',
  'groups_create body.group.name',
  'groups_update body.group.name',
  'groups_addMember body.message',
  'groups_invite body.message',
  'organization_update body.name',
  'organization_update body.description',
  'organization_update body.location',
  'organization_update body.billing_email',
  'organization_update body.url',
  'organization_updateSupportInformation body.phone_number',
  'organization_updateSupportInformation body.email',
  'organization_updateSupportInformation body.website',
  'teams_create body.team.name',
  'teams_update body.team.name',
  'users_create body.user.first_name',
  'users_create body.user.last_name',
  'users_updateMe body.user.first_name',
  'users_updateMe body.user.last_name',
  'users_updateMe body.user.company',
  'users_updateMe body.user.title',
  'users_remind body.message',
  'apiKeys_create body.name',
  'apiKeys_update body.name',
  'watermarks_create body.custom_text',
  'watermarks_update body.custom_text',
  'workspaces_create body.workspace.name',
  'workspaces_update body.workspace.name',
  'workspaces_updateWelcome body.welcome.description',
  'workspaces_updateWelcome body.welcome.expectation',
  'workspaces_updateWelcome body.welcome.text',
  'workspaces_updateWelcome body.welcome.contact_note',
  'workspaces_updateWelcome body.welcome.contacts[].name',
  'workspaces_updateWelcome body.welcome.contacts[].role',
  'workspaces_updateWelcome body.welcome.contacts[].phone',
  'templates_create body.template.name',
  'drafts_create body.name',
  'draftGroups_publish body.invitation.message',
  'drafts_publish body.invitation.message',
  'drafts_setSchedule body.invitation.message',
  'uploads_create body.file_name',
  'terms_saveDraft body.title',
  'terms_saveDraft body.text',
  'terms_setDraftPdf query:file_name',
  'terms_setDraftPdf query:title',
  'terms_accept body.typed_name',
  'questions_updateSettings body.categories[]',
  'questions_updateSettings body.routes[].category',
  'questions_ask body.question.subject',
  'questions_ask body.question.text',
  'questions_ask body.question.category',
  'questions_update body.question.draft',
  'questions_update body.question.category',
  'questions_note body.text',
  'questions_move body.text',
  'questions_writeFaq body.question.subject',
  'questions_writeFaq body.question.text',
  'questions_writeFaq body.question.answer',
  'questions_writeFaq body.question.category',
  'questions_editFaq body.question.subject',
  'questions_editFaq body.question.text',
  'questions_editFaq body.question.answer',
  'questions_editFaq body.question.category',
  'experts_pass body.text',
  'experts_reply body.text',
  'questions_import body.questions[].subject',
  'questions_import body.questions[].text',
  'questions_import body.questions[].category',
  'questions_import body.questions[].draft',
  'brandings_updateForOrganization body.branding.display_name',
  'brandings_updateForOrganization body.branding.sender_name',
  'brandings_updateForOrganization body.branding.subject_en',
  'brandings_updateForOrganization body.branding.text_en',
  'brandings_updateForOrganization body.branding.subject_de',
  'brandings_updateForOrganization body.branding.text_de',
  'brandings_update body.branding.display_name',
  'brandings_update body.branding.sender_name',
  'brandings_update body.branding.subject_en',
  'brandings_update body.branding.text_en',
  'brandings_update body.branding.subject_de',
  'brandings_update body.branding.text_de',
])

/** Free-text fields left out: query input, which the tests of hostile addresses cover, and input from the proxy. */
export const ASKED = new Set([
  'files_search query:q',
  'files_find query:q',
  'folders_search query:q',
  'permissions_searchFilesAs query:q',
  'permissions_searchFoldersAs query:q',
  'activities_list query:verb',
  'activities_list query:subject_type',
  'activities_feed query:verb',
  'activities_feed query:subject_type',
  'activities_summary query:verb',
  'activities_summary query:subject_type',
  'organization_listMembers query:email',
  'terms_issue body.sha256',
  'terms_issue body.title',
  // The digest of the draft that was read.
  'terms_saveDraft body.digest',
  'terms_removeDraft query:digest',
  'terms_setDraftPdf query:digest',
  'draftGroups_listWaiting query:q',
  'questions_list query:category',
  'questions_list query:q',
  'questions_count query:category',
  'questions_count query:q',
  'questions_listTexts query:category',
  'questions_listTexts query:q',
  'questions_viewAs query:category',
  'questions_viewAs query:q',
  'sealedCopies_open body.user_code',
  'sealedCopies_request query:user_code',
  'watermarks_preview body.watermarks[].custom_text',
  'sessions_create body.user_agent',
  'signInCodes_create body.browser',
  'signInCodes_redeem body.browser',
  'signInCodes_invitation body.token',
  'notifications_showUnsubscribe body.token',
  'notifications_unsubscribe body.token',
  // The name that a user has already set, repeated by the admin who accepts it.
  'workspaces_acceptName body.first_name',
  'workspaces_acceptName body.last_name',
  // Colours of one form, and pictures that are drawn anew.
  'brandings_updateForOrganization body.branding.accent_light',
  'brandings_updateForOrganization body.branding.accent_dark',
  'brandings_update body.branding.accent_light',
  'brandings_update body.branding.accent_dark',
  'brandings_setLogoForOrganization body.logo.image',
  'brandings_setLogo body.logo.image',
  // Words that are shown or sent to their writer alone, and that the two updates above keep.
  'brandings_previewForOrganization body.branding.sender_name',
  'brandings_previewForOrganization body.branding.subject_en',
  'brandings_previewForOrganization body.branding.text_en',
  'brandings_previewForOrganization body.branding.subject_de',
  'brandings_previewForOrganization body.branding.text_de',
  'brandings_preview body.branding.sender_name',
  'brandings_preview body.branding.subject_en',
  'brandings_preview body.branding.text_en',
  'brandings_preview body.branding.subject_de',
  'brandings_preview body.branding.text_de',
  'brandings_sendTest body.branding.sender_name',
  'brandings_sendTest body.branding.subject_en',
  'brandings_sendTest body.branding.text_en',
  'brandings_sendTest body.branding.subject_de',
  'brandings_sendTest body.branding.text_de',
])

export interface HostileRoom extends Room {
  textFileId: number
  /** The addresses that received an invitation by mail. */
  invited: string[]
  /** Restores the organization's own texts. */
  restore(): Promise<void>
}

export async function makeHostileRoom(): Promise<HostileRoom> {
  const room = await makeRoom()
  const ines = asAdmin()
  const workspace_id = room.workspaceId
  const name = attack('Workspace')
  await ines.call(api.workspaces.update, { params: { id: workspace_id }, body: { workspace: { name } } })
  const welcome = {
    description: attack('About'),
    expectation: attack('Expectation'),
    text: attack('Welcome'),
    contact_note: attack('Contact'),
    contacts: [{ name: personAttack('Person'), role: attack('Role'), phone: personAttack('Call').slice(0, 60) }],
  }
  await ines.call(api.workspaces.updateWelcome, { params: { id: workspace_id }, body: { welcome } })
  // Before terms await the expert.
  await fillQuestions(ines, workspace_id)
  await fillTerms(ines, workspace_id)
  const teamName = await fillTeam(ines, room)
  const textFileId = await fillFiles(ines, room)
  await fillGroup(ines, room)
  await ines.call(api.apiKeys.create, { body: { name: attack('Key'), scopes: ['files:read'] } })
  await ines.call(api.brandings.update, { params: { id: workspace_id }, body: { branding: hostileBranding('Room') } })
  const invited = await invite(ines, room)
  const restore = await fillOrganization(ines)
  return { ...room, name, ...teamName, textFileId, invited, restore }
}

async function fillTerms(admin: Client, id: number): Promise<void> {
  const params = { id }
  const write = () =>
    admin.call(api.terms.saveDraft, { params, body: { title: attack('Terms'), text: attack('Of terms') } })
  const { id: terms_id } = await admin.call(api.terms.issue, { params, body: { sha256: (await write()).sha256 } })
  const body = { has_read: true, may_accept: true, typed_name: attack('Typed') }
  await admin.call(api.terms.accept, { params: { ...params, terms_id }, body })
  const query = { title: attack('Terms'), file_name: attack('PDF') }
  const words = attack('Page').replaceAll(/[()\\]/g, '\\$&')
  const pdf = new Uint8Array(samplePdf([{ content: `BT /F 14 Tf 60 700 Td (${words}) Tj ET` }]))
  const { sha256 } = await admin.call(api.terms.setDraftPdf, { params, query }, pdf)
  await admin.call(api.terms.issue, { params, body: { sha256 } })
  await write()
}

async function fillQuestions(admin: Client, workspace_id: number): Promise<void> {
  const params = { workspace_id }
  const { id: group_id } = await admin.call(api.groups.create, {
    body: { group: { name: attack('Asking'), workspace_id } },
  })
  const { id: user_id } = await admin.call(api.users.me)
  await admin.call(api.groups.addMember, {
    params: { id: group_id },
    body: { workspace_id, user_id, send_email: false },
  })
  const category = attack('Category')
  const body = { categories: [category], groups: [{ group_id, may_ask: true }], routes: [{ category, days: 3 }] }
  await admin.call(api.questions.updateSettings, { params, body })
  const question = { subject: attack('Question'), text: attack('Asked'), category, group_id }
  const { id: question_id } = await admin.call(api.questions.ask, { params, body: { question } })
  const of = { params: { ...params, question_id } }
  await admin.call(api.questions.update, { ...of, body: { question: { draft: attack('Draft'), category } } })
  await admin.call(api.questions.note, { ...of, body: { text: attack('Note') } })
  await admin.call(api.questions.move, { ...of, body: { step: 'submit', text: attack('Step') } })
  await admin.call(api.questions.answer, { ...of, body: { reach: 'all' } })
  const entry = { subject: attack('Entry'), text: attack('Common'), answer: attack('Reply'), category }
  const written = await admin.call(api.questions.writeFaq, { params, body: { question: entry, reach: 'all' } })
  const edited = { subject: attack('Edited'), text: attack('Commoner'), answer: attack('Better'), category }
  await admin.call(api.questions.editFaq, {
    params: { ...params, question_id: written.id },
    body: { question: edited },
  })
  const imported = {
    group_id,
    subject: attack('Imported'),
    text: attack('Brought'),
    category,
    draft: attack('Prepared'),
  }
  await admin.call(api.questions.import, { params, body: { questions: [imported] } })
  await fillExpert(admin, workspace_id)
}

/** An expert is asked about the imported question, and replies. */
async function fillExpert(admin: Client, workspace_id: number): Promise<void> {
  const params = { workspace_id }
  const email = `expert.${workspace_id}@rooms.example`
  const user = { email, first_name: 'Eva', last_name: 'Expert' }
  const { id: user_id, user_token } = await admin.call(api.users.create, { body: { user } })
  const { id } = await admin.call(api.groups.create, { body: { group: { name: 'Advisers', workspace_id } } })
  await admin.call(api.groups.addMember, { params: { id }, body: { workspace_id, user_id, send_email: false } })
  const expert = clientOf(user_token)
  await expert.call(api.workspaces.get, { params: { id: workspace_id } })
  await admin.call(api.experts.add, { params, body: { user_id } })
  const { questions } = await admin.call(api.questions.list, { params, query: { status: 'draft' } })
  const at = { ...params, question_id: questions[0]?.id ?? '' }
  await admin.call(api.experts.pass, { params: at, body: { user_ids: [user_id], text: attack('To the expert') } })
  const { asked_at } = await expert.call(api.experts.getPassed, { params: at })
  await expert.call(api.experts.reply, { params: at, body: { kind: 'draft', text: attack('Of the expert'), asked_at } })
}

async function fillTeam(admin: Client, { addresses }: Room): Promise<{ teamId: number; teamName: string }> {
  const teamName = attack('Team')
  const { id: team_id } = await admin.call(api.teams.create, { body: { team: { name: 'Team' } } })
  await admin.call(api.teams.update, { params: { id: team_id }, body: { team: { name: teamName } } })
  await admin.call(api.teams.addMember, { params: { id: team_id }, body: { email: addresses.reader } })
  await admin.call(api.watermarks.create, { body: { team_id, custom_text: attack('Mark') } })
  const model = { name: attack('Model'), team_id }
  const { id } = await admin.call(api.workspaces.create, { body: { workspace: model } })
  await admin.call(api.templates.create, { params: { id }, body: { template: { name: attack('Template') } } })
  return { teamId: team_id, teamName }
}

async function fillFiles(admin: Client, { workspaceId: workspace_id, folderId, fileId }: Room): Promise<number> {
  const params = { id: fileId }
  await admin.call(api.files.update, {
    params,
    body: { workspace_id, file: { title: `Memo.pdf ${attack('File')}.pdf` } },
  })
  const folder = { workspace_id, parent_id: folderId, name: 'Folder' }
  const { id } = await admin.call(api.folders.create, { body: folder })
  const body = { workspace_id, folder: { name: attack('Folder') } }
  await admin.call(api.folders.update, { params: { id }, body })
  await admin.call(api.folders.create, { body: { ...folder, name: FORMULA } })
  await admin.call(api.drafts.create, { body: { ...folder, name: attack('Draft') } })
  const text = `memo ${attack('Content')}\n<script>alert(1)</script>\n`.repeat(20)
  const upload = (file_name: string, content: string) =>
    admin.call(api.files.upload, { query: { workspace_id, folder_id: folderId, file_name } }, content)
  const { id: textFileId } = await upload(`memo ${attack('Text')}.txt`, text)
  await upload(`memo ${attack('Page')}.html`, `<!doctype html><p>memo</p><script>alert(1)</script>${text}`)
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"><script>alert(1)</script></svg>`
  await upload(`memo ${attack('Drawing')}.svg`, drawing)
  const gone = await upload(`${attack('Trash')}.txt`, 'gone')
  await admin.call(api.files.remove, { params: { id: gone.id }, query: { workspace_id } })
  return textFileId
}

async function fillGroup(admin: Client, { workspaceId: workspace_id, groupId }: Room): Promise<void> {
  const params = { id: groupId }
  await admin.call(api.groups.update, { params, body: { workspace_id, group: { name: attack('Group') } } })
  await admin.call(api.groups.create, { body: { group: { workspace_id, name: FORMULA } } })
}

/** Lets a user with a hostile name invite two guests, one with a hostile message; returns the guests' addresses. */
async function invite(admin: Client, { workspaceId: workspace_id, groupId }: Room): Promise<string[]> {
  const mark = randomBytes(3).toString('hex')
  const user = { email: `inviter.${mark}@rooms.example`, first_name: 'First', last_name: 'Last' }
  const { id: user_id, user_token } = await admin.call(api.users.create, { body: { user } })
  const groups = await admin.call(api.groups.list, { query: { workspace_id } })
  const admins = groups.find(({ kind }) => kind === 'workspace_admins')?.id ?? 0
  await admin.call(api.groups.addMember, { params: { id: admins }, body: { workspace_id, user_id, send_email: false } })
  const inviter = clientOf(user_token)
  const names = {
    first_name: personAttack('First'),
    last_name: personAttack('Last'),
    company: personAttack('Company'),
    title: personAttack('Title'),
  }
  await inviter.call(api.users.updateMe, { body: { user: names } })
  const [first = '', second = ''] = [1, 2].map((number) => `guest${number}.${mark}@rooms.example`)
  const params = { id: groupId }
  const guest = await inviter.call(api.groups.addMember, {
    params,
    body: { workspace_id, email: first, send_email: false },
  })
  await inviter.call(api.users.remind, { params: { id: guest.id }, body: { workspace_id, message: attack('Message') } })
  await inviter.call(api.groups.addMember, { params, body: { workspace_id, email: second, message: attack('Words') } })
  await inviter.call(api.groups.invite, { params, body: { workspace_id, message: attack('Later') } })
  const third = `third.${mark}@rooms.example`
  await inviter.call(api.groups.addMember, { params, body: { workspace_id, email: third, send_email: false } })
  await publishGroup(inviter, workspace_id, `fourth.${mark}@rooms.example`)
  const { id } = await inviter.call(api.drafts.create, { body: { workspace_id, name: attack('Published') } })
  const publication = { folder_ids: [id], invitation: { message: attack('Publishing') } }
  const plan = {
    folder_ids: [id],
    invitation: publication.invitation,
    opens_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  await inviter.call(api.drafts.setSchedule, { params: { id: workspace_id }, body: plan })
  await inviter.call(api.drafts.publish, { params: { id: workspace_id }, body: publication })
  return [first, second]
}

async function publishGroup(inviter: Client, workspace_id: number, email: string): Promise<void> {
  const group = { workspace_id, name: attack('Draft group'), is_draft: true }
  const { id } = await inviter.call(api.groups.create, { body: { group } })
  await inviter.call(api.groups.addMember, { params: { id }, body: { workspace_id, email } })
  const invitation = { message: attack('Opening') }
  await inviter.call(api.draftGroups.publish, { params: { id }, body: { workspace_id, invitation } })
}

/** Braces are refused but around what is filled in, here the hostile name of the workspace. */
const hostileBranding = (place: string) => {
  const words = (field: string) => `{room} ${attack(`${place} ${field}`).replace('{{1+1}}', '')}`
  return {
    display_name: personAttack(`${place} shown`),
    sender_name: personAttack(`${place} sender`),
    subject_en: personAttack(`{room} ${place} subject`),
    text_en: words('words'),
    subject_de: personAttack(`{room} ${place} Betreff`),
    text_de: words('Worte'),
  }
}

async function fillOrganization(admin: Client): Promise<() => Promise<void>> {
  const before = await admin.call(api.organization.get)
  const { name, description, location, billing_email, url } = before
  const { support_number: phone_number, support_email: email, support_website: website } = before
  await admin.call(api.organization.update, {
    body: {
      name: attack('Organization'),
      description: attack('Description'),
      location: attack('Location'),
      billing_email: attack('Billing'),
      url: 'javascript:alert(1)',
    },
  })
  await admin.call(api.organization.updateSupportInformation, {
    body: { phone_number: attack('Phone'), email: attack('Support'), website: 'javascript:alert(1)' },
  })
  await admin.call(api.brandings.updateForOrganization, { body: { branding: hostileBranding('Organization') } })
  const nothing = Object.fromEntries(Object.keys(hostileBranding('')).map((key) => [key, null]))
  return async () => {
    await admin.call(api.brandings.updateForOrganization, { body: { branding: nothing } })
    await admin.call(api.organization.update, { body: { name, description, location, billing_email, url } })
    await admin.call(api.organization.updateSupportInformation, { body: { phone_number, email, website } })
  }
}
