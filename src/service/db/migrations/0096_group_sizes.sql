-- The number of members of each group, so that a list of groups counts none. Null until 0097 has counted: what the triggers
-- add to null stays null. Every change of memberships holds the lock on All Members.
alter table groups add column members_count int;
alter table groups alter column members_count set default 0;

create function group_members_added() returns trigger
  language plpgsql
  as $$ begin
    update groups g set members_count = g.members_count + added.members
    from (select workspace_id, group_id, count(*)::int as members from changed group by workspace_id, group_id) added
    where g.workspace_id = added.workspace_id and g.id = added.group_id;
    return null;
  end $$;

create function group_members_removed() returns trigger
  language plpgsql
  as $$ begin
    update groups g set members_count = g.members_count - gone.members
    from (select workspace_id, group_id, count(*)::int as members from changed group by workspace_id, group_id) gone
    where g.workspace_id = gone.workspace_id and g.id = gone.group_id;
    return null;
  end $$;

create trigger group_members_added after insert on group_memberships referencing new table as changed
  for each statement execute function group_members_added();
create trigger group_members_removed after delete on group_memberships referencing old table as changed
  for each statement execute function group_members_removed();

-- A statement of its own, with what is committed when it runs: also where `update` comes to a row again that a trigger
-- has changed meanwhile.
create function count_group_members(workspace int, in_group int) returns int
  language plpgsql volatile
  as $$ begin
    return (select count(*)::int from group_memberships m where m.workspace_id = workspace and m.group_id = in_group);
  end $$;
