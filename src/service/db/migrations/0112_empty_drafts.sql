-- Nobody is in a draft group, also not by a node of the release before there were any, which knows no drafts and would let
-- whoever it adds come in. Publishing ends the draft in the statement that adds the members.
create or replace function group_members_added() returns trigger
  language plpgsql
  as $$ declare
    of_draft boolean;
  begin
    with counted as (
      update groups g set members_count = g.members_count + added.members
      from (select workspace_id, group_id, count(*)::int as members from changed group by workspace_id, group_id) added
      where g.workspace_id = added.workspace_id and g.id = added.group_id returning g.is_draft
    ) select bool_or(is_draft) into of_draft from counted;
    if of_draft and tg_table_name = 'group_memberships' then
      raise check_violation using message = 'a draft group has no members';
    end if;
    return null;
  end $$;
