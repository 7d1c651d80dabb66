-- The place among the FAQ of the workspace, which only admins may know: gaps would tell others what they do not see.
-- Nobody asked an entry that admins wrote: its group_id is null, its group_name '' and its group_number 0.
alter table questions add column faq int;
-- Every row satisfies the longer list already.
alter table question_entries drop constraint question_entries_kind_check,
  add constraint question_entries_kind_check check (kind in ('note', 'drafted', 'changed', 'submitted', 'sent_back', 'answered', 'closed', 'reopened', 'withdrawn', 'written', 'edited', 'placed', 'removed')) not valid;
-- Since when a receiver of an answered question reads it, where that is later than the answer. Readers are shown no earlier
-- time: it would tell that others had the answer before.
alter table question_receivers add column told_at timestamptz(3);
alter table questions add column told_all_at timestamptz(3);
