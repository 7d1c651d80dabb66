-- What a person was invited with, until they come into the workspace for the first time.
create table invitations (
  workspace_id int not null,
  user_id int not null,
  inviter_id int not null,
  message text not null,
  invited_at timestamptz(3) not null,
  -- SHA-256 of the token in the link. Null until the mail is sent.
  token_hash bytea,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references workspace_memberships on delete cascade
);
create unique index invitations_token on invitations (workspace_id, token_hash);
create index invitations_expiry on invitations (expires_at);

-- Added without a mail, and not invited since.
alter table workspace_memberships add column awaits_invitation boolean not null default false;

-- What a workspace says to the people who are invited to it.
alter table workspaces add column description text not null default '';
alter table workspaces add column expectation text not null default '';
alter table workspaces add column welcome_text text not null default '';
alter table workspaces add column contact_user_id int;
alter table workspaces add column contact_note text not null default '';
