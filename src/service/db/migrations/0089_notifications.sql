-- How often the person gets mails of news: at_once, daily, weekly, off; and in which language.
alter table users add column mail_frequency text not null default 'daily';
alter table users add column language text not null default 'en';
-- When the mail server last refused a mail to the address for good; null once it took a later one.
alter table users add column mail_refused_at timestamptz(3);
-- The member's choice for this workspace; null: that of the person.
alter table workspace_memberships add column mail_frequency text;
-- News up to here were mailed, or were not the member's.
alter table workspace_memberships add column mailed_until timestamptz(3) not null default now();
-- A mail could not be handed over and is tried again then.
alter table workspace_memberships add column mail_retry_at timestamptz(3);
