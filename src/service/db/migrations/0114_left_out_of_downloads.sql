-- How many files a finished zip leaves out, as its manifest says one by one.
alter table downloads add column left_out int;
