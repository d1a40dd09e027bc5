-- Where the database holds the configuration: the revision in use. Without a row, files hold it.
create table configuration_in_use (
  id smallint primary key check (id = 1),
  revision bigint not null references configuration_revision
);

-- Named secrets of the configuration, sealed: without the key file next to the database they are noise.
create table configuration_secret (
  name varchar(100) primary key,
  sealed_value bytea not null,
  author varchar(200) not null,
  changed_at timestamp with time zone not null
);
