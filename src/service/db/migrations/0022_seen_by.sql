-- Groups that could see the subject before an act that may have taken it out of their sight: a move, or the deletion of a
-- folder. Their members are told that their files have changed; nobody else is.
alter table activities add column seen_by_group_ids int[];
