-- Whether the numbers of folders and files are the same for everyone, or count only what the reader may see.
create type numbering as enum ('fixed', 'per_reader');

alter table workspaces add column numbering numbering not null default 'fixed';
