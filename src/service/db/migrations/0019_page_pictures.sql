-- How marked PDFs are delivered, from the weakest to the strictest: the order is that of the type.
create type pdf_delivery as enum ('woven', 'pictures_with_text', 'pictures');

alter table teams
  -- Whether groups may have PDFs delivered as pictures of their pages.
  add column page_pictures boolean not null default true,
  -- What new groups begin with.
  add column pdf_delivery pdf_delivery not null default 'woven';

-- In effect where the group has a watermark.
alter table groups add column pdf_delivery pdf_delivery not null default 'woven';

-- What the copy was made as: a stricter setting since then makes it stale.
alter table stamped_files add column pdf_delivery pdf_delivery not null default 'woven';
alter table download_members add column pdf_delivery pdf_delivery not null default 'woven';
