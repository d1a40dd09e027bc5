-- Mail that was not taken by the server yet. The details are sealed: they may hold the link for a new password.
create table mail_outbox (
  id varchar(36) primary key,
  realm varchar(100) not null,
  person_id varchar(1500) not null,
  kind varchar(32) not null,
  sealed_details bytea not null,
  created_at timestamp with time zone not null,
  tries integer not null,
  next_try_at timestamp with time zone not null
);
create index mail_outbox_due on mail_outbox (next_try_at);
create index mail_outbox_person on mail_outbox (realm, person_id);

-- Notices that administrators got, so that none is sent twice; the key is a digest of what it is about.
create table mail_notice (
  digest varchar(64) primary key,
  sent_at timestamp with time zone not null
);

-- The one link for a new password that a person has, as a digest of its token.
create table password_reset (
  realm varchar(100) not null,
  person_id varchar(1500) not null,
  digest varchar(64) not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  proved_by varchar(64) not null,
  primary key (realm, person_id)
);
create unique index password_reset_digest on password_reset (digest);
