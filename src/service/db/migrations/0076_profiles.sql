alter table users add column company text not null default '';
alter table users add column title text not null default '';
-- The person has signed in for the first time, and has not been asked for name, company, title and time zone yet.
alter table users add column profile_due boolean not null default false;
