-- How an organization or one of its workspaces appears. Null: as inherited.
create table brandings (
  organization_id int not null references organizations,
  -- 0: the organization, whose values its workspaces inherit.
  workspace_id int not null,
  display_name text,
  -- #rrggbb
  accent_light text,
  accent_dark text,
  -- Name beside the address of the installation in mails.
  sender_name text,
  -- Who gets replies to invitations.
  replies text check (replies in ('contact', 'nobody')),
  -- Language of invitations to people who have not come in yet.
  invitation_language text check (invitation_language in ('en', 'de')),
  subject_en text,
  text_en text,
  subject_de text,
  text_de text,
  -- PNG made by the service, for each colour scheme; the version is its SHA-256.
  logo_light bytea,
  logo_light_version text,
  logo_dark bytea,
  logo_dark_version text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, workspace_id),
  check (coalesce(accent_light, '') || coalesce(accent_dark, '') ~ '^(#[0-9a-f]{6}){0,2}$')
);
-- People to contact in the order of the welcome page: name, role, email, phone, as typed.
alter table workspaces add column contacts jsonb not null default '[]';
