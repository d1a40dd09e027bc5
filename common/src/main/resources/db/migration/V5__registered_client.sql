-- OAuth clients that registered at run time: their metadata as JSON, their secret sealed, their registration access token as a digest.
create table registered_client (
  realm varchar(100) not null,
  client_id varchar(255) not null,
  metadata varchar(200000) not null,
  secret varchar(2000),
  access_digest varchar(100) not null,
  registered_by varchar(255) not null,
  registered_at timestamp with time zone not null,
  primary key (realm, client_id)
);
