-- Roles of people as administrators. granted_realm is empty for all realms; a person has at most one role for each.
create table administrator_grant (
  realm varchar(63) not null,
  person_id varchar(200) not null,
  granted_realm varchar(63) not null,
  name varchar(200) not null,
  role varchar(20) not null,
  expires_at timestamp with time zone,
  granted_by varchar(200) not null,
  granted_at timestamp with time zone not null,
  primary key (realm, person_id, granted_realm)
);

-- The set-up link, of which a deployment has one; of its code there is a digest only.
create table administrator_set_up (
  id smallint primary key check (id = 1),
  code_digest varchar(64) not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone
);
