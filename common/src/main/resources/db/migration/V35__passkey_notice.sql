-- Passkeys that were added and of which their person has not been told: a login tells of them, in a session that did not add them.
create table passkey_notice (
  realm varchar(100) not null,
  person_id varchar(1500) not null,
  -- Grows with each addition of the person.
  number bigint not null,
  -- The first id of the session that added it, which is a digest of the browser's token.
  session_id varchar(100) not null,
  added_at timestamp with time zone not null,
  primary key (realm, person_id, number)
);
