-- The acts of one zip, which the feed shows as one: `folded_into` is the id of the first of them, null in that one and in all
-- other acts. All have the same time. Zips from before this are not bound together.
alter table activities add column folded_into int;
-- How many folders and files the zip has: in its first act, and the files also in the first act on a file.
alter table activities add column zip_folders int;
alter table activities add column zip_files int;
