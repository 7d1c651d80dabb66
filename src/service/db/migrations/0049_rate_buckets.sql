-- Buckets of rate limits that hold for all nodes together (RATE_STORE=postgres). Unlogged: after a crash all are full.
create unlogged table rate_buckets (
  -- A hash.
  name text primary key,
  full_at timestamptz(3) not null,
  -- What the bucket may lack at most, as the milliseconds that this takes to refill.
  most_ms double precision not null
);
create index rate_buckets_full_at on rate_buckets (full_at);

-- Failed jobs are counted by the metrics.
create index jobs_parked on jobs (kind) where parked_at is not null;
