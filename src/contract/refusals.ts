import { fill, type Params, type ParamsArgument } from './sentence.ts'

const refusal = <Sentence extends string>(status: number, sentence: Sentence) => ({ status, sentence })

/** The refusals that a user may meet: status, and the English sentence of `error.message`. The dashboard says them too. */
export const SHOWN_REFUSALS = {
  nothing_here: refusal(404, 'There is nothing here that you can see.'),
  user_not_found: refusal(404, 'User not found'),
  for_workspace_admins: refusal(403, 'This is for workspace admins.'),
  for_organization_admins: refusal(403, 'This is for organization admins.'),
  for_installation_admins: refusal(403, 'This is for organization admins of the first organization.'),
  for_team_members: refusal(403, 'This is for members of the team.'),
  for_team_owner: refusal(403, 'This is for the owner of the team.'),
  folders_by_admins: refusal(403, 'Folders are managed by workspace admins.'),
  members_by_admins: refusal(403, 'Members are removed by Workspace Admins.'),
  admins_by_team: refusal(403, 'A Workspace Admin who is a member of the team is removed by a member of the team.'),
  own_name: refusal(403, 'Another admin accepts your name.'),
  no_view: refusal(403, 'You may pass through this folder but not view what is in it.'),
  no_upload: refusal(403, 'You may view this folder but not upload to it.'),
  no_change: refusal(403, 'You may view this file but not change it.'),
  no_download: refusal(403, 'You may view this file but not download it.'),
  no_text_layer: refusal(403, 'You may view this file but not use the text of its pages.'),
  find_only: refusal(403, 'You may find words in this file but not have its text.'),
  no_download_of_some: refusal(403, 'You may view some of this but not download it.'),
  download_right_lost: refusal(403, 'You may no longer download everything that is in this. Ask for it again.'),
  watermark_only: refusal(403, 'This file is delivered with a watermark only.'),
  sealed_only: refusal(403, 'This file is delivered sealed only: ask for it with POST /downloads.'),
  url_expired: refusal(403, 'This URL has expired.'),
  closed_to_keys: refusal(403, 'Personal API keys cannot do this.'),
  workspace_closed_to_keys: refusal(403, 'This workspace is closed to personal API keys.'),
  terms_not_accepted: refusal(403, 'The terms of this workspace await your answer. Nothing is shown before.'),
  may_not_ask: refusal(403, 'Your group may not ask questions here.'),
  opening_over: refusal(403, 'This document may not be opened any more.'),
  release_code_wrong: refusal(403, 'The code is wrong, used or too old. Open the document again.'),

  terms_changed: refusal(409, 'These terms are not in force any more. Read those that are.'),
  terms_draft_changed: refusal(409, 'The draft has changed since you read it. Read it again.'),
  terms_answered: refusal(409, 'You have accepted these terms already.'),
  not_scanned: refusal(409, 'This file has not been checked for malware yet.'),
  not_prepared: refusal(409, 'This file is still being prepared. Ask for it again in a moment.'),
  key_revoked: refusal(409, 'This key is revoked, for good: create another.'),
  last_workspace_admin: refusal(409, 'The last Workspace Admin stays.'),
  last_organization_admin: refusal(409, 'The last organization admin stays.'),
  user_is_last_organization_admin: refusal(409, '{user} is the last organization admin.'),
  user_owns_team: refusal(409, '{user} owns the team "{team}".'),
  user_is_last_workspace_admin: refusal(409, '{user} is the last Workspace Admin of "{workspace}".'),
  owner_stays: refusal(409, 'The owner of a team stays a member of it.'),
  owner_changed: refusal(409, 'The team has another owner by now.'),
  template_too_large: refusal(
    409,
    'A template may have {folders} folders, {groups} groups and {permissions} permissions at most.',
  ),
  template_of_other_version: refusal(
    409,
    'This template was saved by another version, and this one cannot read it. Save the workspace as a template again.',
  ),
  too_many_files_to_take: refusal(
    409,
    'A workspace with more than {limit} files can be taken over without its files only.',
  ),
  files_being_read: refusal(
    409,
    'Some files of that workspace are still being read. Try again when they are, or take it over without its files.',
  ),
  too_many_templates: refusal(409, 'A team may have {limit} templates at most. Delete one first.'),
  mails_suppressed: refusal(409, 'The team sends no e-mails, so nobody can be invited or reminded.'),
  already_team_member: refusal(409, 'The user is already a member of the team.'),
  name_changed_again: refusal(409, 'The name has changed again. Look at it first.'),
  address_taken: refusal(409, 'This address belongs to another account by now. Sign in with it instead.'),
  address_not_confirmed: refusal(409, 'Whoever holds this address must confirm it first, by signing in with a code.'),
  opening_already: refusal(409, 'This document is being opened already.'),
  too_many_downloads: refusal(429, 'Too many downloads were asked for within an hour. Try again later.'),
  download_failed: refusal(409, 'This download could not be made. Ask for it again.'),
  download_expired: refusal(409, 'This download has expired. Ask for it again.'),
  download_changed: refusal(409, 'What is in this download has been deleted or protected since. Ask for it again.'),
  file_of_draft: refusal(409, 'This file is in a draft folder. Publish the folder first, or move the folder.'),
  already_draft: refusal(409, 'This folder is a draft already.'),
  not_draft: refusal(409, 'This folder is not a draft any more.'),
  draft_was_read: refusal(409, 'Members have read files in this folder, so it cannot become a draft.'),
  group_is_draft: refusal(409, 'This group is a draft. Publish it first.'),
  group_not_draft: refusal(409, 'This group is not a draft any more.'),
  group_was_entered: refusal(409, 'Members of this group have come in already, so it cannot become a draft.'),
  too_many_drafts: refusal(409, 'A workspace may have {limit} drafts at most. Publish or delete one first.'),
  undo_over: refusal(409, 'This has changed since, so it cannot be undone.'),
  question_in_other_state: refusal(409, 'This question is in another state by now. Look at it first.'),
  question_without_asker: refusal(
    409,
    'Nobody asked this: it is for chosen groups or for all, and always among the FAQ. Take the answer back instead.',
  ),
  question_limit: refusal(409, 'Your group has asked the {most} questions that it may ask.'),
  question_limit_within: refusal(
    409,
    'Your group has asked the {most} questions that it may ask within {days} days. Ask again later.',
  ),
  upload_finished: refusal(409, 'This upload is finished.'),
  too_many_uploads: refusal(409, 'You have {limit} unfinished uploads here. Finish some of them or give them up.'),

  upload_broke_off: refusal(400, 'The upload broke off.'),
  file_above_limit: refusal(413, 'A file may have {bytes} bytes at most.'),
  file_too_large: refusal(413, 'The file is larger than {bytes} bytes.'),
  content_damaged: refusal(422, 'The content of this file was damaged in the storage. Its admins have been told.'),
  no_room: refusal(507, 'There is no room left for files at the moment. Try again later.'),

  session_ended: refusal(401, 'This session has ended. Sign in again.'),
  too_many_mails: refusal(429, 'Too many mails were asked for. Try again later.'),
  too_many_guesses: refusal(429, 'Too many requests with wrong credentials. Try again in {seconds} s.'),
  too_many_requests: refusal(429, 'Too many requests. Try again in {seconds} s.'),
  too_many_at_once: refusal(429, 'Too many requests at the same time. Try again in a second.'),
  database_away: refusal(503, 'The service cannot reach its database at the moment. Try again shortly.'),
  storage_away: refusal(503, 'The service cannot reach its storage at the moment. Try again shortly.'),
  service_busy: refusal(503, 'The service is not available at the moment. Try again shortly.'),
  internal_failure: refusal(500, 'Something went wrong on our side.'),

  signed_out: refusal(401, 'Sign in to continue.'),
  somebody_else: refusal(412, 'Somebody else has signed in with this browser.'),
  sign_in_code_wrong: refusal(401, 'The code is wrong, no longer valid or was asked for in another browser.'),
  too_many_attempts: refusal(429, 'Too many attempts. Try again later.'),
  locked_a_minute: refusal(429, 'Too many wrong codes were entered for this address. Try again in a minute.'),
  locked: refusal(429, 'Too many wrong codes were entered for this address. Try again in {minutes} minutes.'),
  service_away: refusal(502, 'The service cannot be reached. Try again in a moment.'),
  service_slow: refusal(504, 'The service did not answer in time.'),
} as const

/** Refusals of requests that only a faulty client program sends, and of sealed documents. */
const OTHER_REFUSALS = {
  invalid_field: refusal(422, '{field} {problem}.'),
  malformed_field: refusal(400, '{field} {problem}.'),
  invalid_value: refusal(422, '{field}: {problem}'),
  fields_outside_query: refusal(400, 'The query of the URL must have {fields}; the body is the file itself.'),
  user_not_named: refusal(400, 'user_id or email is required.'),
  name_refused: refusal(400, 'Names may not be or contain __proto__, constructor or prototype.'),
  malformed_json: refusal(400, '{problem}'),
  too_many_parameters: refusal(400, 'A request may have 1,000 parameters at most.'),
  parameters_not_utf8: refusal(400, 'The parameters are not valid UTF-8.'),
  body_not_utf8: refusal(400, 'The body is not valid UTF-8.'),
  form_too_large: refusal(413, 'The form is larger than 256 KiB.'),
  body_too_large: refusal(413, 'The body is larger than {limit} KiB.'),
  chunk_too_large: refusal(413, 'A chunk may have {bytes} bytes at most.'),
  chunk_misplaced: refusal(409, 'The next chunk begins at {received}.'),
  upload_incomplete: refusal(409, '{received} of {size} bytes are here.'),
  download_not_done: refusal(409, 'This download is not done yet: {status}.'),
  reading_not_measured: refusal(409, 'This workspace does not measure reading.'),
  reading_exceeds_time: refusal(409, 'This is more reading time than has passed.'),
  no_such_bytes: refusal(416, 'The file has no such bytes.'),
  page_undrawable: refusal(422, '{problem}'),
  malformed_path: refusal(400, 'The path is malformed.'),
  malformed_head: refusal(400, '{problem}'),
  expectation_failed: refusal(417, '{problem}'),
  method_not_allowed: refusal(405, 'This path takes {methods}.'),
  not_a_sealed_request: refusal(400, 'This is no request of a sealed document.'),
  not_a_public_key: refusal(400, 'The public key is no point of the curve.'),
  key_lacks_scope: refusal(403, 'This personal API key does not have the scope {scope}.'),
  header_missing: refusal(401, 'The header {header} is missing.'),
  expires_malformed: refusal(401, 'The header {header} must be Unix seconds.'),
  signature_expired: refusal(401, 'The signature has expired.'),
  signature_too_far_ahead: refusal(401, 'The signature expires more than {seconds} seconds ahead.'),
  wrong_credentials: refusal(401, 'The key, the user token or the signature is wrong.'),
  client_gone: refusal(400, 'The client has gone.'),
  too_many_streams: refusal(429, 'Too many streams of events are open. Close one and try again.'),
  database_slow: refusal(503, 'The database took too long for this. Try again later, or ask for less at a time.'),
} as const

const REFUSALS = { ...SHOWN_REFUSALS, ...OTHER_REFUSALS }

export type Reason = keyof typeof REFUSALS
export type ShownReason = keyof typeof SHOWN_REFUSALS
/** The parameters of a refusal's sentence, as an argument that is absent if the sentence has none. */
export type ReasonParams<R extends Reason> = ParamsArgument<(typeof REFUSALS)[R]['sentence']>

export const isShownReason = (name: string | undefined): name is ShownReason =>
  name !== undefined && Object.hasOwn(SHOWN_REFUSALS, name)

export const statusOf = (reason: Reason): number => REFUSALS[reason].status
export const messageOf = (reason: Reason, params?: Params): string => fill(REFUSALS[reason].sentence, params)
