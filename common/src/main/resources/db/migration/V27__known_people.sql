-- People of a realm who may have tokens, as the last synchronisation read them from the directory. Whoever is GONE has no token but
-- apps, and gets none. Logins ask the directory itself: this register only takes away.
create table otp_known_person (
  realm varchar(100) not null,
  person_id varchar(255) not null,
  name varchar(256) not null,
  display_name varchar(256) not null,
  mail varchar(256) not null,
  -- The DN of the entry.
  place varchar(2000) not null,
  -- Names of groups, one a line.
  group_names varchar(8000) not null,
  -- Where the person comes from: directory.
  source varchar(16) not null,
  -- ACTIVE, SUSPENDED (the account is disabled, or a filter does not match it), MISSING (not found since gone_at), GONE.
  status varchar(16) not null,
  seen_at timestamp with time zone not null,
  gone_at timestamp with time zone,
  primary key (realm, person_id)
);
create index otp_known_person_name on otp_known_person (realm, name);

-- Synchronisations: the numbers of each, and what an administrator has to look at.
create table otp_people_run (
  realm varchar(100) not null,
  number bigint not null,
  started_by varchar(256) not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  -- RUNNING, DONE, STOPPED (nothing was changed), FAILED, INTERRUPTED.
  state varchar(16) not null,
  found bigint not null,
  added bigint not null,
  changed bigint not null,
  moved bigint not null,
  returned bigint not null,
  gone bigint not null,
  rejected bigint not null,
  tokens bigint not null,
  problem varchar(1000),
  -- Entries that were left out, one a line.
  remarks varchar(16000) not null,
  primary key (realm, number)
);
