-- The session that released the key, with which the release ends; null: the release came from no session.
alter table sealed_releases add column session_id int;
