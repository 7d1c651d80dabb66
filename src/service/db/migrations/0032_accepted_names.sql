-- The admin who accepted the name of the member last. The name is the marked one, or the user's present one while that is null.
alter table workspace_memberships add column name_accepted_by_id int;
