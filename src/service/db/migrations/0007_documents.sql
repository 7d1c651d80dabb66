-- What is known of content, one row per blob of files; copies share it. What the listing shows of it is repeated in files.
create table documents (
  workspace_id int not null,
  blob_id text not null,
  content_type text not null,
  status text not null default 'Pending' check (status in ('Pending', 'Processing', 'Ready', 'Failed', 'Unsupported')),
  -- Why it is Failed, in a sentence for people, or Unsupported although its type is none without pages.
  reason text,
  -- Width and height of each page as it is shown: points of a PDF, pixels of an image. Their number is that of the pages.
  page_widths real[] not null default '{}',
  page_heights real[] not null default '{}',
  -- The PDF or image that its pages are made of, where it is none itself.
  converted_blob_id text,
  converted_type text,
  -- Null before a scan.
  infected boolean,
  scanned_at timestamptz(3),
  -- What the scanner found.
  infection text,
  -- Waits for the scanner, without which nobody but admins gets the bytes and nobody pages.
  held boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, blob_id)
);
create index documents_converted on documents (converted_blob_id) where converted_blob_id is not null;
create index documents_blob on documents (blob_id);
create index documents_unfinished on documents (workspace_id, updated_at)
  where status in ('Pending', 'Processing', 'Failed') or reason is not null;

alter table files add column held boolean not null default false;
alter table download_members drop constraint download_members_left_out_check,
  add constraint download_members_left_out_check
    check (left_out in ('right', 'drm', 'watermark', 'infected', 'unscanned'));

-- When a user looked at a file last: a view is recorded once in ten minutes.
create table file_views (
  workspace_id int not null,
  user_id int not null,
  file_id int not null,
  viewed_at timestamptz(3) not null,
  primary key (workspace_id, user_id, file_id),
  foreign key (workspace_id, file_id) references files on delete cascade
);

-- The same content again is known already.
create index file_versions_content on file_versions (workspace_id, sha256);

-- One job per document. Each kind has a queue of its own: a thousand documents do not make a mail wait.
create unique index jobs_ingest on jobs ((payload ->> 'blob_id')) where kind = 'ingest';
create index jobs_due_of_kind on jobs (kind, run_at) where parked_at is null;
drop index jobs_due;

-- What was uploaded before is read as well, some pieces per second, so that new uploads come first.
insert into documents (workspace_id, blob_id, content_type, status)
select distinct on (v.workspace_id, v.blob_id) v.workspace_id, v.blob_id, v.file_content_type,
  coalesce(f.viewer_status, 'Pending')
from file_versions v
left join files f on f.workspace_id = v.workspace_id and f.id = v.file_id and f.blob_id = v.blob_id
order by v.workspace_id, v.blob_id, f.id nulls last;
insert into jobs (kind, payload, run_at)
select 'ingest', jsonb_build_object('workspace_id', workspace_id, 'blob_id', blob_id),
  now() + row_number() over (order by created_at, blob_id) * interval '200 milliseconds'
from documents;
