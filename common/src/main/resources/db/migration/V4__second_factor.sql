-- Authenticator apps (RFC 6238) of a person. The secret is sealed: without the key file next to the database it is noise.
create table second_factor (
  realm varchar(100) not null,
  person_id varchar(255) not null,
  factor_id varchar(64) not null,
  label varchar(64) not null,
  digits integer not null,
  sealed_secret bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  primary key (realm, person_id, factor_id)
);

-- What counts for the person, whichever app it was: the last time step that was accepted, and wrong codes since then.
create table second_factor_state (
  realm varchar(100) not null,
  person_id varchar(255) not null,
  last_step bigint not null,
  wrong_codes integer not null,
  primary key (realm, person_id)
);

-- Recovery codes that were not used yet, as keyed digests.
create table recovery_code (
  realm varchar(100) not null,
  person_id varchar(255) not null,
  digest varchar(64) not null,
  primary key (realm, person_id, digest)
);
