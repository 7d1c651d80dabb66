-- How much text of the pages the members of a group may use in the viewer, from the strictest to the weakest. With
-- with_download, text can be selected where a download would hand it out as well.
create type text_layer as enum ('none', 'find', 'select', 'with_download');

alter table groups add column text_layer text_layer not null default 'with_download';
