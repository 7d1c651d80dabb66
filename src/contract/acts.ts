import { fill, type Params, type Saying } from './sentence.ts'

const act = <Verb extends string, Subject extends string | null, Sentence extends string>(
  verb: Verb,
  subject: Subject,
  sentence: Sentence,
  shown: string = sentence,
) => ({ verb, subject, sentence, shown })

/**
 * The acts of the feed of a workspace: the verb and the subject type of each, and the English sentence that continues
 * the name of the actor (decisions, section 11), and the one that the dashboard shows where the clients of the API expect
 * other words. The audit trail has them too. The parameters `user` and `former_user` are names of a user, which an
 * erasure removes.
 */
export const FEED_ACTS = {
  workspace_viewed: act('viewed', 'Workspace', 'viewed this workspace'),
  workspace_joined: act('joined', null, 'joined this Workspace'),
  api_access_enabled: act('enabled', 'Workspace', 'enabled API access'),
  api_access_disabled: act('disabled', 'Workspace', 'disabled API access'),

  file_viewed: act('viewed', 'Asset', 'viewed the file: {title}'),
  file_downloaded: act('downloaded', 'Asset', 'downloaded the file: {title}'),
  file_added: act('created', 'Asset', 'added the file: {title}'),
  file_published: act('created', 'Asset', 'published the file: {title}'),
  file_updated: act('updated', 'Asset', 'updated the file: {title}'),
  file_renamed: act('updated_name', 'Asset', 'renamed the file "{old}" to "{title}"'),
  /** Instead of `file_copied` and `file_moved` where the client asked what to do about a name that is taken. */
  file_copied_as: act(
    'copied',
    'Asset',
    'copied the file "{title}" from "{source}" into the folder "{target}" as "{name}"',
  ),
  file_moved_as: act(
    'moved',
    'Asset',
    'moved the file "{title}" from "{source}" into the folder "{target}" as "{name}"',
  ),
  file_copied_over: act(
    'copied',
    'Asset',
    'copied the file "{title}" from "{source}" into the folder "{target}" as version {version} of "{name}"',
  ),
  file_moved_over: act(
    'moved',
    'Asset',
    'moved the file "{title}" from "{source}" into the folder "{target}" as version {version} of "{name}"',
  ),
  file_copied: act('copied', 'Asset', 'copied the file "{title}" from "{source}" into the folder "{target}"'),
  file_moved: act('moved', 'Asset', 'moved the file "{title}" from "{source}" into the folder "{target}"'),
  file_deleted: act('deleted', 'Asset', 'deleted the file: {title}'),
  file_copy_undone: act('deleted', 'Asset', 'undid the copy of the file: {title}'),
  file_move_undone: act(
    'moved',
    'Asset',
    'undid the move of the file "{title}", which is back in the folder "{target}"',
  ),
  file_version_undone: act('updated', 'Asset', 'undid version {version} of the file: {title}'),
  file_restored_over: act('restored', 'Asset', 'restored a file as version {version} of the file: {name}'),
  file_restored: act('restored', 'Asset', 'restored the file: {name}'),
  file_deletion_undone: act('restored', 'Asset', 'restored the file: {name}', 'undid the deletion of the file: {name}'),
  file_damaged: act('damaged', 'Asset', 'found damaged content in the file: {title}'),

  sealed_file_opened: act('opened', 'Asset', 'opened the sealed file: {title}'),
  sealed_file_refused: act('refused', 'Asset', 'was refused the sealed file: {title}'),
  /** Shown instead of `sealed_file_refused` to a reader who cannot view the file. */
  hidden_file_refused: act('refused', 'Asset', 'was refused a sealed file'),
  sealed_copy_revoked: act('revoked', 'Asset', 'revoked the sealed copy of {user}: {title}'),
  sealed_copy_restored: act('restored', 'Asset', 'restored the sealed copy of {user}: {title}'),

  folder_downloaded: act('downloaded', 'Folder', 'downloaded the folder: {name}'),
  folder_added: act('created', 'Folder', 'added the folder: {name}'),
  folder_renamed: act('updated_name', 'Folder', 'renamed the folder "{old}" to "{name}"'),
  folder_copied_as: act(
    'copied',
    'Folder',
    'copied the folder "{name}" from "{source}" into the folder "{target}" as "{new_name}"',
  ),
  folder_moved_as: act(
    'moved',
    'Folder',
    'moved the folder "{name}" from "{source}" into the folder "{target}" as "{new_name}"',
  ),
  folder_copied: act('copied', 'Folder', 'copied the folder "{name}" from "{source}" into the folder "{target}"'),
  folder_moved: act('moved', 'Folder', 'moved the folder "{name}" from "{source}" into the folder "{target}"'),
  file_copied_along: act('copied', 'Asset', 'copied the file with its folder: {title}'),
  folder_deleted: act('deleted', 'Folder', 'deleted the folder: {name}'),
  folder_copy_undone: act('deleted', 'Folder', 'undid the copy of the folder: {name}'),
  folder_move_undone: act(
    'moved',
    'Folder',
    'undid the move of the folder "{name}", which is back in the folder "{target}"',
  ),
  folder_renumbered: act('updated', 'Folder', 'numbered the content of the folder anew: {name}'),
  folder_renumber_undone: act('updated', 'Folder', 'undid the new numbers in the folder: {name}'),
  folder_drafted: act('updated', 'Folder', 'made the folder a draft: {name}'),
  folder_published: act('updated', 'Folder', 'published the folder: {name}'),
  folder_published_as_planned: act('updated', 'Folder', 'published the folder as planned: {name}'),
  publishing_planned: act('updated', 'Folder', 'planned to publish the folder {name} at {time}'),
  publishing_cancelled: act('updated', 'Folder', 'cancelled the plan to publish the folder: {name}'),
  publishing_missed: act('updated', 'Folder', 'could not publish the folder as planned: {name}'),
  rights_prepared: act('updated', 'Folder', 'prepared the access of {group} to the draft: {folder}'),
  folder_restored: act('restored', 'Folder', 'restored the folder: {name}'),
  folder_deletion_undone: act(
    'restored',
    'Folder',
    'restored the folder: {name}',
    'undid the deletion of the folder: {name}',
  ),

  group_added: act('created', 'Group', 'added the group: {name}'),
  group_updated: act('updated', 'Group', 'updated the group: {name}'),
  group_renamed: act('renamed', 'Group', 'renamed the group {old} to {name}'),
  group_drafted: act('updated', 'Group', 'made the group a draft: {name}'),
  group_published: act('updated', 'Group', 'published the group: {name}'),
  group_deleted: act('deleted', 'Group', 'deleted the group: {name}'),
  file_managing_updated: act(
    'updated',
    'Group',
    'updated file_managing_abilities for group: {name}',
    'changed whether members of {name} manage files',
  ),
  text_layer_updated: act(
    'updated',
    'Group',
    'updated text_layer for group: {name}',
    'changed how members of {name} may use the text of pages',
  ),

  view_granted: act('added', 'Group', 'granted view access to {folder} for group: {group}'),
  download_granted: act('added', 'Group', 'granted download access to {folder} for group: {group}'),
  upload_granted: act('added', 'Group', 'granted upload access to {folder} for group: {group}'),
  view_revoked: act('removed', 'Group', 'revoked view access to {folder} for group: {group}'),
  download_revoked: act('removed', 'Group', 'revoked download access to {folder} for group: {group}'),
  upload_revoked: act('removed', 'Group', 'revoked upload access to {folder} for group: {group}'),

  view_grant_undone: act('removed', 'Group', 'undid the grant of view access to {folder} for group: {group}'),
  download_grant_undone: act('removed', 'Group', 'undid the grant of download access to {folder} for group: {group}'),
  upload_grant_undone: act('removed', 'Group', 'undid the grant of upload access to {folder} for group: {group}'),
  view_revocation_undone: act('added', 'Group', 'undid the revocation of view access to {folder} for group: {group}'),
  download_revocation_undone: act(
    'added',
    'Group',
    'undid the revocation of download access to {folder} for group: {group}',
  ),
  upload_revocation_undone: act(
    'added',
    'Group',
    'undid the revocation of upload access to {folder} for group: {group}',
  ),

  access_expiry_set: act(
    'added',
    'Group',
    'set workspace access to expire on {date} for group: {group}',
    'set the access of {group} to end on {date}',
  ),
  access_expiry_removal_undone: act(
    'added',
    'Group',
    'set workspace access to expire on {date} for group: {group}',
    'undid the removal of the end of the access of {group}, which ends on {date}',
  ),
  access_expiry_removed: act(
    'revoked',
    'Group',
    'set workspace access expiration to false for group: {group}',
    'removed the end of the access of {group}',
  ),
  drm_granted: act('granted', 'Group', 'granted DRM rights for group: {group}', 'turned on DRM for {group}'),
  drm_revoked: act('revoked', 'Group', 'revoked DRM rights for group: {group}', 'turned off DRM for {group}'),
  drm_expiry_granted: act(
    'granted',
    'Group',
    'granted Drm Expires After rights for group: {group}',
    'set the last day on which sealed copies of {group} open',
  ),
  drm_expiry_revoked: act(
    'revoked',
    'Group',
    'revoked Drm Expires After rights for group: {group}',
    'removed the last day on which sealed copies of {group} open',
  ),
  view_watermark_granted: act(
    'granted',
    'Group',
    'granted View Watermarked rights for group: {group}',
    'turned on the watermark on the pages that {group} views',
  ),
  view_watermark_revoked: act(
    'revoked',
    'Group',
    'revoked View Watermarked rights for group: {group}',
    'turned off the watermark on the pages that {group} views',
  ),
  download_watermark_granted: act(
    'granted',
    'Group',
    'granted Download Watermarked rights for group: {group}',
    'turned on the watermark in the downloads of {group}',
  ),
  download_watermark_revoked: act(
    'revoked',
    'Group',
    'revoked Download Watermarked rights for group: {group}',
    'turned off the watermark in the downloads of {group}',
  ),

  group_member_added: act('created', 'GroupMembership', 'added {user} to group {group}'),
  group_member_removed: act('deleted', 'GroupMembership', 'removed {user} from group {group}'),
  waiting_member_added: act('created', 'GroupMembership', 'added {user} to the draft group {group}'),
  waiting_member_removed: act('deleted', 'GroupMembership', 'removed {user} from the draft group {group}'),
  member_added: act('created', 'Membership', 'added {user} to this workspace'),
  member_removed: act('deleted', 'Membership', 'removed {user} from this workspace'),
  member_invited: act('invited', 'Membership', 'invited {user}'),
  member_reminded: act('reminded', 'Membership', 'reminded {user}'),
  name_changed: act('updated', 'Membership', 'changed their name from "{former_user}" to "{user}"'),
  /** An erasure turns `name_changed` into this. */
  erased_name_changed: act('updated', 'Membership', 'changed their name'),
  name_accepted: act('updated', 'Membership', 'accepted the name {user}'),

  terms_issued: act('issued', 'Terms', 'issued "{title}", version {version}'),
  terms_withdrawn: act('withdrew', 'Terms', 'withdrew "{title}", version {version}'),
  terms_accepted: act('accepted', 'Terms', 'accepted "{title}", version {version}'),
  terms_declined: act('declined', 'Terms', 'declined "{title}", version {version}'),
  /** Without numbers: those of a group and of the workspace differ, and askers read their own acts. */
  question_asked: act('created', 'Question', 'asked the question: {subject}'),
  question_imported: act('created', 'Question', 'imported the question: {subject}'),
  questions_imported: act('created', 'Question', 'imported {count} questions'),
  question_withdrawn: act('updated', 'Question', 'withdrew the question: {subject}'),
  question_worked_on: act('updated', 'Question', 'worked on the question: {subject}'),
  question_answered: act('updated', 'Question', 'answered the question: {subject}'),
  question_closed: act('updated', 'Question', 'closed the question: {subject}'),
  question_reopened: act('updated', 'Question', 'reopened the question: {subject}'),
  question_faq_written: act('created', 'Question', 'added to the FAQ: {subject}'),
  question_faq_edited: act('updated', 'Question', 'edited among the FAQ: {subject}'),
  question_faq_placed: act('updated', 'Question', 'put among the FAQ: {subject}'),
  question_faq_removed: act('updated', 'Question', 'took from the FAQ: {subject}'),
  expert_asked: act('updated', 'Question', 'passed to {user} the question: {subject}'),
  expert_withdrawn: act('updated', 'Question', 'withdrew from {user} the question: {subject}'),
  /** Without the subject: experts read their own acts, also of questions that were withdrawn from them. */
  expert_replied: act('updated', 'Question', 'replied to a question as an expert'),
} as const

/** Acts that only the audit trails of workspaces and organizations have. Marked as pure: the dashboard does without them. */
const TRAIL_ACTS = /* @__PURE__ */ (() =>
  ({
    workspace_renamed: act('renamed', 'Workspace', 'renamed this workspace from "{old}" to "{name}"'),
    numbers_fixed: act('updated', 'Workspace', 'gave folders and files the same numbers for everyone'),
    numbers_per_reader: act('updated', 'Workspace', 'had folders and files numbered for each reader'),
    reading_measured: act('updated', 'Workspace', 'had reading times measured'),
    reading_not_measured: act('updated', 'Workspace', 'ended the measuring of reading times'),
    reading_kept: act('updated', 'Workspace', 'set how long reading times are kept: {days} days'),
    questions_set: act('updated', 'Workspace', 'set who may ask questions, or their categories'),
    expert_added: act('added', 'Workspace', 'made {user} an expert for questions'),
    expert_removed: act('removed', 'Workspace', 'took {user} off the experts for questions'),
    notifications_chosen: act('updated', 'Workspace', 'chose how often mails of news of this workspace come'),
    weekly_report_chosen: act(
      'updated',
      'Workspace',
      'chose whether the weekly report of this workspace is mailed to them',
    ),
    welcome_updated: act('updated', 'Workspace', 'updated the welcome page'),
    branding_updated: act('updated', 'Workspace', 'updated the branding'),
    test_mail_sent: act('updated', 'Workspace', 'mailed themselves a test of the invitation'),
    terms_drafted: act('updated', 'Workspace', 'wrote the draft of the terms "{title}"'),
    terms_draft_removed: act('deleted', 'Workspace', 'discarded the draft of the terms "{title}"'),
    workspace_filled: act('filled', 'Workspace', 'took folders, groups and rights over from {source}'),
    workspace_filled_with_files: act(
      'filled',
      'Workspace',
      'took folders, groups, rights and files over from {source}',
    ),
    workspace_duplicated: act(
      'duplicated',
      'Workspace',
      'took the folders, groups and rights of this workspace over into {name}',
    ),
    workspace_duplicated_with_files: act(
      'duplicated',
      'Workspace',
      'took the folders, groups, rights and files of this workspace over into {name}',
    ),
    template_created: act('created', 'Template', 'saved this workspace as the template {name}'),
    workspace_exported: act('exported', 'Workspace', 'exported the audit trail'),
    document_retried: act('retried', 'Workspace', 'had {count} document read again'),
    documents_retried: act('retried', 'Workspace', 'had {count} documents read again'),
    rights_staged: act('updated', 'Group', 'staged a change of the access of {group} to {folder}'),
    rights_unstaged: act('updated', 'Group', 'discarded the staged access of {group} to {folder}'),
    staged_rights_published: act('updated', 'Workspace', 'published staged changes of access'),
    folder_reindexed: act('updated', 'Folder', 'changed the place of the folder: {name}'),
    upload_began: act('began', null, 'began to upload the file: {name}'),
    upload_cancelled: act('cancelled', null, 'gave up uploading the file: {name}'),
    download_deleted: act('deleted', 'Download', 'deleted the download {id}'),
    request_refused: act('refused', null, 'was refused: {method} {path}'),

    organization_updated: act('updated', 'Organization', 'updated the organization'),
    organization_branding_updated: act('updated', 'Organization', 'updated the branding of the organization'),
    support_updated: act('updated', 'Organization', 'updated the support information'),
    organization_exported: act('exported', 'Organization', 'exported the audit trail'),
    demo_made: act('created', 'Organization', 'made the demo: what its workspaces tell since {day} is a story'),
    workspace_created: act('created', 'Workspace', 'created the workspace {name}'),

    user_created: act('created', 'User', 'created the user {user}'),
    user_reinvited: act(
      'updated',
      'User',
      'invited {user}, whose address nobody had proved: a new token, personal keys revoked, all sessions ended',
    ),
    user_reminded: act('reminded', 'User', 'reminded {user}'),
    user_deleted: act('deleted', 'User', 'deleted the user {user}'),
    user_erased: act('erased', 'User', 'erased the personal data of user {id}'),
    user_activated: act('activated', 'User', 'signed in for the first time'),
    user_locked: act('locked', 'User', 'was locked out of signing in with codes, after ten wrong ones'),
    account_updated: act('updated', 'User', 'updated their account'),
    notifications_ended: act('updated', 'User', 'ended mails of news of the workspace {name} by the link in one'),
    weekly_report_ended: act('updated', 'User', 'ended weekly reports of the workspace {name} by the link in one'),
    notifications_updated: act('updated', 'User', 'chose how often mails of news come, or their language'),
    email_asked: act('updated', 'User', 'asked to change their e-mail address'),
    email_kept: act('updated', 'User', 'kept their e-mail address'),
    email_changed: act('updated', 'User', 'changed their e-mail address'),
    address_proved: act(
      'updated',
      'User',
      'proved their address: a new token, personal keys revoked, all sessions ended',
    ),
    organization_admin_added: act('added', 'User', 'added {user} to the organization admins'),
    organization_admin_removed: act('removed', 'User', 'removed {user} from the organization admins'),
    admin_token_added: act('added', 'User', 'added the token of the configured organization admin'),
    admin_token_replaced: act('replaced', 'User', 'replaced the token of the configured organization admin'),

    signed_in_with_code: act('signed_in', 'Session', 'signed in with a code'),
    signed_in_with_oidc: act('signed_in', 'Session', 'signed in through the identity provider'),
    signed_in_with_demo: act('signed_in', 'Session', 'signed in on the demo'),
    signed_out: act('signed_out', 'Session', 'signed out'),
    signed_out_elsewhere: act('signed_out', 'Session', 'signed out elsewhere'),
    signed_out_everywhere: act('signed_out', 'Session', 'signed out everywhere'),
    signed_out_everywhere_else: act('signed_out', 'Session', 'signed out everywhere else'),

    api_key_created: act('created', 'ApiKey', 'created the API key {name}'),
    api_key_updated: act('updated', 'ApiKey', 'updated the API key {name}'),
    api_key_revoked: act('revoked', 'ApiKey', 'revoked the API key {name}'),
    api_key_rotated: act('rotated', 'ApiKey', 'rotated the API key {name}'),
    key_pair_added: act('added', 'ApiKey', 'added a key pair of the organization by configuration'),
    key_pair_replaced: act('replaced', 'ApiKey', 'replaced a key pair of the organization by configuration'),

    team_created: act('created', 'Team', 'created the team {name}'),
    team_updated: act('updated', 'Team', 'updated the team {name}'),
    team_owner_changed: act('updated', 'Team', 'made {user} the owner of the team {team}'),
    team_member_added: act('added', 'Team', 'added {user} to the team {team}'),
    team_member_removed: act('removed', 'Team', 'removed {user} from the team {team}'),
    template_deleted: act('deleted', 'Template', 'deleted the template {name}'),
    watermark_added: act('created', 'Watermark', 'added a watermark to the team {team}'),
    watermark_updated: act('updated', 'Watermark', 'updated a watermark of the team {team}'),
    watermark_deleted: act('deleted', 'Watermark', 'deleted a watermark of the team {team}'),
  }) as const)()

const ACTS = /* @__PURE__ */ (() => ({ ...FEED_ACTS, ...TRAIL_ACTS }))()

export type FeedAct = keyof typeof FEED_ACTS
export type Act = keyof typeof ACTS
export type FeedVerb = (typeof FEED_ACTS)[FeedAct]['verb']
export type FeedSubject = NonNullable<(typeof FEED_ACTS)[FeedAct]['subject']>

/** An act with the parameters of its sentence. */
export type Told<A extends Act = Act> = { [Each in A]: { act: Each } & Saying<(typeof ACTS)[Each]['sentence']> }[A]

export const feedActs = Object.keys(FEED_ACTS) as FeedAct[]

export const isFeedAct = (name: string | null): name is FeedAct => name !== null && Object.hasOwn(FEED_ACTS, name)

/** Stands for the name of the root folder. */
export const ROOT_FOLDER = 'All Folders'

/** Stands for the name of an erased user. */
export const ERASED_USER = 'an erased user'

/** Says an act in English; a user without a name in the parameters is an erased one. */
export const sentenceOf = ({ act, params }: { act: Act; params?: Params | undefined }): string =>
  fill(ACTS[act].sentence, { user: ERASED_USER, ...params })

export const verbOf = (act: Act): string => ACTS[act].verb
export const subjectOf = (act: Act): (typeof ACTS)[Act]['subject'] => ACTS[act].subject
