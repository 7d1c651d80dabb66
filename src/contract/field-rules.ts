import { fill, type Params, type ParamsArgument } from './sentence.ts'

/**
 * The rules for values of fields, with the English sentence of `details[].message`. The sentence continues the name of
 * the field: "name must not be empty". The dashboard says the rules too.
 */
export const FIELD_RULES = {
  required: 'is required',
  object: 'must be an object',
  list: 'must be a list',
  text: 'must be text',
  boolean: 'must be true or false',
  confirmed: 'must be true',
  integer: 'must be a whole number',
  number: 'must be a number',
  id_path: 'must be identifiers with dots between',
  max_elements: 'must have at most {limit} elements',

  not_empty: 'must not be empty',
  max_characters: 'must have at most {limit} characters',
  max_marks_in_a_row: 'must not have more than 30 combining marks in a row',
  no_control_characters: 'must not contain control characters',
  no_invisible_characters: 'must not contain invisible characters',
  not_an_address: 'must not be an address',
  no_slash: 'must not contain "/"',
  not_only_dots: 'must not be "." or ".."',
  six_digits: 'must be six digits',
  time_zone: 'must be an IANA time zone',
  date: 'must be a date',
  colour: 'must be a colour such as #333333',
  contrast: 'has a contrast of {contrast}:1 where {needed}:1 is needed; {readable} has enough',
  known_placeholders: 'must have nothing but room, inviter, organization or name in braces',
  base64: 'must be base64',
  logo_format: 'must be a PNG, JPEG, WebP or SVG',
  logo_pixels: 'must have at most {limit} pixels a side',
  logo_readable: 'is damaged or cannot be drawn',
  terms_format: 'must be a PDF',
  terms_unlocked: 'must be a PDF without a password and without restrictions',
  terms_readable: 'is damaged or cannot be read',
  terms_drawable: 'has a page that cannot be drawn: {page}',
  terms_soon_drawn: 'takes too long to draw',
  terms_pages: 'must have at most {limit} pages',
  terms_characters: 'must have at most {limit} characters of text',
  terms_without_scripts: 'must not carry scripts or actions that run programs or send data',
  terms_without_files: 'must not carry other files',
  terms_without_foreign_links: 'must not carry links other than to web pages, mail addresses and telephone numbers',
  terms_clean: 'is infected with malware',
  terms_scannable: 'could not be checked for malware in full',
  byte_count: 'must be a number of bytes',
  sha256: 'must be 64 hex digits',
  challenge: 'must be 32 bytes in base64url',

  // Checks without a sentence of their own, in the English of zod.
  email: 'Invalid email address',
  iso_date: 'Invalid ISO date',
  iso_datetime: 'Invalid ISO datetime',
  uuid: 'Invalid UUID',
  option: 'Invalid option: expected one of {options}',
  text_not_empty: 'Too small: expected string to have >=1 characters',
  max_text_length: 'Too big: expected string to have <={limit} characters',
  list_not_empty: 'Too small: expected array to have >=1 items',
  minimum: 'Too small: expected number to be >={limit}',
  maximum: 'Too big: expected number to be <={limit}',
  multiple: 'Invalid number: must be a multiple of {divisor}',
  valid_input: 'Invalid input',

  address_free: 'belongs to another user',
  right_code: 'is wrong or no longer valid',
  not_active_yet: 'names a user who is active already',
  before_year_10000: 'must be a time before the year 10000',
  future_time: 'must lie in the future',
  within_a_year: 'must lie within a year',
  future_date: 'must be in the future',
  not_past: 'must not be in the past',

  team_member: 'must be a member of the team',
  workspace_admin: 'must be a Workspace Admin',
  team_with_drm: 'needs a team that has DRM',
  team_with_watermarking: 'needs a team that has watermarking',
  team_with_page_pictures: 'needs a team that has pictures of pages',
  one_source: 'must name one template or one workspace',
  workspace_with_files: 'must name a workspace to take files from',
  clean_workspace: 'names a workspace with an infected file in it: {title}',
  scanned_workspace: 'names a workspace with a file in it that cannot be scanned: {title}',
  undamaged_workspace: 'names a workspace with a damaged file in it: {title}',
  team_with_free_workspaces: 'names a team that may have {limit} workspaces and has them',
  team_with_workspace_admins: 'names a team that may have no Workspace Admins',
  max_workspace_admins: 'would be one more Workspace Admin than the {limit} that the team allows',
  custom_group: 'must be a group that an admin has added',
  asking_group: 'must be the group of yours that asks',
  asked_by_group: 'must stay as the group asked it',
  known_category: 'must be a category of this workspace',
  file_or_folder: 'must not be given together with folder_id',
  page_of_file: 'must be a page of a file',
  group_without_admins: 'does not apply to a group of admins, who may do everything',
  group_with_limited_rights: 'names a group of admins, who have every right already',
  groups_with_limited_rights: 'name a group of admins, {group}, who have every right',
  rights_with_view: 'take view away from what needs it',
  group_or_user: 'or user_id must be given, and not both',
  fixed_name: 'of a built-in group is fixed',
  own_group: 'names a built-in group, which stays',
  group_with_terms: 'names a built-in group, which has no terms of its own',

  not_root: 'is the root, which stays as it is',
  outside_itself: 'is the folder itself or inside of it',
  outside_moved_folders: 'is one of the folders itself or inside of it',
  max_depth: 'is {limit} levels deep already',
  max_depth_below: 'would make folders more than {limit} levels deep',
  max_length_with_extension: 'is too long with its extension {extension}',
  folders_or_files: 'must name folders or files',
  clean_files: 'names an infected file',
  clean_file_to_copy: 'names an infected file, which cannot be copied',
  clean_file_to_download: 'names an infected file, which cannot be downloaded',
  clean_version: 'names an infected version, which cannot be downloaded',
  clean_folder: 'names a folder with an infected file in it: {title}',
  markable_file: 'names a file that is delivered with a watermark only, and cannot have one: {reason}',
  bytes_to_come: 'leaves only {left} of the {size} bytes to come',
  next_offset: 'is {offset}',
  same_sha256: 'is that of another file; what came has {sha256}',
} as const

export type FieldRule = keyof typeof FIELD_RULES

/** The parameters of a rule's sentence, as an argument that is absent if the sentence has none. */
export type FieldRuleParams<R extends FieldRule> = ParamsArgument<(typeof FIELD_RULES)[R]>

/** A broken rule, with the parameters of its sentence as texts. */
export interface BrokenRule {
  rule: FieldRule
  params?: Params
}

export const isFieldRule = (name: string | undefined): name is FieldRule =>
  name !== undefined && Object.hasOwn(FIELD_RULES, name)

export const brokenRule = <R extends FieldRule>(rule: R, ...[params]: FieldRuleParams<R>): BrokenRule => ({
  rule,
  ...(params && {
    params: Object.fromEntries(Object.entries<string | number>(params).map(([name, value]) => [name, String(value)])),
  }),
})

export const messageOf = ({ rule, params }: BrokenRule): string => fill(FIELD_RULES[rule], params)

/** The sentences that checks of schemas were given: a schema keeps only the sentence of a broken rule. */
const said = new Map<string, BrokenRule>()

/** Returns the sentence of a rule for a check of a schema. */
export function saying<R extends FieldRule>(...args: [rule: R, ...params: FieldRuleParams<R>]): string {
  const broken = brokenRule(...args)
  const message = messageOf(broken)
  said.set(message, broken)
  return message
}

/** Returns the rule whose sentence a check of a schema was given. */
export const ruleSaying = (message: string): BrokenRule | undefined => said.get(message)
