-- A notice that was put away in one browser is still shown in the others in which the person is known.
-- The browsers in which it was put away, between spaces; empty as long as the person was not told at all.
alter table passkey_notice add column told_in varchar(1000) default '' not null;
