-- The act of an activity and the parameters of its sentence, of which clients make sentences in their own language. Null
-- in older rows: there the message is read.
alter table activities add column act text;
alter table activities add column params jsonb;
