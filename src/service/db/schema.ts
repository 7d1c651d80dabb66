import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { PdfDelivery } from '../../contract/endpoints/watermarks.ts'

/** Read as an ISO string (see pool.ts). */
type Timestamp = ColumnType<string, string | Date | undefined, string | Date>
type NullableTimestamp = ColumnType<string | null, string | Date | null | undefined, string | Date | null>

export interface Schema {
  organizations: {
    id: Generated<number>
    name: string
    description: Generated<string>
    location: Generated<string>
    billing_email: Generated<string>
    url: Generated<string>
    support_number: Generated<string>
    support_email: Generated<string>
    support_website: Generated<string>
    support_updated_at: Timestamp
    created_at: Timestamp
    updated_at: Timestamp
  }
  users: {
    organization_id: number
    id: Generated<number>
    email: string
    first_name: Generated<string>
    last_name: Generated<string>
    time_zone: Generated<string>
    status: Generated<'invited' | 'active'>
    token_hash: Buffer
    token_sealed: Buffer
    organization_admin_since: NullableTimestamp
    email_verified_at: NullableTimestamp
    self_named: Generated<boolean>
    created_at: Timestamp
    updated_at: Timestamp
    deleted_at: NullableTimestamp
  }
  api_keys: {
    organization_id: number
    id: Generated<number>
    user_id: number | null
    name: string
    public_key: string
    secret_sealed: Buffer
    scopes: Generated<string[]>
    expires_at: NullableTimestamp
    last_used_at: NullableTimestamp
    last_used_ip: string | null
    created_at: Timestamp
    updated_at: Timestamp
    revoked_at: NullableTimestamp
  }
  sessions: {
    organization_id: number
    id: Generated<number>
    user_id: number
    method: 'code' | 'oidc' | 'demo'
    ip: string
    user_agent: Generated<string>
    created_at: ColumnType<string, string | Date, string | Date>
    last_seen_at: ColumnType<string, string | Date, string | Date>
  }
  sign_in_addresses: {
    organization_id: number
    email: string
    wrong: Generated<number>
    counting_since: NullableTimestamp
    locked_until: NullableTimestamp
    updated_at: ColumnType<string, string | Date, string | Date>
  }
  sign_in_codes: {
    organization_id: number
    email: string
    browser_hash: Buffer
    code_sealed: Buffer
    expires_at: ColumnType<string, string | Date, string | Date>
    attempts: Generated<number>
  }
  email_changes: {
    organization_id: number
    user_id: number
    email: string
    code_hash: Buffer | null
    code_expires_at: NullableTimestamp
    attempts: Generated<number>
    created_at: ColumnType<string, string | Date, string | Date>
  }
  mail_budgets: {
    organization_id: number
    name: string
    count: number
    ends_at: ColumnType<string, string | Date, string | Date>
  }
  teams: {
    organization_id: number
    id: Generated<number>
    name: string
    team_owner_id: number
    allowed_workspaces: Generated<number>
    allowed_admins: Generated<number>
    drm_enabled: Generated<boolean>
    watermarking: Generated<boolean>
    page_pictures: Generated<boolean>
    pdf_delivery: Generated<PdfDelivery>
    suppress_emails: Generated<boolean>
    creator_id: number
    created_at: Timestamp
    updated_at: Timestamp
  }
  watermarks: {
    organization_id: number
    id: Generated<number>
    team_id: number
    custom_text: string
    color: string
    opacity: number
    font_size: number
    rotation: number
    hposition: 'left' | 'center' | 'right'
    vposition: 'top' | 'center' | 'bottom'
    display_user_name: boolean
    display_user_email: boolean
    display_ip_address: boolean
    display_time: boolean
    display_workspace_name: boolean
    created_at: Timestamp
    updated_at: Timestamp
  }
  team_memberships: {
    organization_id: number
    team_id: number
    user_id: number
    created_at: Timestamp
    updated_at: Timestamp
  }
  workspaces: {
    organization_id: number
    id: Generated<number>
    team_id: number
    name: string
    api_access_enabled: Generated<boolean>
    api_access_enabled_at: NullableTimestamp
    api_access_enabled_by_id: number | null
    api_access_updated_at: NullableTimestamp
    created_at: Timestamp
    updated_at: Timestamp
  }
  workspace_memberships: {
    workspace_id: number
    user_id: number
    id: Generated<number>
    organization_id: number
    joined_at: NullableTimestamp
    last_active_at: NullableTimestamp
    marked_first_name: string | null
    marked_last_name: string | null
    name_changed_at: NullableTimestamp
    name_accepted_by_id: number | null
    created_at: Timestamp
    updated_at: Timestamp
  }
  groups: {
    workspace_id: number
    id: Generated<number>
    name: string
    kind: Generated<'custom' | 'all_members' | 'team_admins' | 'workspace_admins'>
    drm_enabled: Generated<boolean>
    drm_expires_after: string | null
    watermarked: Generated<boolean>
    pdf_delivery: Generated<PdfDelivery>
    expire_workspace_access_at: string | null
    file_managing_abilities: Generated<boolean>
    created_at: Timestamp
    updated_at: Timestamp
  }
  group_memberships: {
    workspace_id: number
    group_id: number
    user_id: number
    id: Generated<number>
    created_at: Timestamp
  }
  folders: {
    workspace_id: number
    id: Generated<number>
    parent_id: number | null
    name: string
    index: number
    id_path: number[]
    created_at: Timestamp
    updated_at: Timestamp
    last_updated_user_id: number
    deleted_at: NullableTimestamp
    deletion_id: string | null
    deleted_by_id: number | null
    name_words: GeneratedAlways<string>
  }
  files: {
    workspace_id: number
    id: Generated<number>
    folder_id: number
    title: string
    file_name: string
    index: number
    version: Generated<number>
    file_size: ColumnType<number, number | string, number | string>
    file_content_type: string
    sha256: Buffer
    blob_id: string
    pages: Generated<number>
    infected: boolean | null
    held: Generated<boolean>
    damaged: Generated<boolean>
    viewer_status: Generated<'Pending' | 'Processing' | 'Ready' | 'Failed' | 'Unsupported'>
    created_at: Timestamp
    updated_at: Timestamp
    deleted_at: NullableTimestamp
    deletion_id: string | null
    deleted_by_id: number | null
  }
  file_versions: {
    workspace_id: number
    file_id: number
    version: number
    blob_id: string
    file_size: ColumnType<number, number | string, number | string>
    file_content_type: string
    sha256: Buffer
    crc32: number
    uploaded_by_id: number
    is_retry: Generated<boolean>
    created_at: Timestamp
  }
  uploads: {
    workspace_id: number
    id: Generated<number>
    user_id: number
    folder_id: number
    file_name: string
    size: number
    sha256: Buffer | null
    part_id: string
    received: Generated<number>
    sha256_state: Buffer | null
    crc32: Generated<number>
    file_id: number | null
    created_at: ColumnType<string, string | Date, string | Date>
    expires_at: ColumnType<string, string | Date, string | Date>
  }
  documents: {
    workspace_id: number
    blob_id: string
    content_type: string
    status: Generated<'Pending' | 'Processing' | 'Ready' | 'Failed' | 'Unsupported'>
    reason: string | null
    page_widths: Generated<number[]>
    page_heights: Generated<number[]>
    converted_blob_id: string | null
    converted_type: string | null
    infected: boolean | null
    scanned_at: NullableTimestamp
    infection: string | null
    held: Generated<boolean>
    damage: 'missing' | 'length' | 'bytes' | null
    damaged_at: NullableTimestamp
    damage_told_at: NullableTimestamp
    checked_at: Timestamp
    created_at: Timestamp
    updated_at: Timestamp
  }
  file_views: {
    workspace_id: number
    user_id: number
    file_id: number
    viewed_at: ColumnType<string, string | Date, string | Date>
  }
  downloads: {
    workspace_id: number
    id: Generated<number>
    user_id: number
    folder_ids: number[]
    file_ids: number[]
    ip: Generated<string>
    status: Generated<'building_directory' | 'processing' | 'done' | 'failed' | 'expired'>
    size: number | null
    etag: string | null
    created_at: Timestamp
    updated_at: Timestamp
    expires_at: ColumnType<string, string | Date, string | Date>
  }
  stamped_files: {
    workspace_id: number
    id: Generated<number>
    user_id: number
    file_id: number
    version: number
    mark: string
    pdf_delivery: Generated<PdfDelivery>
    file_name: string
    file_content_type: string
    blob_id: string
    file_size: number
    sha256: Buffer
    created_at: Timestamp
    expires_at: ColumnType<string, string | Date, string | Date>
  }
  download_members: {
    workspace_id: number
    download_id: number
    position: number
    folder_id: number | null
    file_id: number | null
    blob_id: string | null
    size: Generated<number>
    crc32: Generated<number>
    sha256: Buffer | null
    modified_at: ColumnType<string, string | Date, string | Date>
    directories: string[]
    name: string
    entry_name: string | null
    left_out: 'right' | 'drm' | 'watermark' | 'infected' | 'unscanned' | null
    left_out_reason: string | null
    must_be_stamped: Generated<boolean>
    stamped: Generated<boolean>
    pdf_delivery: Generated<PdfDelivery>
    must_be_sealed: Generated<boolean>
    sealed: Generated<boolean>
  }
  sealed_copies: {
    workspace_id: number
    copy_id: string
    file_id: number
    version: number
    user_id: number
    group_ids: number[]
    pages: number
    key_sealed: Buffer
    created_at: Timestamp
    revoked_at: NullableTimestamp
    revoked_by_id: number | null
  }
  sealed_openings: {
    workspace_id: number
    copy_id: string
    id: Generated<number>
    user_id: number
    refusal: string | null
    created_at: Timestamp
  }
  sealed_releases: {
    workspace_id: number
    copy_id: string
    challenge: Buffer
    user_code_hash: Buffer | null
    user_id: number | null
    code_hash: Buffer | null
    session_id: number | null
    expires_at: ColumnType<string, string | Date, string | Date>
  }
  folder_permissions: {
    workspace_id: number
    group_id: number
    flag: 'view' | 'download' | 'upload'
    folder_id: number
    id_path: number[]
    value: boolean
  }
  activities: {
    workspace_id: number
    id: Generated<number>
    user_id: number
    user_name: string
    verb: string
    message: string
    subject_type: string | null
    subject_id: number | null
    created_at: Timestamp
    about_user_id: number | null
    erased_message: string | null
    seen_by_group_ids: readonly number[] | null
    act: string | null
    params: ColumnType<Record<string, string> | null, string | null | undefined, string | null>
  }
  audit_inbox: {
    workspace_id: number
    organization_id: Generated<number>
    id: GeneratedAlways<number>
    entry: string
    created_at: Timestamp
  }
  audit_records: {
    workspace_id: number
    organization_id: Generated<number>
    seq: number
    entry: string
    personal: string | null
    hash: string
  }
  audit_checkpoints: {
    workspace_id: number
    organization_id: Generated<number>
    seq: number
    hash: string
    signed_at: string
    signature: string
  }
  audit_keys: {
    organization_id: number
    user_id: number
    key_sealed: Buffer | null
    created_at: Timestamp
    erased_at: NullableTimestamp
  }
  jobs: {
    id: GeneratedAlways<number>
    kind: string
    payload: ColumnType<unknown, string, string>
    run_at: Timestamp
    attempts: Generated<number>
    leased_until: NullableTimestamp
    parked_at: NullableTimestamp
    error: string | null
    created_at: Timestamp
    workspace_id: GeneratedAlways<number>
    user_id: GeneratedAlways<number>
    heavy: Generated<boolean>
    put_back: Generated<number>
    leased_by: string | null
    deaths: Generated<number>
  }
}
