-- The day, in UTC, on which the question's answerer or approver was last reminded of it by mail.
alter table questions add column reminded_on date;
