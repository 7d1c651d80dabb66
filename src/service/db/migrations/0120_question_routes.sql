-- Who answers and approves the questions of a category, and in how many days they are due. A route of a category that is gone, or of
-- a person who may answer no questions any more, has no effect.
create table question_routes (
  workspace_id int not null,
  category text not null,
  assignee_id int,
  approver_id int,
  days int,
  primary key (workspace_id, category)
);

-- Every row satisfies the longer list already.
alter table question_entries drop constraint question_entries_kind_check,
  add constraint question_entries_kind_check check (kind in ('note', 'drafted', 'changed', 'submitted', 'sent_back', 'answered', 'closed', 'reopened', 'withdrawn', 'written', 'edited', 'placed', 'removed', 'passed', 'asked_back', 'expert_drafted', 'expert_remarked', 'pass_withdrawn', 'assigned')) not valid;
