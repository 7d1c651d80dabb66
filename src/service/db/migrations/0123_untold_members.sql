-- form: concurrent
-- Members who may have news, also answers, that were not mailed to them. Mails of questions have a mark of their own, `questions_from`: the
-- previous release moves `mailed_until` past answers that it does not mail.
create index concurrently if not exists workspace_memberships_untold
  on workspace_memberships (workspace_id, least(mailed_until, questions_from))
  where joined_at is not null and mail_frequency is distinct from 'off';
