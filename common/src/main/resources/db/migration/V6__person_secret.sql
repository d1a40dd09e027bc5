-- What people store for the login forms of apps. Sealed: without the key file next to the database it is noise.
create table person_secret (
  realm varchar(100) not null,
  person_id varchar(1500) not null,
  app varchar(64) not null,
  secret_name varchar(64) not null,
  sealed_value bytea not null,
  changed_at timestamp with time zone not null,
  primary key (realm, person_id, app, secret_name)
);
