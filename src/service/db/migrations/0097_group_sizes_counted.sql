-- form: batches
update groups g set members_count = count_group_members(g.workspace_id, g.id)
from (select workspace_id, id from groups where members_count is null limit 1000) due
where g.workspace_id = due.workspace_id and g.id = due.id;
