-- The audit trail: who did or tried what, in a chain per workspace that shows every later change. No foreign keys: it
-- outlives what it names.

-- What happened, not chained yet: written in the change's own transaction, so that requests never wait for the chain.
create table audit_inbox (
  -- 0: a refused attempt on a workspace that is none of the caller's organization. Nobody reads it; it is written all
  -- the same, so that the refusal takes as long as any other.
  workspace_id int not null,
  id bigint generated always as identity,
  -- JSON; it becomes canonical when it is chained.
  entry text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (workspace_id, id)
);

create table audit_records (
  workspace_id int not null,
  -- 1, 2, 3 … without gaps.
  seq int not null,
  entry text not null,
  -- SHA-256 over workspace, number, entry and the hash of the record before.
  hash text not null,
  primary key (workspace_id, seq)
);

-- Where a chain stood, signed. The newest is the end of the chain.
create table audit_checkpoints (
  workspace_id int not null,
  seq int not null,
  hash text not null,
  signed_at timestamptz(3) not null,
  signature text not null,
  primary key (workspace_id, seq)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_records_append_only before update or delete or truncate on audit_records
  for each statement execute function refuse_change();
create trigger audit_checkpoints_append_only before update or delete or truncate on audit_checkpoints
  for each statement execute function refuse_change();
