-- Tokens that make one-time passwords (RFC 4226, RFC 6238). The seed is sealed: without the key file next to the database it is noise.
-- last_used is the counter or time step of the last code that counted: codes up to it are refused, whichever node saw them.
create table otp_token (
  realm varchar(100) not null,
  serial varchar(64) not null,
  kind varchar(8) not null,
  hash varchar(8) not null,
  digits integer not null,
  period integer not null,
  sealed_seed bytea not null,
  state varchar(16) not null,
  person_id varchar(255),
  last_used bigint not null,
  drift integer not null,
  expires_at timestamp with time zone,
  used_at timestamp with time zone,
  primary key (realm, serial)
);

create index otp_token_person on otp_token (realm, person_id);

-- What counts for the person, whichever token it is and whichever way the passcode came in: the sealed hashes of PINs, the present one
-- first, and the wrong passcodes since the last right one. A person is locked from lock_after wrong ones until locked_until.
create table otp_person (
  realm varchar(100) not null,
  person_id varchar(255) not null,
  sealed_pins bytea,
  new_pin boolean not null,
  wrong_passcodes integer not null,
  locked_until timestamp with time zone,
  primary key (realm, person_id)
);

-- What stands in for a token that was lost: a fixed password until its end, or codes that count once; as keyed digests.
create table otp_emergency (
  realm varchar(100) not null,
  person_id varchar(255) not null,
  digest varchar(64) not null,
  fixed boolean not null,
  expires_at timestamp with time zone not null,
  primary key (realm, person_id, digest)
);
